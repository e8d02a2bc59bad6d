import * as z from 'zod/mini';
import { exactObject, wholeNumber } from '../../base/schema';
import { say } from '../../base/say';
import { ChatEndpoint, shownUrl } from './chatEndpoint';
import { openEditorJudge } from './editorJudge';
import { editorScheme } from './editorModels';
import type { Evaluator } from '../evaluator';
import type { FileContext } from '../fileContext';
import { consentName, createJudge, judgeSha256, type JudgeSpec } from './judge';
import { JudgeMemory } from './judgeMemory';
import { defaultRubric, fleurRubric, referencePrompts, referenceRubrics } from './judgePrompt';
import { judgeWithReferences } from './referenceJudge';

export const judgeFile = z.object({
  endpoint: z
    .string()
    .check(z.describe('Address of the endpoint, or vscode.lm for the language models of VS Code.')),
  model: z.string(),
  keyFrom: z.optional(z.string().check(z.describe('Name of the environment variable that holds the key.'))),
  rubric: z.optional(z.string().check(z.describe('The instructions for the model.'))),
  prompt: z.optional(
    z
      .enum(referencePrompts)
      .check(
        z.describe(
          'A prompt that compares the caption with reference captions: clair (kind judge, without the image) or reffleur (kind fleur).',
        ),
      ),
  ),
  concurrency: z.optional(wholeNumber.check(z.describe('Concurrent requests.'))),
  timeout: z.optional(z.number().check(z.describe('Time limit per request in seconds.'))),
  format: z.optional(z.enum(['json_schema', 'json_object', 'none'])),
  maxTokens: z.optional(wholeNumber),
  seed: z.optional(
    z
      .nullable(wholeNumber)
      .check(z.describe('The seed sent with each request (default 42); null sends none.')),
  ),
  picture: z.optional(
    exactObject({ side: z.optional(wholeNumber), format: z.optional(z.enum(['png', 'jpeg'])) }),
  ),
  price: z.optional(
    exactObject({ input: z.number(), output: z.number() }).check(z.describe('Dollars per million tokens.')),
  ),
});
export type JudgeFile = z.infer<typeof judgeFile>;

/** The paper uses a fixed seed. 42 is the default seed of Captious. */
const usualSeed = 42;

/** The settings that all judges share. */
function waysOf(
  { model, concurrency = 4, timeout = 120, picture = {} }: JudgeFile,
  wrong: FileContext['wrong'],
) {
  if (model === '') throw wrong('model', say`it is empty.`);
  if (concurrency < 1 || concurrency > 64) throw wrong('concurrency', say`expected 1 to 64.`);
  if (timeout <= 0 || timeout > 3600)
    throw wrong('timeout', say`expected a number of seconds above 0 and up to 3600.`);
  const { side = 768, format = 'png' as const } = picture;
  if (side < 32 || side > 8192) throw wrong('picture.side', say`expected 32 to 8192.`);
  return { concurrency, deadlineMs: timeout * 1000, side, format };
}

/** Checks the whole file before the endpoint is contacted. */
export function checkedJudge(
  kind: 'judge' | 'fleur',
  said: JudgeFile,
  wrong: FileContext['wrong'],
): { ways: ReturnType<typeof waysOf>; name: string; url?: string } {
  const ways = waysOf(said, wrong);
  checkPrompt(kind, said, wrong);
  if (said.endpoint === editorScheme) {
    refuseEndpointsOwn(kind, said, wrong);
    return { ways, name: `${editorScheme}:${said.model}` };
  }
  const { maxTokens = 64, price } = said;
  const url = completionsUrl(said.endpoint, wrong);
  if (maxTokens < 1) throw wrong('maxTokens', say`expected 1 or more.`);
  if (price !== undefined && (price.input < 0 || price.output < 0))
    throw wrong('price', say`expected 0 or more.`);
  checkKeyName(said.keyFrom, wrong);
  return { ways, url, name: `${said.model} at ${new URL(url).host}` };
}

/**
 * Opens a judge file: { "kind": "judge", "endpoint": "http://localhost:8000/v1", "model": "…", "keyFrom":
 * "NAME_OF_A_VARIABLE" }
 */
export async function openJudge(
  kind: 'judge' | 'fleur',
  said: JudgeFile,
  context: FileContext,
): Promise<Evaluator> {
  const { id, name, path, wrong, home, secret } = context;
  const { ways, url, name: usualName } = checkedJudge(kind, said, wrong);
  if (url === undefined) return openEditorJudge({ model: said.model, rubric: said.rubric, ...ways }, context);
  const { format = 'json_schema', maxTokens = 64, price } = said;
  const seed = said.seed === undefined ? usualSeed : said.seed;
  const key = said.keyFrom === undefined ? undefined : await keyNamed(said.keyFrom, secret, wrong);
  const endpoint = shownUrl(url).replace(/\/chat\/completions$/, '');
  const { protocol, hostname } = new URL(url);
  const near = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const spec: JudgeSpec = {
    kind,
    id,
    name: name === id ? usualName : name,
    path,
    endpoint,
    model: said.model,
    rubric:
      said.prompt === undefined
        ? (said.rubric ?? (kind === 'judge' ? defaultRubric : fleurRubric))
        : referenceRubrics[said.prompt],
    ...(said.prompt === undefined ? {} : { prompt: said.prompt }),
    side: ways.side,
    format: ways.format,
    concurrency: ways.concurrency,
    settings: [format, maxTokens, new URL(url).search, seed],
    notes: [
      seed === null ? 'No seed is sent.' : `Each request has the seed ${seed}; not every server uses it.`,
      ...(said.rubric === undefined ? [] : ['The rubric comes from the evaluator file.']),
      ...(key !== undefined && protocol === 'http:' && !near
        ? ['The connection uses http, so the key is sent unencrypted.']
        : []),
    ],
    ...(said.keyFrom === undefined ? {} : { keyName: said.keyFrom }),
    ...(price === undefined ? {} : { price }),
  };
  const memory = new JudgeMemory(home);
  const model = new ChatEndpoint({
    url,
    model: said.model,
    key,
    keyName: said.keyFrom,
    format,
    maxTokens,
    ...(seed === null ? {} : { seed }),
    deadlineMs: ways.deadlineMs,
  });
  const references = said.prompt === undefined ? undefined : await context.references();
  const judge = createJudge(
    spec,
    model,
    memory,
    await memory.consented(consentName(spec)),
    await memory.canary(judgeSha256(spec)),
  );
  return references === undefined ? judge : judgeWithReferences(judge, references);
}

/** CLAIR is a judge, and RefFLEUR extends FLEUR. */
function checkPrompt(
  kind: 'judge' | 'fleur',
  { prompt, rubric }: JudgeFile,
  wrong: FileContext['wrong'],
): void {
  if (prompt === undefined) return;
  const own = prompt === 'clair' ? 'judge' : 'fleur';
  if (kind !== own)
    throw wrong(
      'prompt',
      say`the prompt "${prompt}" belongs to the kind "${own}".`,
      say`Set "kind": "${own}".`,
    );
  if (rubric !== undefined)
    throw wrong(
      'rubric',
      say`the prompt "${prompt}" has its own instructions.`,
      say`Remove "rubric" or "prompt".`,
    );
}

/** Rejects settings that only an endpoint supports. */
function refuseEndpointsOwn(kind: 'judge' | 'fleur', said: JudgeFile, wrong: FileContext['wrong']): void {
  if (kind === 'fleur')
    throw wrong(
      'kind',
      say`the editor's models return no log-probabilities, which FLEUR needs.`,
      say`Use the kind "judge".`,
    );
  const own = (['keyFrom', 'format', 'maxTokens', 'price', 'seed', 'prompt'] as const).find(
    (key) => said[key] !== undefined,
  );
  if (own !== undefined)
    throw wrong(own, say`this key does not apply to the editor's models.`, say`Remove this key.`);
}

function completionsUrl(given: string, wrong: FileContext['wrong']): string {
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw wrong('endpoint', say`this is not an address.`, say`An example: http://localhost:8000/v1.`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw wrong('endpoint', say`the address must begin with http:// or https://.`);
  if (url.username !== '' || url.password !== '' || /(^|[?&])[^=]*(key|token|secret)[^=]*=/i.test(url.search))
    throw wrong(
      'endpoint',
      say`the address contains a secret, which would appear in logs and reports.`,
      say`Store the secret in an environment variable, and put the variable's name into this file: "keyFrom": "MY_KEY".`,
    );
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/chat/completions') ? path : `${path}/chat/completions`;
  url.hash = '';
  return url.href;
}

function checkKeyName(name: string | undefined, wrong: FileContext['wrong']): void {
  // The user may have written the key itself instead of a name, so the message must not quote it.
  if (name !== undefined && !/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name))
    throw wrong(
      'keyFrom',
      say`this is not the name of an environment variable.`,
      say`Do not write the key itself into this file. Store the key in an environment variable, and put the variable's name here.`,
    );
}

async function keyNamed(
  name: string,
  secret: FileContext['secret'],
  wrong: FileContext['wrong'],
): Promise<string> {
  const key = (await secret(name))?.trim();
  if (key === undefined || key === '')
    throw wrong(
      'keyFrom',
      say`this environment variable is not set.`,
      say`Set the variable to the key, then run again.`,
    );
  if (!/^[\x21-\x7e]+$/.test(key))
    throw wrong(
      'keyFrom',
      say`the environment variable does not contain a valid key: the value has spaces or invalid characters.`,
    );
  return key;
}
