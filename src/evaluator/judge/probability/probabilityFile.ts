import * as z from 'zod/mini';
import { sha256Of } from '../../../base/files/sha256';
import { CaptiousError, evaluatorError } from '../../../base/errors';
import type { Outcome } from '../../../base/outcome';
import { optionalKey, wholeNumber } from '../../../base/schema';
import { say, type Words } from '../../../base/say';
import type { Evaluator } from '../../evaluator';
import type { FileContext } from '../../fileContext';
import { blueSquare, canaryCaption } from '../canary';
import { outcomeOf } from '../chat';
import { editorScheme } from '../editorModels';
import {
  chatAt,
  type ChatContext,
  checkedEndpoint,
  endpointFields,
  openEndpoint,
  waysOf,
} from '../endpoint/endpointFile';
import { JudgeMemory } from '../judgeMemory';
import { answerProbability, meanLogProbability, smallestProbability } from './probability';
import { ChatScorer, type Manner, type PreparedScorer, type ScorerSpec } from '../scorer';

/** VQAScore's question (Lin et al., 2024). */
export const vqaTemplate = 'Does this figure show "{caption}"? Please answer yes or no.';
const describeTemplate = 'Describe the image.';
const hole = '{caption}';

export const vqaScoreFile = z.object({
  ...endpointFields,
  template: optionalKey(
    z.string(),
    `The question, with ${hole} in place of the caption (default: VQAScore's).`,
  ),
  answer: optionalKey(z.string(), 'The answer whose probability is the score (default Yes).'),
  alternatives: optionalKey(wholeNumber, 'How many probable first tokens to request (default 20).'),
});
type VqaScoreFile = z.infer<typeof vqaScoreFile>;

export const likelihoodFile = z.object({
  ...endpointFields,
  template: optionalKey(z.string(), `The instruction before the caption (default: ${describeTemplate})`),
});
type LikelihoodFile = z.infer<typeof likelihoodFile>;

export type ProbabilityKind = 'vqascore' | 'likelihood';

/** Checks the whole file without contacting the endpoint. */
export function checkedProbability(
  kind: ProbabilityKind,
  said: VqaScoreFile | LikelihoodFile,
  wrong: FileContext['wrong'],
): { name: string } {
  if (said.endpoint === editorScheme)
    throw wrong('endpoint', say('judge.editorLacksLogprobs'), say('judge.useJudgeOrEndpoint'));
  waysOf(said, wrong);
  if (kind === 'vqascore') {
    const { template = vqaTemplate, answer = 'Yes', alternatives = 20 } = said as VqaScoreFile;
    if (!template.includes(hole)) throw wrong('template', say('judge.templateHoleMissing', hole));
    if (!/^\S+$/.test(answer)) throw wrong('answer', say('judge.oneWordExpected'));
    if (alternatives < 1) throw wrong('alternatives', say('judge.oneOrMoreExpected'));
  } else if (said.template?.includes(hole) === true)
    throw wrong('template', say('judge.templateHoleForbidden', hole), say('judge.removeTemplateHole', hole));
  return { name: `${kind} of ${checkedEndpoint(said, wrong).name}` };
}

export async function openProbability(...given: Parameters<typeof prepareProbability>): Promise<Evaluator> {
  return new ChatScorer(await prepareProbability(...given));
}

export async function prepareProbability(
  kind: ProbabilityKind,
  said: VqaScoreFile | LikelihoodFile,
  context: ChatContext,
): Promise<PreparedScorer> {
  const { name: usual } = checkedProbability(kind, said, context.wrong);
  const { spec: shared, ...opened } = await openEndpoint(said, context);
  const name = context.name === context.id ? usual : context.name;
  const spec: ScorerSpec = { ...shared, name, settings: [opened.search, opened.seed] };
  const manner = kind === 'vqascore' ? vqaScore(spec, said) : likelihood(spec, said);
  const judge = { spec, sha256: manner.sha256, memory: new JudgeMemory(context.home) };
  const asked = await chatAt(opened, said, { dialect: { format: 'none' } }, judge, context);
  return { spec, manner, ...asked };
}

function hashOf(kind: ProbabilityKind, spec: ScorerSpec, own: readonly unknown[]): string {
  const { endpoint, model, side, format, settings } = spec;
  return sha256Of([kind, 1, endpoint, model, side, format, settings, ...own]);
}

function vqaScore(
  spec: ScorerSpec,
  { template = vqaTemplate, answer = 'Yes', alternatives = 20 }: VqaScoreFile,
): Manner {
  const score: Manner['score'] = async (image, caption, ask) => {
    const text = template.replaceAll(hole, () => caption);
    const { tokens } = await ask({ text, image, probabilities: true, alternatives, maxTokens: 1 });
    if (tokens === undefined) throw noProbabilities(spec, 'vqascore');
    return answerProbability(tokens, answer);
  };
  return {
    sha256: hashOf('vqascore', spec, [template, answer, alternatives]),
    low: 0,
    high: 1,
    notes: [
      say('judge.vqascore', answer, spec.model, template),
      say('judge.unlistedIsZero', smallestProbability),
    ],
    ...asking(template, score),
  };
}

function likelihood(spec: ScorerSpec, { template = describeTemplate }: LikelihoodFile): Manner {
  const score: Manner['score'] = async (image, caption, ask) => {
    if (caption.trim() === '') return { ok: false, problem: say('judge.emptyCaption') };
    const { prompt } = await ask({
      ...{ text: template, image, probabilities: false, maxTokens: 1 },
      reply: caption.trim(),
    });
    if (prompt === undefined) throw noProbabilities(spec, 'likelihood');
    return meanLogProbability(prompt, caption);
  };
  return {
    sha256: hashOf('likelihood', spec, [template]),
    high: 0,
    notes: [say('judge.likelihood', spec.model, template)],
    ...asking(template, score),
  };
}

/** How to ask one question per pair, whose answer is one token. */
function asking(
  template: string,
  score: Manner['score'],
): Pick<Manner, 'score' | 'test' | 'requests' | 'tokens'> {
  return {
    score,
    test: async (ask) => testNote(await outcomeOf(score(blueSquare(), canaryCaption, ask))),
    requests: { pair: 1, test: 1 },
    tokens: { input: Math.ceil((template.length + 60) / 4), output: 1 },
  };
}

function noProbabilities({ path, endpoint }: ScorerSpec, kind: ProbabilityKind): CaptiousError {
  return kind === 'vqascore'
    ? evaluatorError(say('judge.vqascoreNeedsLogprobs'), say('judge.vqascoreChangeServer'), path ?? endpoint)
    : new CaptiousError('evaluator', say('judge.likelihoodNeedsLogprobs'), {
        at: path ?? endpoint,
        remedy: say('judge.likelihoodChangeServer'),
      });
}

function testNote(found: Outcome<number>): Words {
  return found.ok
    ? say('judge.falseCaptionScore', found.value.toPrecision(3))
    : say('judge.falseCaptionUnscored', found.problem);
}
