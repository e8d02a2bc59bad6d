import { join } from 'node:path';
import { CaptiousError } from '../../base/errors';
import { installFolder } from '../../base/install';
import { readJsonSync } from '../../base/files/readJson';

/** A file of a known encoder, as it lies in its repository. Size and hash are there only where they were seen. */
export interface KnownFile {
  path: string;
  size?: number;
  sha256?: string;
}

/** An encoder that people use, and where the hub keeps it. Nothing is fetched before it is asked for. */
export interface KnownEncoder {
  id: string;
  name: string;
  kind: 'text-encoder' | 'dual-encoder';
  /** Repository on the hub. */
  hub: string;
  /** A commit where one is known for certain, otherwise the name of a branch. */
  revision: string;
  licence: string;
  /** What happens to a picture, in words. */
  preprocessing?: string;
  files: readonly KnownFile[];
  /** By precision: what is fetched beside `files`. */
  graphs: Readonly<Record<string, readonly KnownFile[]>>;
  /** What nobody has seen yet, in words. */
  unconfirmed: readonly string[];
}

export function knownEncoders(): readonly KnownEncoder[] {
  const path = join(installFolder(), 'models', 'known.json');
  const { schema, models } = readJsonSync(path) as {
    schema: number;
    models: KnownEncoder[];
  };
  if (schema !== 1) throw new Error(`${path}: schema ${schema} where 1 was expected.`);
  return models;
}

export function knownEncoder(id: string, models = knownEncoders()): KnownEncoder {
  const found = models.find((model) => model.id === id || model.hub === id);
  if (found !== undefined) return found;
  throw new CaptiousError('usage', `There is no known encoder "${id}".`, {
    remedy:
      `Known are ${models.map((model) => model.id).join(', ')}. Any other is installed by putting its folder under ` +
      "models/ in Captious's home.",
  });
}

/** Everything that makes the encoder run at that precision. */
export function filesOf(model: KnownEncoder, precision: string): readonly KnownFile[] {
  const graphs = model.graphs[precision];
  if (graphs !== undefined) return [...model.files, ...graphs];
  throw new CaptiousError('usage', `${model.id} is not known at ${precision}.`, {
    remedy: `It is known at ${Object.keys(model.graphs).join(', ')}.`,
  });
}
