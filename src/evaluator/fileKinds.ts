import { basename } from 'node:path';
import type { CaptiousError } from '../base/errors';
import { number, optional, type Shape, type Shaped, text } from '../base/shape';
import { calibrated, calibratedFields, type CalibratedFile } from './calibrated';
import { asMetric, type MetricName, metricNamed } from './clipscore';
import type { EditorModels } from './judge/editorModels';
import type { Evaluator } from './evaluator';
import type { WantKind } from '../protocol/item';
import { judgeFields, type JudgeFile, openJudge } from './judge/judgeFile';
import { openRemote, remoteFields, type RemoteFile } from './remote/remote';
import { openRepaired, repairedFields, type RepairedFile } from './repaired';

/** A key by its name. */
export type Secret = (name: string) => string | undefined | Promise<string | undefined>;

/** How a kind of evaluator file becomes an evaluator. Whoever adds a kind adds an entry to `kinds`. */
export interface FileContext {
  /** The evaluator file itself. */
  path: string;
  /** Of the evaluator to be: the file's name. */
  id: string;
  /** From the file, else the id. */
  name: string;
  /** A folder or file that the evaluator file names, relative to itself. */
  place: (path: string) => string;
  /** Another evaluator: an id, or a path that begins with ./ or ../ and is relative to this file. */
  open: (ref: string) => Promise<Evaluator>;
  /** A model's folder, by its path or id; with the folder of region features, where it takes those. */
  openFolder: (path: string, regions?: string) => Promise<Evaluator>;
  home: string;
  /** The secret of that name: from the environment, or from where the editor keeps such things. */
  secret: Secret;
  /** The language models of the editor that this runs in. */
  editor?: EditorModels;
  /** An error that names this file and a key of it. */
  wrong: (key: string, message: string, remedy?: string) => CaptiousError;
}

/** What the evaluator of that name can score. */
export type ScoresOf = (ref: string) => Promise<readonly WantKind[]>;

export interface FileKind<S> {
  fields: Record<string, Shape<unknown>>;
  /** What it can score, told without opening it; `of` answers for what it is made of. */
  scores: (said: S, of: ScoresOf) => readonly WantKind[] | Promise<readonly WantKind[]>;
  make: (said: S, context: FileContext) => Promise<Evaluator>;
}

const ofEncoder = ({ encoder }: { encoder: string }, of: ScoresOf): Promise<readonly WantKind[]> =>
  of(encoder);

const metricFields = { encoder: text, prefix: optional(text), weight: optional(number) };

function metric(
  name: MetricName,
): FileKind<Shaped<Shape<{ encoder: string; prefix?: string; weight?: number }>>> {
  return {
    fields: name === 'cosine' ? { encoder: text, prefix: optional(text) } : metricFields,
    scores: ofEncoder,
    make: async ({ encoder, prefix, weight }, context) => {
      if (weight !== undefined && weight <= 0) throw context.wrong('weight', 'A weight is a number above 0.');
      const inner = await context.open(encoder);
      try {
        return asMetric(inner, metricNamed(name, { prefix, weight }), {
          id: context.id,
          name: context.name === context.id ? `${context.id} (${name} of ${inner.info.name})` : context.name,
          path: context.path,
        });
      } catch (error) {
        await inner.close();
        throw error;
      }
    },
  };
}

/** σ(factor · cos + bias), for SigLIP folders whose graphs do not tell the two numbers. */
const siglip: FileKind<{ encoder: string; factor: number; bias: number; prefix?: string }> = {
  fields: { encoder: text, factor: number, bias: number, prefix: optional(text) },
  scores: ofEncoder,
  make: async ({ encoder, factor, bias, prefix = '' }, context) => {
    const inner = await context.open(encoder);
    try {
      return asMetric(
        inner,
        {
          scale: { name: 'sigmoid', factor, bias },
          prefix,
          note: `Scores are σ(${factor}·cos ${bias < 0 ? '−' : '+'} ${Math.abs(bias)}), as ${basename(context.path)} says.`,
        },
        context,
      );
    } catch (error) {
      await inner.close();
      throw error;
    }
  },
};

const remote: FileKind<RemoteFile> = {
  fields: remoteFields,
  scores: ({ image }) => (image === undefined ? ['text-text'] : ['text-text', 'image-text', 'image-image']),
  make: (said, { place, id, name, home }) =>
    openRemote({ ...said, folder: place(said.folder) }, { id, name, home }),
};

const calibration: FileKind<CalibratedFile> = {
  fields: calibratedFields,
  scores: ofEncoder,
  make: async (said, context) => calibrated(await context.open(said.encoder), said, context),
};

const repaired: FileKind<RepairedFile> = {
  fields: repairedFields,
  scores: ofEncoder,
  make: async (said, context) => openRepaired(await context.open(said.encoder), said, context),
};

/** A model that scores a picture and a caption together, perhaps by features of regions that were found elsewhere. */
const itm: FileKind<{ folder: string; features?: string }> = {
  fields: { folder: text, features: optional(text) },
  scores: () => ['image-text'],
  make: async ({ folder, features }, { id, name, path, place, openFolder, wrong }) => {
    const evaluator = await openFolder(folder, features === undefined ? undefined : place(features));
    if (evaluator.scorePairs === undefined) {
      await evaluator.close();
      throw wrong(
        'folder',
        'this model does not score a picture and a caption together.',
        'Name its id or path itself.',
      );
    }
    return {
      ...evaluator,
      info: { ...evaluator.info, id, path, name: name === id ? evaluator.info.name : name },
    };
  },
};

const judges = (kind: 'judge' | 'fleur'): FileKind<JudgeFile> => ({
  fields: judgeFields,
  scores: () => ['image-text'],
  make: (said, context) => openJudge(kind, said, context),
});

export const kinds = {
  clipscore: metric('clipscore'),
  'pac-s': metric('pac-s'),
  cosine: metric('cosine'),
  siglip,
  itm,
  judge: judges('judge'),
  fleur: judges('fleur'),
  calibrated: calibration,
  repaired,
  remote,
} satisfies Record<string, FileKind<never>>;

export const fileKinds: readonly string[] = Object.keys(kinds);
