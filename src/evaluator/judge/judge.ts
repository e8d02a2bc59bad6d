import { sha256Of } from '../../base/files/sha256';
import { CaptiousError } from '../../base/errors';
import type { Outcome } from '../../base/outcome';
import { say, type Words } from '../../base/say';
import type { Evaluator } from '../evaluator';
import { blueSquare, canaryCaption, canaryNote, canaryOrder, canaryReference } from './canary';
import { type ChatModel, type ChatImage, outcomeOf } from './chat';
import { answerSchema, answerSchema100, readFleur, readScore } from './judgeAnswer';
import {
  comparisonText,
  fenced,
  fencedComparison,
  ordersOf,
  type ReferencePrompt,
  textsCompared,
  heatOf,
} from './judgePrompt';
import { type Ask, ChatScorer, type Manner, type ScorerParts, type ScorerSpec } from './scorer';

export interface JudgeSpec extends ScorerSpec {
  kind: 'judge' | 'fleur';
  rubric: string;
  /** Set if the judge compares captions with references. Each text then contains both (see `comparisonText`). */
  prompt?: ReferencePrompt;
  /** 0 by default. `own` if the model's temperature is fixed, so that no temperature is sent. */
  temperature?: number | 'own';
  /** Whether the file says that the model thinks before it answers. */
  thinks?: boolean;
}

/** Increase this number after a change to the prompt, because the change makes stored scores invalid. */
const judgeVersion = 1;

/** Makes an evaluator that asks a chat model to grade captions by a rubric. */
export function createJudge(spec: JudgeSpec, model: ChatModel, parts: ScorerParts): Evaluator {
  return new ChatScorer({ spec, manner: judgeManner(spec), model, parts });
}

export function judgeSha256(spec: JudgeSpec): string {
  const { kind, endpoint, model, rubric, prompt, side, format, settings } = spec;
  const question = prompt === undefined ? fenced('') : fencedComparison(comparisonText('', ['']));
  const orders = ordersOf(kind, rubric, prompt);
  return sha256Of([judgeVersion, kind, endpoint, model, orders, question, side, format, settings]);
}

/** The approximate number of tokens of five references, each wrapped by `fenced`. */
const tokensPerReferences = 350;

/** Defines a judge's prompts and how to read its answers. */
export function judgeManner(spec: JudgeSpec): Manner {
  const { kind, prompt } = spec;
  const orders = ordersOf(kind, spec.rubric, prompt);
  const high = kind === 'judge' && prompt === undefined ? 10 : 1;
  /** Asks again once after an invalid answer. After a second invalid answer, the pair has no score. */
  const score: Manner['score'] = async (image, caption, ask) => {
    const text = prompt === undefined ? fenced(caption) : fencedComparison(caption);
    const sent = prompt === undefined ? [caption] : textsCompared(caption);
    const question = { orders, text, sent, ...(image === undefined ? {} : { image }) };
    const once = (): Promise<Outcome<number>> =>
      kind === 'judge' || prompt === 'clair' ? askJudge(question, ask, spec) : askFleur(question, ask, spec);
    const first = await once();
    return first.ok ? first : once();
  };
  return {
    sha256: judgeSha256(spec),
    low: 0,
    high,
    notes: [noteOf(spec)],
    ...(prompt === 'clair' ? { blind: true } : {}),
    sends:
      prompt === undefined
        ? say('judge.sendsCaptionsImages')
        : prompt === 'clair'
          ? say('judge.sendsCaptionsReferences')
          : say('judge.sendsCaptionsReferencesImages'),
    score,
    test: async (ask) => {
      const image = prompt === 'clair' ? undefined : blueSquare();
      const scoreOf = (caption: string): Promise<Outcome<number>> =>
        outcomeOf(
          score(image, prompt === undefined ? caption : comparisonText(caption, [canaryReference]), ask),
        );
      const order = canaryOrder(prompt === 'clair' ? 100 : high);
      const plain = await scoreOf(canaryCaption);
      return canaryNote(plain, await scoreOf(`${canaryCaption} ${order}`), high);
    },
    requests: { pair: 1, test: 2 },
    tokens: {
      input: Math.ceil((orders.length + 250) / 4) + (prompt === undefined ? 0 : tokensPerReferences),
      output: 12,
    },
  };
}

function noteOf({ kind, prompt, model, temperature = 0 }: JudgeSpec): Words {
  const heat = heatOf(temperature);
  if (prompt === 'clair') return say('judge.clair', model, heat);
  if (kind === 'judge') return say('judge.fixedRubric', model, heat);
  return say('judge.smoothed', prompt === undefined ? 'FLEUR' : 'RefFLEUR', model, heat);
}

interface Asked {
  orders: string;
  text: string;
  /** The captions in `text`. */
  sent: readonly string[];
  image?: ChatImage;
}

/** Asks for a grade. CLAIR's, from 0 to 100, becomes a score from 0 to 1. */
async function askJudge(
  { sent, ...question }: Asked,
  ask: Ask,
  { thinks, prompt }: JudgeSpec,
): Promise<Outcome<number>> {
  const isClair = prompt === 'clair';
  const schema = isClair ? answerSchema100 : answerSchema;
  const { text, ...form } = await ask({ ...question, schema, probabilities: false });
  const score = readScore(text, isClair ? 100 : 10, { ...form, sent, thinks });
  return score.ok ? { ok: true, value: score.value / (isClair ? 100 : 1) } : score;
}

async function askFleur({ sent, ...question }: Asked, ask: Ask, spec: JudgeSpec): Promise<Outcome<number>> {
  const { text, tokens, plain } = await ask({ ...question, probabilities: true });
  if (tokens !== undefined) return readFleur(text, tokens, { plain, sent, thinks: spec.thinks });
  throw new CaptiousError('evaluator', say('judge.fleurNeedsLogprobs'), {
    at: spec.path ?? spec.endpoint,
    remedy: say('judge.fleurChangeServer'),
  });
}
