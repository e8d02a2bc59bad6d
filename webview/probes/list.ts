import { lgipModel } from './lgip';
import type { ProbeModel } from './model';
import { plainModel } from './plain';
import { vislaModel } from './visla';

const models: Readonly<Record<string, ProbeModel>> = { lgip: lgipModel, visla: vislaModel };

export function modelFor(probe: string): ProbeModel {
  return Object.hasOwn(models, probe) ? models[probe] : plainModel;
}
