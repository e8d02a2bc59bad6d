import * as z from 'zod/mini';
import { described, exactObject, optionalKey, wholeNumber } from '../../../base/schema';
import { say, type Words } from '../../../base/say';
import type { FileContext } from '../../fileContext';
import { BatchAnswers } from '../batch/answers';
import { BatchModel } from '../batch/batchModel';
import { ChatEndpoint, shownUrl } from '../chatEndpoint';
import type { JudgeMemory } from '../judgeMemory';
import { type Dialect, dialectNote, type Fixed, usualDialect } from './dialect';
import { Gate } from './gate';
import { consentName, type PreparedScorer, type ScorerSpec } from '../scorer';
import { withoutEnd } from '../../../base/text/ends';

/** Keys of evaluator files with a chat endpoint. */
export const endpointFields = {
  endpoint: described(
    z.string(),
    'Address of the endpoint, or vscode.lm for the language models of VS Code.',
  ),
  model: z.string(),
  keyFrom: optionalKey(z.string(), 'Name of the environment variable that contains the key.'),
  concurrency: optionalKey(
    wholeNumber,
    'Maximum number of concurrent requests. Default: 4 at first, then up to 16 while the server keeps up.',
  ),
  timeout: optionalKey(z.number(), 'Time limit per request in seconds.'),
  mostRequests: optionalKey(
    wholeNumber,
    'Maximum number of requests of one run. A run that needs more stops, and the next one goes on from there.',
  ),
  seed: optionalKey(
    z.nullable(wholeNumber),
    'The seed sent with each request (default 42); null sends none.',
  ),
  image: z.optional(
    exactObject({ side: z.optional(wholeNumber), format: z.optional(z.enum(['png', 'jpeg'])) }),
  ),
  price: optionalKey(exactObject({ input: z.number(), output: z.number() }), 'Dollars per million tokens.'),
};
export type EndpointFile = z.infer<z.ZodMiniObject<typeof endpointFields>>;

const usualSeed = 42;
/** The default number of concurrent requests: `first` at the start, later up to `most`. */
const usualConcurrency = { first: 4, most: 16 };

/** Checks the settings that all evaluators with a chat model share, and fills in defaults. */
export function waysOf(
  {
    model,
    concurrency = usualConcurrency.most,
    timeout = 120,
    image = {},
  }: Pick<EndpointFile, 'model' | 'concurrency' | 'timeout' | 'image'>,
  wrong: FileContext['wrong'],
): Pick<ScorerSpec, 'concurrency' | 'side' | 'format'> & { deadlineMs: number } {
  if (model === '') throw wrong('model', say('judge.fieldEmpty'));
  if (concurrency < 1 || concurrency > 64) throw wrong('concurrency', say('judge.concurrencyRange'));
  if (timeout <= 0 || timeout > 3600) throw wrong('timeout', say('judge.timeoutRange'));
  const { side = 768, format = 'png' as const } = image;
  if (side < 32 || side > 8192) throw wrong('image.side', say('judge.imageSideRange'));
  return { concurrency, deadlineMs: timeout * 1000, side, format };
}

/**
 * Checks the address, the price and the name of the key without contacting the endpoint. Returns the address for chat
 * completions, and the evaluator's default name.
 */
export function checkedEndpoint(
  { endpoint, price, keyFrom, model, mostRequests }: EndpointFile,
  wrong: FileContext['wrong'],
): { url: string; name: string } {
  if (mostRequests === 0) throw wrong('mostRequests', say('judge.oneOrMoreExpected'));
  const url = completionsUrl(endpoint, wrong);
  if (price !== undefined && (price.input < 0 || price.output < 0))
    throw wrong('price', say('judge.zeroOrMoreExpected'));
  checkKeyName(keyFrom, wrong);
  return { url, name: `${model} at ${new URL(url).host}` };
}

/** The parts of a `FileContext` that an endpoint needs. */
export type ChatContext = Pick<
  FileContext,
  'id' | 'name' | 'path' | 'wrong' | 'home' | 'secret' | 'storesKeys' | 'onNotice' | 'requests'
>;

/** Request settings that depend on the kind of evaluator file. An absent setting keeps its default. */
export interface EndpointWays {
  dialect?: Partial<Dialect>;
  fixed?: Fixed;
  maxTokens?: number;
  temperature?: number;
  effort?: string;
}

/** Prepares the parts of an evaluator that depend only on its endpoint. */
export async function openEndpoint(
  said: EndpointFile,
  context: ChatContext,
): Promise<{
  spec: Omit<ScorerSpec, 'settings'>;
  seed: number | null;
  search: string;
  url: string;
  key?: string;
}> {
  const { id, name, path, wrong } = context;
  const ways = waysOf(said, wrong);
  const { url, name: usualName } = checkedEndpoint(said, wrong);
  const key = said.keyFrom === undefined ? undefined : await keyNamed(said.keyFrom, context);
  const { protocol, hostname, search } = new URL(url);
  const near = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const seed = said.seed === undefined ? usualSeed : said.seed;
  const { concurrency, side, format } = ways;
  return {
    url,
    search,
    seed,
    ...(key === undefined ? {} : { key }),
    spec: {
      id,
      name: name === id ? usualName : name,
      path,
      endpoint: shownUrl(url).replace(/\/chat\/completions$/, ''),
      model: said.model,
      ...{ concurrency, side, format },
      notes: [
        seed === null ? say('judge.noSeed') : say('judge.seedSent', seed),
        ...(key !== undefined && protocol === 'http:' && !near ? [say('judge.keyUnencrypted')] : []),
      ],
      ...(said.keyFrom === undefined ? {} : { keyName: said.keyFrom }),
      ...(said.price === undefined ? {} : { price: said.price }),
    },
  };
}

/** The endpoint's chat model: finds and stores a dialect that the server accepts; uses imported answers. */
export async function chatAt(
  { url, key, seed }: { url: string; key?: string; seed: number | null },
  said: EndpointFile,
  own: EndpointWays,
  judge: { spec: ScorerSpec; sha256: string; memory: JudgeMemory },
  { wrong, home, requests, onNotice }: ChatContext,
): Promise<Pick<PreparedScorer, 'model' | 'parts'>> {
  const { spec, sha256, memory } = judge;
  const known = await memory.of(sha256);
  const usual: Dialect = { ...usualDialect, seed: seed !== null, ...own.dialect };
  let dialect = known.dialect ?? usual;
  const { concurrency, deadlineMs } = waysOf(said, wrong);
  const first = said.concurrency ?? usualConcurrency.first;
  const gate = new Gate(concurrency, first);
  const endpoint = new ChatEndpoint({
    url,
    model: said.model,
    key,
    keyName: said.keyFrom,
    dialect,
    fixed: { ...own.fixed, ...(typeof said.seed === 'number' ? { seed: true } : {}) },
    onDialect: (found) => void memory.keepDialect(sha256, (dialect = found)).catch(() => undefined),
    onBusy: () => gate.slower(),
    mostRequests: said.mostRequests,
    ...(own.maxTokens === undefined ? {} : { maxTokens: own.maxTokens }),
    ...(own.temperature === undefined ? {} : { temperature: own.temperature }),
    ...(own.effort === undefined ? {} : { effort: own.effort }),
    ...(seed === null ? {} : { seed }),
    deadlineMs,
  });
  const laterNotes = (): Words[] => {
    const note = dialectNote(dialect, usual);
    return note === undefined ? [] : [note];
  };
  requests?.begin({ sha256, endpoint: spec.endpoint, model: said.model });
  const answers = await new BatchAnswers(home, sha256).read();
  return {
    model:
      requests === undefined && answers.size === 0
        ? endpoint
        : new BatchModel(endpoint, sha256, answers, requests),
    parts: {
      memory,
      consented: requests !== undefined || (await memory.consented(consentName(spec))),
      ...known,
      ...(requests === undefined ? {} : { writes: true }),
      ...{ gate, laterNotes },
      ...(onNotice === undefined ? {} : { onNotice }),
    },
  };
}

function completionsUrl(given: string, wrong: FileContext['wrong']): string {
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw wrong('endpoint', say('judge.notAddress'), say('judge.addressExample'));
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw wrong('endpoint', say('judge.addressSchemeWrong'));
  if (
    url.username !== '' ||
    url.password !== '' ||
    [...url.searchParams.keys()].some((name) => /key|token|secret/i.test(name))
  )
    throw wrong('endpoint', say('judge.addressWithSecret'), say('judge.moveSecretToEnvironment'));
  const path = withoutEnd(url.pathname, /\//);
  url.pathname = path.endsWith('/chat/completions') ? path : `${path}/chat/completions`;
  url.hash = '';
  return url.href;
}

function checkKeyName(name: string | undefined, wrong: FileContext['wrong']): void {
  // The user may have written the key instead of a name, so the message must not quote the value.
  if (name !== undefined && !/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name))
    throw wrong('keyFrom', say('judge.keyNameInvalid'), say('judge.writeKeyNameOnly'));
}

async function keyNamed(
  name: string,
  { secret, storesKeys = false, wrong }: Pick<FileContext, 'secret' | 'storesKeys' | 'wrong'>,
): Promise<string> {
  const key = (await secret(name))?.trim();
  const remedy = storesKeys ? say('judge.storeKeyInEditor') : say('judge.setTheKey');
  if (key === undefined || key === '')
    throw wrong('keyFrom', storesKeys ? say('judge.keyNotStored') : say('judge.keyMissing'), remedy);
  if (!/^[\x21-\x7e]+$/.test(key)) throw wrong('keyFrom', say('judge.keyCharactersInvalid'), remedy);
  return key;
}
