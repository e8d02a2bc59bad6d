import { basename } from 'node:path';
import * as z from 'zod/mini';
import { calibrated, calibratedFile, type CalibratedFile, previewCalibrated } from './calibrated';
import { asMetric, type MetricName, metricNamed, type MetricSpec, previewMetric } from './clipscore';
import type { Evaluator } from './evaluator';
import { embeddings } from './embeddings/embeddingsFile';
import type { FileContext, FileKind, KindPreview, Wish } from './fileContext';
import { captionPrefix, encoderRef, modelFolder, resampler } from './fileFields';
import { checkedJudge, judgeFile, type JudgeFile, openJudge } from './judge/judgeFile';
import { outsideEditor } from './judge/editorModels';
import {
  checkedProbability,
  likelihoodFile,
  openProbability,
  type ProbabilityKind,
  vqaScoreFile,
} from './judge/probability/probabilityFile';
import { previewPython, pythonFile, type PythonFile, pythonSaid } from './python/pythonFile';
import { openRemote } from './remote/remote';
import { previewRemote, remoteFile, type RemoteFile } from './remote/remoteFile';
import { previewReranked, reranked, rerankFile, type RerankFile } from './ranking/rerank';
import { openRepaired, previewRepaired, repairedFile, type RepairedFile } from './repaired';
import { say } from '../base/say';
import { optionalKey } from '../base/schema';

/** Makes an evaluator from an inner evaluator. Closes the inner evaluator if `make` fails. */
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

function wishOf({ resize }: Wish): Wish {
  return resize === undefined ? {} : { resize };
}

function refuseIdleResize(
  { resize }: Wish,
  { imageKey, pairKey, remote }: { imageKey?: string; pairKey?: string; remote?: boolean },
  { wrong }: Pick<FileContext, 'wrong'>,
): void {
  if (resize === undefined || remote === true || imageKey !== undefined || pairKey !== undefined) return;
  throw wrong('resize', say('evaluator.encoderLacksImages'), say('evaluator.removeKey'));
}

/** Defines a kind of file that computes scores from the cosines of an encoder. */
function metricOf<S extends { encoder: string } & Wish>(
  schema: z.ZodMiniObject,
  specOf: (said: S, path: string) => MetricSpec,
  nameOf: (own: { id: string; name: string }, encoder: string) => string,
): FileKind<S> {
  const identity = ({ id, name, path }: { id: string; name: string; path: string }, encoder: string) => ({
    id,
    name: nameOf({ id, name }, encoder),
    path,
  });
  return {
    schema,
    preview: async (said, context) => {
      const inner = await context.preview(said.encoder, wishOf(said));
      refuseIdleResize(said, inner, context);
      return previewMetric(inner, specOf(said, context.path), identity(context, inner.name));
    },
    make: async (said, context) =>
      around(await context.open(said.encoder, wishOf(said)), (inner) => {
        refuseIdleResize(said, inner.info, context);
        return asMetric(inner, specOf(said, context.path), identity(context, inner.info.name));
      }),
  };
}

const cosineFile = z.object({ encoder: encoderRef, prefix: captionPrefix, resize: resampler });
const weightedFile = z.extend(cosineFile, {
  weight: optionalKey(z.number().check(z.gt(0)), 'Factor of the clipped cosine.'),
});
const siglipFile = z.extend(cosineFile, { factor: z.number(), bias: z.number() });

const metric = (metricName: MetricName): FileKind<z.infer<typeof weightedFile>> =>
  metricOf(
    metricName === 'cosine' ? cosineFile : weightedFile,
    ({ prefix, weight }) => metricNamed(metricName, { prefix, weight }),
    ({ id, name }, encoder) => (name === id ? `${id} (${metricName} of ${encoder})` : name),
  );

/** Scores are σ(factor · cos + bias), for SigLIP model folders whose ONNX graphs lack the factor and the bias. */
const siglip = metricOf<z.infer<typeof siglipFile>>(
  siglipFile,
  ({ factor, bias, prefix = '' }, path) => ({
    scale: { name: 'sigmoid', factor, bias },
    prefix,
    note: say('evaluator.calibratedSigmoid', factor, bias < 0 ? '−' : '+', Math.abs(bias), basename(path)),
  }),
  ({ name }) => name,
);

const remote: FileKind<RemoteFile> = {
  schema: remoteFile,
  preview: (said, { name, place }) => previewRemote({ ...said, folder: place(said.folder) }, name),
  make: (said, { place, id, name, home, allow }) =>
    openRemote({ ...said, folder: place(said.folder) }, { id, name, home, allow }),
};

const python: FileKind<PythonFile> = {
  schema: pythonFile,
  preview: (said, context) => previewPython(pythonSaid(said, context), context.name),
  make: async (said, context) => {
    const { id, name, path } = context;
    return context.openPython(pythonSaid(said, context), { id, path, ...(name === id ? {} : { name }) });
  },
};

const calibration: FileKind<CalibratedFile> = {
  schema: calibratedFile,
  preview: async (said, context) => previewCalibrated(await context.preview(said.encoder), context),
  make: async (said, context) => calibrated(await context.open(said.encoder), said, context),
};

const repaired: FileKind<RepairedFile> = {
  schema: repairedFile,
  preview: async (said, context) => previewRepaired(await context.preview(said.encoder), said, context),
  make: async (said, context) =>
    around(await context.open(said.encoder), (inner) => openRepaired(inner, said, context)),
};

const rerank: FileKind<RerankFile> = {
  schema: rerankFile,
  preview: async (said, context) =>
    previewReranked(await context.preview(said.encoder), await context.preview(said.scorer), context),
  make: async (said, context) =>
    around(await context.open(said.encoder), async (encoder) =>
      around(await context.open(said.scorer), (scorer) => reranked(encoder, scorer, said, context)),
    ),
};

const itmFile = z.object({
  folder: modelFolder,
  features: optionalKey(
    z.string(),
    "Folder with the images' region features: dogs/1.npy for the image dogs/1.jpg.",
  ),
  resize: resampler,
});

/** A model folder that scores an image and a caption together. Some models need precomputed region features. */
const itm: FileKind<z.infer<typeof itmFile>> = {
  schema: itmFile,
  preview: async ({ folder, features, ...wish }, { id, name, place, previewFolder, wrong }) => {
    const found = await previewFolder(
      folder,
      features === undefined ? undefined : place(features),
      wishOf(wish),
    );
    if (found.kind !== 'pair-scorer') throw noPairs(wrong);
    return { ...found, name: name === id ? found.name : name };
  },
  make: async ({ folder, features, ...wish }, { id, name, path, place, openFolder, wrong }) =>
    around(
      await openFolder(folder, features === undefined ? undefined : place(features), wishOf(wish)),
      (evaluator) => {
        if (evaluator.scorePairs === undefined) throw noPairs(wrong);
        return {
          ...evaluator,
          info: { ...evaluator.info, id, path, name: name === id ? evaluator.info.name : name },
        };
      },
    ),
};

function noPairs(wrong: FileContext['wrong']): Error {
  return wrong('folder', say('evaluator.notJointModel'), say('evaluator.giveModelInstead'));
}

function overEndpoint(name: string): KindPreview {
  return { name, scores: ['image-text'], sharedSpace: false, remote: true };
}

const judges = (kind: 'judge' | 'fleur'): FileKind<JudgeFile> => ({
  schema: judgeFile,
  preview: (said, { id, name, wrong, insideEditor }) => {
    const checked = checkedJudge(kind, said, wrong);
    if (checked.url === undefined && !insideEditor) throw outsideEditor(said.model);
    return overEndpoint(name === id ? checked.name : name);
  },
  make: (said, context) => openJudge(kind, said, context),
});

const probability = <S extends z.infer<typeof vqaScoreFile>>(
  kind: ProbabilityKind,
  schema: z.ZodMiniObject,
): FileKind<S> => ({
  schema,
  preview: (said, { id, name, wrong }) => {
    const usual = checkedProbability(kind, said, wrong).name;
    return overEndpoint(name === id ? usual : name);
  },
  make: (said, context) => openProbability(kind, said, context),
});

export const kinds = {
  clipscore: metric('clipscore'),
  'pac-s': metric('pac-s'),
  cosine: metric('cosine'),
  siglip,
  itm,
  judge: judges('judge'),
  fleur: judges('fleur'),
  vqascore: probability('vqascore', vqaScoreFile),
  likelihood: probability('likelihood', likelihoodFile),
  calibrated: calibration,
  repaired,
  rerank,
  remote,
  python,
  embeddings,
} satisfies Record<string, FileKind<never>>;

export const fileKinds: readonly string[] = Object.keys(kinds);
