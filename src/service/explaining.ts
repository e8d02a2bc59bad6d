import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { FileExplainer, usualFill } from '../audit/explain/explainFile';
import { OutlinedObjects } from '../audit/explain/objects';
import type { AnswerOf, AskOf, CallContext } from '../base/calls';
import { CaptiousError } from '../base/errors';
import { say } from '../base/say';
import { findInstances } from '../dataset/instances';
import { jpegSize } from '../dataset/images/jpegSize';
import type { Evaluator, EvaluatorInfo } from '../evaluator/evaluator';
import { explain, explainTwo, frugal, optionsFor } from '../explain/explain';
import type { ObjectsToHide } from '../explain/objects';
import type { Target } from '../explain/scorer';
import type { ImageItem } from '../protocol/item';
import type { readerRequests } from '../protocol/service';
import { explanationPdf, explanationSvg, explanationTex } from '../report/explanation/page';
import { readReport } from '../report/report';
import { costly, type OpenEvaluators, refuse } from './openEvaluators';

/** Explains the score of the caption at a line. The answer is JSON text. */
export async function explainLine(
  asked: AskOf<typeof readerRequests, 'explain'>,
  { signal }: CallContext,
): Promise<string> {
  const { path: dataset, line, evaluator, regions, images, home, python: usual } = asked;
  const explainer = await FileExplainer.open({
    ...{ dataset, evaluator, images, home, signal },
    python: { usual, confirm: true },
    allow: async (consent) => refuse(consent),
  });
  try {
    const { info } = explainer.evaluator;
    if (info.kind === 'judge') throw costly(info);
    const objects = regions === 'objects' ? { fill: usualFill } : undefined;
    return JSON.stringify(await explainer.explain(await explainer.find({ line }), { objects, options: {} }));
  } finally {
    await explainer.close();
  }
}

/** The influence of the words of a caption, by the report's evaluator and with the store of runs. */
export async function wordInfluence(
  { report, caption, against, home, allowed }: AskOf<typeof readerRequests, 'wordInfluence'>,
  image: ImageItem | undefined,
  evaluators: OpenEvaluators,
  { signal }: CallContext,
): Promise<AnswerOf<typeof readerRequests, 'wordInfluence'>> {
  const { evaluator: info } = await readReport(report);
  const opened = await evaluators.of(info, home, allowed.evaluators, allowed.python);
  const isImage = image !== undefined && opened.evaluator.info.scores.includes('image-text');
  const pair = { caption, target: isImage ? { image } : { text: against } };
  const options = optionsFor(opened.evaluator, { method: 'leave-one-out', grid: undefined });
  const { words } = await explain({ ...opened, signal }, pair, options);
  return words.map(({ start, end, influence }) => ({ start, end, influence }));
}

type WhyAsk = AskOf<typeof readerRequests, 'why'>;

/** The image of a caption and where its dataset is, as far as the report may use them. */
export interface SeenImage {
  image?: ImageItem | undefined;
  dataset?: string | undefined;
}

/** Outlines that were read last, because their file may be large. */
let outlined: { path: string; readAt: number; objects: OutlinedObjects } | undefined;

function outlinedIn(path: string): OutlinedObjects {
  const readAt = statSync(path).mtimeMs;
  if (outlined?.path !== path || outlined.readAt !== readAt)
    outlined = { path, readAt, objects: new OutlinedObjects(path) };
  return outlined.objects;
}

/** The file of objects next to a dataset. A part of an image has other coordinates. */
function objectsFile({ image, dataset }: SeenImage): string | undefined {
  if (image === undefined || dataset === undefined || image.transforms.length > 0) return undefined;
  return existsSync(dirname(dataset)) ? findInstances(dataset) : undefined;
}

/** Why a caption of a report has its score. `small` makes the image for a figure. */
export async function why(
  ask: WhyAsk,
  seen: SeenImage,
  small: () => Promise<Uint8Array>,
  evaluators: OpenEvaluators,
  { signal }: CallContext,
): Promise<AnswerOf<typeof readerRequests, 'why'>> {
  const { text: caption, other, depth, over, to, home, allowed } = ask;
  const { evaluator: info, dataset } = await readReport(ask.report);
  rejectUnlessScoring(info);
  const opened = await evaluators.of(info, home, allowed.evaluators, allowed.python);
  const { evaluator } = opened;
  const target = targetOf(ask, seen.image, evaluator);
  const [parts, pair] = [
    { ...opened, signal },
    { caption, target },
  ];
  const usual = optionsFor(evaluator);
  const isFast = depth === 'first' || depth === 'map';
  const hides = depth === 'first' || depth === 'words' ? undefined : (over ?? 'grid');
  const options = {
    ...usual,
    ...(isFast ? frugal : {}),
    ...(hides === 'grid' ? {} : { grid: undefined }),
    ...(hides === 'objects' ? { objects: objectsOf(seen) } : {}),
    table: usual.table || depth === 'table',
  };
  const explained = await explain(parts, pair, options);
  const isChange = !isFast && other !== undefined && other !== caption && 'image' in target;
  const change = isChange ? await explainTwo(parts, pair, other, options) : undefined;
  const answer = {
    ...{
      ...explained,
      hasOutlines: (explained.regions ?? explained.objects) !== undefined && hasObjects(seen),
    },
    ...(change === undefined ? {} : { change }),
  };
  if (to === undefined) return answer;
  const shown = { ...answer, evaluator: { name: evaluator.info.name }, dataset: dataset.path, example: '' };
  if (to === 'tex') return { ...answer, written: explanationTex({ explained: shown }) };
  const bytes = (explained.regions ?? explained.objects) === undefined ? undefined : await small();
  const size = bytes && jpegSize(bytes);
  const image = bytes && size && { type: 'image/jpeg' as const, bytes, ...size };
  if (to === 'pdf') return { ...answer, bytes: await explanationPdf({ explained: shown, image }) };
  return { ...answer, written: explanationSvg({ explained: shown, image }) };
}

/** Asked only for an image whose regions are shown, because the file may be large. A broken file is an error once it is used. */
function hasObjects(seen: SeenImage): boolean {
  const path = objectsFile(seen);
  if (path === undefined) return false;
  try {
    return outlinedIn(path).has(seen.image!, path);
  } catch {
    return true;
  }
}

function objectsOf(seen: SeenImage): ObjectsToHide {
  const path = objectsFile(seen);
  if (path === undefined || seen.image === undefined)
    throw new CaptiousError('input', say('explain.noObjectsFile'), {
      at: seen.dataset,
      remedy: say('explain.nameObjectsFile'),
    });
  return outlinedIn(path).in(seen.image, usualFill, path);
}

/** Refuses before a model is loaded: explaining takes many scores, which may cost money or do not exist. */
function rejectUnlessScoring({ kind, name, path }: EvaluatorInfo): void {
  if (kind === 'judge')
    throw new CaptiousError('evaluator', say('service.captionsCostMoney', name), {
      at: path,
      remedy: say('explain.onCommandLine'),
    });
  if (kind === 'scores')
    throw new CaptiousError('evaluator', say('explain.onlyGivenScores', name), {
      at: path,
      remedy: say('explain.chooseScoring'),
    });
}

function targetOf(
  { text: caption, other, image: name, report }: WhyAsk,
  image: ImageItem | undefined,
  { info, references: all }: Evaluator,
): Target {
  if (!info.scores.includes('image-text') || name === undefined) {
    if (other === undefined)
      throw new CaptiousError('usage', say('explain.scoresNoImages', info.name), {
        remedy: say('explain.chooseScoring'),
      });
    return { text: other };
  }
  if (image === undefined)
    throw new CaptiousError('input', say('editor.imageNotFound', name), {
      at: report,
      remedy: say('editor.addImageFolderSetting'),
    });
  // As in a run, the caption and what it is compared with are no references.
  const references = all?.of(name).filter((each) => each !== caption && each !== other);
  return { image, ...(references === undefined ? {} : { references }) };
}
