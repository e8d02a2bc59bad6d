import { dirname, join } from 'node:path';
import { sha256Of } from '../../base/files/sha256';
import { makeFolder } from '../../base/files/cannotWrite';
import { homeFolder } from '../../base/files/home';
import { readJson } from '../../base/files/readJson';
import { ownerOnly, replaceFile } from '../../base/files/writeFile';
import { say } from '../../base/say';
import { object, text } from '../../base/shape';
import { readEvaluatorFile } from '../evaluatorFile';
import type { Secret } from '../fileContext';
import { type ChatModel, ChatProblem } from '../judge/chat';
import { checkedEndpoint, chatAt, openEndpoint } from '../judge/endpoint/endpointFile';
import { Gate } from '../judge/endpoint/gate';
import { cost, UsageMeter } from '../judge/endpoint/usage';
import { editorScheme } from '../judge/editorModels';
import { type JudgeFile, waysToAsk } from '../judge/judgeFile';
import { JudgeMemory } from '../judge/judgeMemory';
import { consentName, type ScorerSpec } from '../judge/scorer';
import { needsConsent } from '../remote/consent';

/** The smallest token limit of an answer with sentences. The judge file's is for grades. */
const leastTokens = 1024;
/** The approximate number of tokens of one request, for the estimate of the cost. */
const tokens = { input: 300, output: 80 };

export interface WriterOptions {
  home?: string;
  secret?: Secret;
  onNotice?: (message: string) => void;
}

/** The number of captions and requests, for the consent question. */
export interface Planned {
  captions: number;
  requests: number;
}

const kept = object({ answer: text });

/** Writes sentences with the chat model of a judge file. Stores each at once, so that none is asked twice. */
export class Writer {
  private given: boolean;
  private readonly pending = new Map<string, Promise<string>>();

  private constructor(
    private readonly spec: ScorerSpec,
    private readonly model: ChatModel,
    private readonly folder: string,
    private readonly memory: JudgeMemory,
    private readonly gate: Gate,
    private readonly usage: UsageMeter,
    consented: boolean,
  ) {
    this.given = consented;
  }

  static async open(path: string, options: WriterOptions = {}): Promise<Writer> {
    const { home = homeFolder(), secret = (name) => process.env[name], onNotice } = options;
    const { kind, said: content, ...file } = readEvaluatorFile(path);
    const { wrong } = file;
    if (kind !== 'judge')
      throw wrong('kind', say('writing.kindCannotWrite', kind), say('writing.useJudgeKind'));
    const said = content as JudgeFile;
    if (said.endpoint === editorScheme)
      throw wrong('endpoint', say('writing.editorModelsUnavailable'), say('writing.useEndpointOrEditor'));
    checkedEndpoint(said, wrong);
    const context = { ...file, home, secret, ...(onNotice === undefined ? {} : { onNotice }) };
    const { spec: shared, ...opened } = await openEndpoint(said, context);
    const { reasoning = false, temperature = 0 } = said;
    const ways = waysToAsk(
      { ...said, ...(reasoning === false ? { maxTokens: Math.max(leastTokens, said.maxTokens ?? 0) } : {}) },
      'none',
    );
    const settings = ['writer', opened.search, opened.seed, reasoning, temperature, ways.maxTokens ?? null];
    const sha256 = sha256Of([shared.endpoint, shared.model, settings]);
    const spec = { ...shared, settings };
    const memory = new JudgeMemory(home);
    const { model, parts } = await chatAt(opened, said, ways, { spec, sha256, memory }, context);
    return new Writer(
      spec,
      model,
      join(home, 'writings-1', sha256),
      memory,
      parts.gate ?? new Gate(spec.concurrency),
      new UsageMeter(spec.model, spec.price, onNotice),
      parts.consented,
    );
  }

  get endpoint(): string {
    return this.spec.endpoint;
  }

  get name(): string {
    return this.spec.model;
  }

  /** The most prompts that may wait for an answer at the same time. */
  get parallel(): number {
    return this.gate.most;
  }

  get consented(): boolean {
    return this.given;
  }

  async consent(): Promise<void> {
    this.given = true;
    await this.memory.consent(consentName(this.spec));
  }

  terms({ captions, requests }: Planned): string {
    const { endpoint, model, price, keyName } = this.spec;
    const withKey = keyName === undefined ? '' : `, with the key in ${keyName},`;
    const [input, output] = [requests * tokens.input, requests * tokens.output];
    const estimate =
      price === undefined
        ? 'the cost depends on the endpoint (set "price" in the file for an estimate)'
        : `about ${cost({ input, output }, price)}`;
    return (
      `${count(captions)} captions, without images, will be sent to ${endpoint}${withKey} for ${model} to reword: ` +
      `at most ${count(requests)} requests (cached answers are reused), ` +
      `roughly ${count(Math.ceil((input + output) / 1000))} thousand tokens; ${estimate}.`
    );
  }

  /** Returns the model's answer or a stored answer. Throws a ChatProblem if only this question failed. */
  async ask(prompt: string, signal?: AbortSignal): Promise<string> {
    if (!this.given) throw needsConsent(this);
    const name = sha256Of(prompt);
    let answer = this.pending.get(name);
    if (answer === undefined) {
      // Equal prompts that arrive together share one request.
      answer = this.answerOf(prompt, name, signal).finally(() => this.pending.delete(name));
      this.pending.set(name, answer);
    }
    return answer;
  }

  private async answerOf(prompt: string, name: string, signal?: AbortSignal): Promise<string> {
    const path = join(this.folder, name.slice(0, 2), `${name}.json`);
    const known = await keptAt(path);
    if (known !== undefined) return known;
    const {
      text: answer,
      cut,
      usage,
    } = await this.gate.run(() => this.model.ask({ text: prompt, probabilities: false }, signal));
    this.usage.count(usage);
    if (cut === true) throw new ChatProblem(say('writing.answerCut'));
    await makeFolder(dirname(path));
    await replaceFile(path, `${JSON.stringify({ answer })}\n`, ownerOnly);
    return answer;
  }
}

/** An unreadable file counts as missing, so the prompt is sent again. */
async function keptAt(path: string): Promise<string | undefined> {
  try {
    return kept(await readJson(path), '').answer;
  } catch {
    return undefined;
  }
}

function count(value: number): string {
  return value.toLocaleString('en');
}
