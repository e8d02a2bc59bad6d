import * as z from 'zod/mini';
import { optionalKey, wholeNumber } from '../../base/schema';
import { say } from '../../base/say';
import { openEditorJudge } from './editorJudge';
import { editorScheme } from './editorModels';
import {
  chatAt,
  type ChatContext,
  checkedEndpoint,
  endpointFields,
  type EndpointWays,
  openEndpoint,
  waysOf,
} from './endpoint/endpointFile';
import type { Evaluator } from '../evaluator';
import type { FileContext } from '../fileContext';
import { judgeManner, type JudgeSpec } from './judge';
import { JudgeMemory } from './judgeMemory';
import {
  defaultRubric,
  fleurRubric,
  pairwiseRubric,
  referencePrompts,
  referenceRubrics,
} from './judgePrompt';
import { pairwise, pairwiseManner } from './pairwise';
import { judgeWithReferences } from './referenceJudge';
import { repeated } from './repeats';
import { ChatScorer, type PreparedScorer } from './scorer';

const efforts = ['minimal', 'low', 'medium', 'high'] as const;

export const judgeFile = z.object({
  ...endpointFields,
  rubric: optionalKey(z.string(), 'The instructions for the model.'),
  prompt: optionalKey(
    z.enum(referencePrompts),
    'A prompt that compares the caption with reference captions: clair (kind judge, without the image) or reffleur (kind fleur).',
  ),
  ask: optionalKey(
    z.enum(['grade', 'pairwise']),
    'Whether the judge grades a caption (default), or compares it with another caption of the image in both orders.',
  ),
  format: optionalKey(
    z.enum(['json_schema', 'json_object', 'none']),
    'How to request JSON. By default Captious finds out what the server accepts.',
  ),
  temperature: optionalKey(
    z.number().check(z.minimum(0), z.maximum(2)),
    'Sampling temperature (default 0). Useful with repeats.',
  ),
  repeats: optionalKey(
    z.int().check(z.minimum(1), z.maximum(100)),
    'Number of answers to each question; the score is their mean (default 1).',
  ),
  maxTokens: optionalKey(wholeNumber, 'Maximum number of tokens in an answer, including its reasoning.'),
  reasoning: optionalKey(
    z.union([z.boolean(), z.enum(efforts)]),
    'For a reasoning model: true, or the reasoning effort. Captious then sends max_completion_tokens and no temperature.',
  ),
});
export type JudgeFile = z.infer<typeof judgeFile>;

/** Checks the whole file without contacting the endpoint. Returns no `url` for a language model of VS Code. */
export function checkedJudge(
  kind: 'judge' | 'fleur',
  said: JudgeFile,
  wrong: FileContext['wrong'],
): { name: string; url?: string } {
  waysOf(said, wrong);
  checkPrompt(kind, said, wrong);
  checkAsk(kind, said, wrong);
  if (said.endpoint === editorScheme) {
    refuseEndpointsOwn(kind, said, wrong);
    return { name: `${editorScheme}:${said.model}` };
  }
  const checked = checkedEndpoint(said, wrong);
  if (said.maxTokens === 0) throw wrong('maxTokens', say('judge.oneOrMoreExpected'));
  return checked;
}

/**
 * Opens a judge file such as { "kind": "judge", "endpoint": "http://localhost:8000/v1", "model": "…",
 * "keyFrom": "NAME_OF_A_VARIABLE" }.
 */
export async function openJudge(
  kind: 'judge' | 'fleur',
  said: JudgeFile,
  context: FileContext,
): Promise<Evaluator> {
  const { wrong } = context;
  if (checkedJudge(kind, said, wrong).url === undefined)
    return openEditorJudge({ model: said.model, rubric: said.rubric, ...waysOf(said, wrong) }, context);
  const references = said.prompt === undefined ? undefined : await context.references();
  const { repeats = 1 } = said;
  const one = new ChatScorer(await prepareJudge(kind, said, context));
  const judge = repeats === 1 ? one : repeated(one, repeats);
  if (said.ask === 'pairwise') return pairwise(judge);
  return references === undefined ? judge : judgeWithReferences(judge, references);
}

export async function prepareJudge(
  kind: 'judge' | 'fleur',
  said: JudgeFile,
  context: ChatContext,
): Promise<PreparedScorer> {
  const { format = 'json_schema', maxTokens = 64, reasoning = false, temperature = 0 } = said;
  const { spec: shared, ...opened } = await openEndpoint(said, context);
  const [first, ...others] = shared.notes;
  const isPairwise = said.ask === 'pairwise';
  const spec: JudgeSpec = {
    ...shared,
    kind,
    temperature: reasoning === false ? temperature : 'own',
    thinks: reasoning !== false,
    rubric:
      said.prompt === undefined
        ? (said.rubric ?? (isPairwise ? pairwiseRubric : kind === 'judge' ? defaultRubric : fleurRubric))
        : referenceRubrics[said.prompt],
    ...(said.prompt === undefined ? {} : { prompt: said.prompt }),
    settings: [
      ...[format, maxTokens, opened.search, opened.seed],
      ...(reasoning === false ? [] : [{ reasoning }]),
      ...(temperature === 0 ? [] : [{ temperature }]),
      // The default depends on the server, and is not always 64.
      ...(said.maxTokens === undefined ? [] : [{ maxTokens }]),
    ],
    notes: [
      first,
      ...(reasoning === false ? [] : [say('judge.modelThinks')]),
      ...(said.rubric === undefined ? [] : [say('judge.rubricFromFile')]),
      ...others,
    ],
  };
  const manner = isPairwise ? pairwiseManner(spec) : judgeManner(spec);
  const judge = { spec, sha256: manner.sha256, memory: new JudgeMemory(context.home) };
  const asked = await chatAt(opened, said, waysToAsk(said, format), judge, context);
  return { spec, manner, ...asked };
}

/** Converts the file's settings to settings of requests. */
export function waysToAsk(
  { reasoning = false, maxTokens, temperature, format: wished }: JudgeFile,
  format: NonNullable<JudgeFile['format']>,
): EndpointWays {
  return {
    dialect: {
      format,
      ...(reasoning === false ? {} : { limit: 'max_completion_tokens', temperature: false }),
    },
    fixed: { format: wished !== undefined },
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(typeof reasoning === 'string' ? { effort: reasoning } : {}),
  };
}

/** Checks that `prompt` fits the kind (clair: judge, reffleur: fleur) and is not combined with a `rubric`. */
function checkPrompt(
  kind: 'judge' | 'fleur',
  { prompt, rubric }: JudgeFile,
  wrong: FileContext['wrong'],
): void {
  if (prompt === undefined) return;
  const own = prompt === 'clair' ? 'judge' : 'fleur';
  if (kind !== own)
    throw wrong('prompt', say('judge.promptOfOtherKind', prompt, own), say('judge.setKindOfPrompt', own));
  if (rubric !== undefined)
    throw wrong('rubric', say('judge.promptExcludesRubric', prompt), say('judge.removeRubricOrPrompt'));
}

function checkAsk(kind: 'judge' | 'fleur', { ask, prompt }: JudgeFile, wrong: FileContext['wrong']): void {
  if (ask !== 'pairwise') return;
  if (kind !== 'judge') throw wrong('ask', say('judge.kindCannotCompare'), say('judge.setKindToCompare'));
  if (prompt !== undefined)
    throw wrong('ask', say('judge.comparingExcludesPrompt'), say('judge.removeAskOrPrompt'));
}

/** For a judge with a language model of VS Code, rejects settings that only endpoints support. */
function refuseEndpointsOwn(kind: 'judge' | 'fleur', said: JudgeFile, wrong: FileContext['wrong']): void {
  if (kind === 'fleur') throw wrong('kind', say('judge.fleurNotInEditor'), say('judge.useJudgeKind'));
  const own = (
    [
      'keyFrom',
      'format',
      'maxTokens',
      'price',
      'mostRequests',
      'seed',
      'reasoning',
      'repeats',
      'temperature',
      'prompt',
      'ask',
    ] as const
  ).find((key) => said[key] !== undefined);
  if (own !== undefined) throw wrong(own, say('judge.keyNotForEditor'), say('evaluator.removeKey'));
}
