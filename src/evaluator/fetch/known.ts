import { nearest } from '../../base/text/nearest';
import { join } from 'node:path';
import { CaptiousError } from '../../base/errors';
import { installFolder } from '../../base/install';
import { readJsonSync } from '../../base/files/readJson';
import { say } from '../../base/say';

/** A file of a known encoder. `size` and `sha256` are absent unless they are confirmed. */
export interface KnownFile {
  path: string;
  size?: number;
  sha256?: string;
}

/** A widely used encoder that Captious can download. */
export interface KnownEncoder {
  id: string;
  name: string;
  kind: 'text-encoder' | 'dual-encoder';
  /** The repository on the hub. */
  hub: string;
  /** A commit, or a branch if no commit is confirmed. */
  revision: string;
  licence: string;
  /** The image preprocessing, in words. */
  preprocessing?: string;
  files: readonly KnownFile[];
  /** The files of each precision, in addition to `files`. */
  graphs: Readonly<Record<string, readonly KnownFile[]>>;
  /** Facts about the encoder that are not confirmed, in words. */
  unconfirmed: readonly string[];
}

export function knownEncoders(): readonly KnownEncoder[] {
  const path = join(installFolder(), 'models', 'known.json');
  const { schema, models } = readJsonSync(path) as { schema: number; models: KnownEncoder[] };
  if (schema !== 1) throw new Error(`${path}: schema ${schema} where 1 was expected.`);
  return models;
}

export function knownEncoder(id: string, models = knownEncoders()): KnownEncoder {
  const found = models.find((model) => model.id === id || model.hub === id);
  if (found !== undefined) return found;
  const ids = models.map((model) => model.id);
  const all = say('fetch.chooseKnownEncoder', ids.join(', '));
  const meant = nearest(id, ids);
  throw new CaptiousError('usage', say('fetch.encoderUnknown', id), {
    remedy: meant === undefined ? all : say('base.nearestName', meant, all),
  });
}

/** All files that the encoder needs with this precision. */
export function filesOf(model: KnownEncoder, precision: string): readonly KnownFile[] {
  const graphs = model.graphs[precision];
  if (graphs !== undefined) return [...model.files, ...graphs];
  throw new CaptiousError('usage', say('fetch.precisionUnavailable', model.id, precision), {
    remedy: say('fetch.chooseFrom', Object.keys(model.graphs).join(', ')),
  });
}
