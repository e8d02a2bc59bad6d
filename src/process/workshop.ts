/*
 * The process behind the triplet workshop and the human check. It mines candidates, checks and scores captions
 * while they are typed, and draws samples.
 */
import { createHash } from 'node:crypto';
import type { Bench } from '../bench/bench';
import { drawReport } from '../annotation/drawReport';
import { createBench } from '../bench/createBench';
import { type AskOf, type CallContext, serving } from '../base/calls';
import { CaptiousError, messageOf, throwIfCancelled, untilCancelled } from '../base/errors';
import { chunksOf } from '../base/files/readFile';
import { say } from '../base/say';
import { openDataset } from '../dataset/open';
import { helperRequests, type PhotoPlace, type Readings, type ThreeTexts } from '../protocol/workshop';
import type { Consent, Evaluator } from '../evaluator/evaluator';
import type { ImageItem, TextItem, Want } from '../protocol/item';
import { openEvaluator } from '../evaluator/open';
import { lint } from '../mining/lint';
import { mine, wayFor } from '../mining/mine';
import { variantRows } from '../report/variantRows';
import { Photos } from '../rows/images';
import { serveParent, whileAlive } from './serveParent';

type Asked<N extends keyof typeof helperRequests> = AskOf<typeof helperRequests, N>;

const largestSide = 1024;
const photos = new Photos();
/** This bench has no store, because the captions are unfinished and another process may use the store. */
const bench: Bench = createBench({});
let opened: { key: string; evaluator: Promise<Evaluator> } | undefined;

const serve = serving(helperRequests, {
  mine: whileAlive(async ({ dataset: path, seed, limit }: Asked<'mine'>, { signal }) => {
    const dataset = await openDataset(path, { signal });
    const how = wayFor(dataset);
    const { halves } = await mine(dataset, how, { seed, limit, signal });
    return { how, sha256: await sha256(path, signal), halves };
  }),
  read: whileAlive(read),
  photo: async ({ photo: { dataset, images, name }, side, transforms }) => {
    if ((await photos.find(dataset, images, name)) === undefined) return {};
    return { bytes: await photos.small(dataset, images, name, Math.min(side, largestSide), transforms) };
  },
  sample: whileAlive(async ({ report: path, perFamily, seed }: Asked<'sample'>, { signal }) => {
    const from = await variantRows(path, signal);
    const drawn = await drawReport(from, { perFamily, quotas: {}, seed });
    const { dataset, rowsSha256 } = from.report;
    return { ...drawn, probe: from.probe, dataset: dataset.path, rowsSha256 };
  }),
});

async function read(
  { texts, evaluator: ref, python, home, photo }: Asked<'read'>,
  { signal }: CallContext,
): Promise<Readings> {
  const findings = lint(texts);
  try {
    const evaluator = await evaluatorOf(ref, home, python);
    return { ...(await scores(evaluator, texts, photo, signal)), findings };
  } catch (error) {
    throwIfCancelled(signal);
    if (!(error instanceof CaptiousError)) throw error;
    return { findings, problem: messageOf(error) };
  }
}

async function scores(
  evaluator: Evaluator,
  { caption, second, negative }: ThreeTexts,
  photo: PhotoPlace | undefined,
  signal: AbortSignal,
): Promise<Pick<Readings, 't2t' | 'i2t' | 'problem'>> {
  if ([caption, second, negative].some((text) => text.trim() === '')) return {};
  const [p1, p2, n] = [caption, second, negative].map((text): TextItem => ({ kind: 'text', text }));
  const out: Pick<Readings, 't2t' | 'i2t' | 'problem'> = {};
  if (evaluator.info.scores.includes('text-text')) {
    const found = await numbers(
      evaluator,
      [
        { left: p1, right: p2 },
        { left: p1, right: n },
        { left: p2, right: n },
      ],
      signal,
    );
    if (typeof found === 'string') out.problem = found;
    else out.t2t = { p1p2: found[0], p1n: found[1], p2n: found[2] };
  }
  const picture =
    photo !== undefined && evaluator.info.scores.includes('image-text') ? await pictureOf(photo) : undefined;
  if (picture !== undefined) {
    const found = await numbers(
      evaluator,
      [p1, p2, n].map((right): Want => ({ left: picture, right })),
      signal,
    );
    if (typeof found === 'string') out.problem = found;
    else out.i2t = { p1: found[0], p2: found[1], n: found[2] };
  }
  return out;
}

/** The scores, or the error of the first failed pair. */
async function numbers(evaluator: Evaluator, wants: Want[], signal: AbortSignal): Promise<number[] | string> {
  const outcomes = await bench.scores(evaluator, wants, signal);
  const failed = outcomes.find((outcome) => !outcome.ok);
  if (failed !== undefined && !failed.ok) return failed.problem;
  return outcomes.map((outcome) => (outcome.ok ? outcome.value : NaN));
}

async function pictureOf({ dataset, images, name }: PhotoPlace): Promise<ImageItem | undefined> {
  const source = await photos.find(dataset, images, name);
  return source && { kind: 'image', source, transforms: [] };
}

/** Keeps one evaluator open and closes the previous one. */
async function evaluatorOf(ref: string, home: string, python?: readonly string[]): Promise<Evaluator> {
  const key = JSON.stringify([ref, home, python]);
  if (opened?.key !== key) {
    const before = opened;
    const evaluator = openAllowed(ref, home, python);
    // A failed evaluator is not kept, because it may be installed before the next request.
    evaluator.catch(() => {
      if (opened?.key === key) opened = undefined;
    });
    opened = { key, evaluator };
    void before?.evaluator.then(
      (old) => old.close(),
      () => undefined,
    );
  }
  return opened.evaluator;
}

/** Uses an endpoint or code only with earlier consent, because typing a caption must not ask for consent. */
async function openAllowed(ref: string, home: string, usual?: readonly string[]): Promise<Evaluator> {
  const refuse = ({ endpoint, given, runs }: Consent): void => {
    if (given) return;
    if (runs)
      throw new CaptiousError(
        'usage',
        say`The code of this evaluator was not run, because it needs your consent.`,
        {
          at: endpoint,
          remedy: say`Audit a file with this evaluator. Captious asks before it runs the code.`,
        },
      );
    throw new CaptiousError(
      'usage',
      say`Nothing was sent, because you have not allowed requests to this endpoint yet.`,
      {
        at: endpoint,
        remedy: say`Audit a file with this evaluator first. Captious asks once for each endpoint, before the first request.`,
      },
    );
  };
  const evaluator = await openEvaluator(ref, {
    home,
    allow: (consent) => Promise.resolve(refuse(consent)),
    python: { usual, confirm: true },
  });
  try {
    if (evaluator.consent !== undefined) refuse(evaluator.consent);
    return evaluator;
  } catch (error) {
    await evaluator.close();
    throw error;
  }
}

async function sha256(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of untilCancelled(chunksOf(path), signal)) hash.update(chunk);
  return hash.digest('hex');
}

serveParent(serve, () => Promise.resolve());
