import { basename } from 'node:path';
import { number, optional, type Shape, ShapeError, text } from '../base/shape';
import { calibrated, calibratedFields, type CalibratedFile, previewCalibrated } from './calibrated';
import { asMetric, type MetricName, metricNamed, type MetricSpec, previewMetric } from './clipscore';
import type { Evaluator } from './evaluator';
import type { FileContext, FileKind } from './fileContext';
import { checkedJudge, judgeFields, type JudgeFile, openJudge } from './judge/judgeFile';
import { outsideEditor } from './judge/editorModels';
import { openRemote } from './remote/remote';
import { previewRemote, remoteFields, type RemoteFile } from './remote/remoteFile';
import { openRepaired, previewRepaired, repairedFields, type RepairedFile } from './repaired';

/** Closes the inner evaluator where nothing can be made of it. */
async function around(
  inner: Evaluator,
  make: (inner: Evaluator) => Evaluator | Promise<Evaluator>,
): Promise<Evaluator> {
  try {
    return await make(inner);
  } catch (error) {
    await inner.close();
    throw error;
  }
}

/** A kind of file that turns an encoder's cosines into another score. */
function metricOf<S extends { encoder: string }>(
  fields: Record<string, Shape<unknown>>,
  specOf: (said: S, path: string) => MetricSpec,
  nameOf: (own: { id: string; name: string }, encoder: string) => string,
): FileKind<S> {
  const identity = ({ id, name, path }: { id: string; name: string; path: string }, encoder: string) => ({
    id,
    name: nameOf({ id, name }, encoder),
    path,
  });
  return {
    fields,
    preview: async (said, context) => {
      const inner = await context.preview(said.encoder);
      return previewMetric(inner, specOf(said, context.path), identity(context, inner.name));
    },
    make: async (said, context) =>
      around(await context.open(said.encoder), (inner) =>
        asMetric(inner, specOf(said, context.path), identity(context, inner.info.name)),
      ),
  };
}

const aboveZero: Shape<number> = (value, at) => {
  const given = number(value, at);
  if (given <= 0) throw new ShapeError(at, 'a number above 0');
  return given;
};

interface MetricFile {
  encoder: string;
  prefix?: string;
  weight?: number;
}

const metric = (metricName: MetricName): FileKind<MetricFile> =>
  metricOf(
    {
      encoder: text,
      prefix: optional(text),
      ...(metricName === 'cosine' ? {} : { weight: optional(aboveZero) }),
    },
    ({ prefix, weight }) => metricNamed(metricName, { prefix, weight }),
    ({ id, name }, encoder) => (name === id ? `${id} (${metricName} of ${encoder})` : name),
  );

/** σ(factor · cos + bias), for SigLIP folders whose graphs do not tell the two numbers. */
const siglip = metricOf<{ encoder: string; factor: number; bias: number; prefix?: string }>(
  { encoder: text, factor: number, bias: number, prefix: optional(text) },
  ({ factor, bias, prefix = '' }, path) => ({
    scale: { name: 'sigmoid', factor, bias },
    prefix,
    note: `Scores are σ(${factor}·cos ${bias < 0 ? '−' : '+'} ${Math.abs(bias)}), as ${basename(path)} says.`,
  }),
  ({ name }) => name,
);

const remote: FileKind<RemoteFile> = {
  fields: remoteFields,
  preview: (said, { name, place }) => previewRemote({ ...said, folder: place(said.folder) }, name),
  make: (said, { place, id, name, home, allow }) =>
    openRemote({ ...said, folder: place(said.folder) }, { id, name, home, allow }),
};

const calibration: FileKind<CalibratedFile> = {
  fields: calibratedFields,
  preview: async (said, context) => previewCalibrated(await context.preview(said.encoder), context),
  make: async (said, context) => calibrated(await context.open(said.encoder), said, context),
};

const repaired: FileKind<RepairedFile> = {
  fields: repairedFields,
  preview: async (said, context) => previewRepaired(await context.preview(said.encoder), said, context),
  make: async (said, context) =>
    around(await context.open(said.encoder), (inner) => openRepaired(inner, said, context)),
};

/** A model that scores a picture and a caption together, perhaps by features of regions that were found elsewhere. */
const itm: FileKind<{ folder: string; features?: string }> = {
  fields: { folder: text, features: optional(text) },
  preview: async ({ folder, features }, { id, name, place, previewFolder, wrong }) => {
    const found = await previewFolder(folder, features === undefined ? undefined : place(features));
    if (found.kind !== 'pair-scorer') throw noPairs(wrong);
    return { ...found, name: name === id ? found.name : name };
  },
  make: async ({ folder, features }, { id, name, path, place, openFolder, wrong }) =>
    around(await openFolder(folder, features === undefined ? undefined : place(features)), (evaluator) => {
      if (evaluator.scorePairs === undefined) throw noPairs(wrong);
      return {
        ...evaluator,
        info: { ...evaluator.info, id, path, name: name === id ? evaluator.info.name : name },
      };
    }),
};

function noPairs(wrong: FileContext['wrong']): Error {
  return wrong(
    'folder',
    'this model does not score a picture and a caption together.',
    'Name its id or path itself.',
  );
}

const judges = (kind: 'judge' | 'fleur'): FileKind<JudgeFile> => ({
  fields: judgeFields,
  preview: (said, { id, name, wrong, insideEditor }) => {
    const checked = checkedJudge(kind, said, wrong);
    if (checked.url === undefined && !insideEditor) throw outsideEditor(said.model);
    return {
      name: name === id ? checked.name : name,
      scores: ['image-text'],
      sharedSpace: false,
      remote: true,
    };
  },
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
