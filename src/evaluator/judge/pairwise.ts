import { sha256Of } from '../../base/files/sha256';
import { say, type Words } from '../../base/say';
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Outcome } from '../../base/outcome';
import { jsonSchemaOf } from '../../base/schema';
import type { TextItem, Want } from '../../protocol/item';
import type { Evaluator, Measure } from '../evaluator';
import { blueSquare, canaryCaption, canaryNote, canaryPreference, canaryReference } from './canary';
import { type ChatImage, outcomeOf } from './chat';
import type { JudgeSpec } from './judge';
import { readJson } from './judgeAnswer';
import { fenced, heatOf, pairwiseOrders } from './judgePrompt';
import { consentFor } from './repeats';
import type { Ask, Manner } from './scorer';

/** Increase this number after a change to the prompt, because the change makes stored scores invalid. */
const version = 1;

/** 1 or 2 for the better caption, 0 if neither is better. */
const answer = z.strictObject({ better: z.int().check(z.minimum(0), z.maximum(2)) });
const answerSchema = jsonSchemaOf(answer);
/** The score of the first caption for each answer (0, 1 and 2). */
const firstScore = [0.5, 1, 0];

const pair = z.object({ first: z.string(), second: z.string() });

/** Encodes two captions in their order as one text, because the key of a stored score must include both. */
function pairText(first: string, second: string): string {
  return JSON.stringify({ first, second });
}

function fencedPair(text: string): string {
  const { first, second } = pair.parse(JSON.parse(text));
  return [
    fenced(first).replace('The caption', 'Caption 1'),
    fenced(second).replace('The caption', 'Caption 2'),
  ].join('\n\n');
}

/**
 * Defines a judge that says which of two captions is better. The score is 1 if the first is better, 0 if the
 * second is better, and 0.5 if neither is.
 */
export function pairwiseManner(spec: JudgeSpec): Manner {
  const { endpoint, model, rubric, side, format, settings, temperature = 0 } = spec;
  const orders = pairwiseOrders(rubric);
  const score = async (image: ChatImage | undefined, texts: string, ask: Ask): Promise<Outcome<number>> => {
    const { first: one, second: other } = pair.parse(JSON.parse(texts));
    const question = { orders, text: fencedPair(texts), image, schema: answerSchema, probabilities: false };
    const once = async (): Promise<Outcome<number>> => {
      const { text, ...form } = await ask(question);
      const read = readJson(text, answer, { ...form, sent: [one, other], thinks: spec.thinks });
      return read.ok ? { ok: true, value: firstScore[read.value.better] } : read;
    };
    const first = await once();
    return first.ok ? first : once();
  };
  return {
    sha256: sha256Of([
      ...['pairwise', version, endpoint, model, orders, fencedPair(pairText('', ''))],
      ...[side, format, settings],
    ]),
    low: 0,
    high: 1,
    notes: [say('judge.pairwise', model, heatOf(temperature))],
    score,
    test: async (ask) => {
      const scoreOf = (caption: string): Promise<Outcome<number>> =>
        outcomeOf(score(blueSquare(), pairText(caption, canaryReference), ask));
      const plain = await scoreOf(canaryCaption);
      return canaryNote(plain, await scoreOf(`${canaryCaption} ${canaryPreference}`), 1);
    },
    requests: { pair: 1, test: 2 },
    tokens: { input: Math.ceil((orders.length + 500) / 4), output: 12 },
  };
}

/** The pair's caption (`own`) and the caption to compare it with (`other`). */
function textsOf({ right, against = '' }: Want): { own: string; other: string } {
  return { own: (right as TextItem).text.trim(), other: against.trim() };
}

/** Compares two captions in both orders. The scores of both come from the same two answers. */
export function pairwise(inner: Evaluator): Evaluator {
  const { info, consent } = inner;
  return {
    info: {
      ...info,
      sha256: createHash('sha256').update(`both orders of ${info.sha256}`).digest('hex'),
      // A getter, because the inner judge adds notes during the run.
      get notes() {
        return info.notes;
      },
    },
    ...(consent === undefined ? {} : { consent: consentFor(consent, 2) }),
    derived: {
      inner,
      refuse: ({ against }) => (against === undefined ? say('judge.noOtherCaption') : undefined),
      expand: (want) => {
        const { own, other } = textsOf(want);
        if (own === other) return [];
        const [a, b] = [own, other].sort();
        return [pairText(a, b), pairText(b, a)].map((text) => ({
          left: want.left,
          right: { kind: 'text', text },
        }));
      },
      combine: (want, [first, second]) => {
        const { own, other } = textsOf(want);
        if (own === other) return 0.5;
        const ofFirst = (first + 1 - second) / 2;
        return own < other ? ofFirst : 1 - ofFirst;
      },
      measure: positionBias,
    },
    close: () => inner.close(),
  };
}

/** How the order affects the answers: for each, the scores of the caption shown first, by order. */
function positionBias(answers: readonly (readonly number[])[]): Measure[] {
  if (answers.length === 0) return [];
  const measure = (id: string, shares: readonly number[], note: Words): Measure => ({
    ...{ id, n: shares.length, note, shares },
    value: shares.reduce((sum, share) => sum + share, 0) / shares.length,
  });
  return [
    measure(
      'judge.first',
      answers.map(([one, other]) => (one + other) / 2),
      say('judge.firstMeaning'),
    ),
    measure(
      'judge.consistent',
      answers.map(([one, other]) => (one + other === 1 ? 1 : 0)),
      say('judge.consistentMeaning'),
    ),
  ];
}
