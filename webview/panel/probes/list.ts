import { invarianceModel } from './invariance';
import { lgipModel } from './lgip';
import type { ProbeModel } from './model';
import { plainModel } from './plain';
import { prsmModel } from './prsm';
import { rococoModel } from './rococo';
import { sugarcrepeModel } from './sugarcrepe';
import { vislaModel } from './visla';
import { winogroundModel } from './winoground';

const models: Readonly<Record<string, ProbeModel>> = {
  lgip: lgipModel,
  visla: vislaModel,
  sugarcrepe: sugarcrepeModel,
  winoground: winogroundModel,
  rococo: rococoModel,
  prsm: prsmModel,
  invariance: invarianceModel,
};

export function modelFor(probe: string): ProbeModel {
  return Object.hasOwn(models, probe) ? models[probe] : plainModel;
}
