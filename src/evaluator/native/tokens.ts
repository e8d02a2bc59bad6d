import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { valueIn } from '../../base/lists';
import { CaptiousError, wordsOf } from '../../base/errors';
import { say } from '../../base/say';
import { CharsMap } from './charsMap';
import { booleanAt, type Json, numberAt, objectAt, stringAt } from '../model/json';
import { ModelFolder } from '../model/modelFolder';
import type { JobContext } from './jobContext';
import type { TokenJob, TokenRow, TokenRows, TokenRules } from '../../protocol/native';

/** Milliseconds between progress reports. */
const stepMs = 250;
/** Limits for the files of a tokenizer, enough for a million vocabulary entries with merges. */
const tokenizerLimits = { bytes: 512 << 20, parts: 1 << 24 };

const loaded = new Map<string, Tokens>();

export async function tokenise(
  { folder, rules, texts }: TokenJob,
  { pause, step }: JobContext,
): Promise<TokenRows> {
  const key = JSON.stringify([folder, rules]);
  const tokens = valueIn(loaded, key, () => new Tokens(new ModelFolder(folder), rules));
  const rows: TokenRow[] = [];
  let said = performance.now();
  for (const text of texts) {
    rows.push(tokens.row(text));
    if (performance.now() - said < stepMs) continue;
    step();
    await pause();
    said = performance.now();
  }
  const lengths = Int32Array.from(rows, ({ ids }) => ids.length);
  const ids = new Int32Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const row of rows) {
    ids.set(row.ids, at);
    at += row.ids.length;
  }
  return {
    ids,
    lengths,
    real: Int32Array.from(rows, ({ real }) => real),
    cut: Uint8Array.from(rows, ({ cut }) => Number(cut)),
    promptTokens: tokens.promptTokens,
  };
}

/** Tokenises texts exactly as the model's own tokenizer does. */
export class Tokens {
  private readonly tokenizer: Tokenizer;
  private readonly separateIdeographs: boolean;
  /** Whether to split at U+0085 (next line). The model's own tokenizer splits there, unlike the library. */
  private readonly splitsAtSpace: boolean;
  private readonly cutLeft: boolean;
  /** The special tokens before a text. `after` contains those after a text. */
  private readonly before: readonly number[];
  private readonly after: readonly number[];
  readonly padId: number;
  readonly promptTokens: number;

  constructor(
    private readonly folder: ModelFolder,
    private readonly rules: TokenRules,
  ) {
    const json = cased(folder.require('tokenizer.json', tokenizerLimits), rules.lowercase);
    const config = folder.json('tokenizer_config.json', tokenizerLimits) ?? {};
    try {
      this.tokenizer = new Tokenizer(json, config);
      mendCharsMaps(objectAt(json, 'normalizer'), this.tokenizer.normalizer);
      const bare = this.tokenizer.encode('a', { add_special_tokens: false }).ids;
      const dressed = this.tokenizer.encode('a').ids;
      const at = dressed.findIndex((_, from) => bare.every((id, i) => dressed[from + i] === id));
      this.before = rules.bare === true ? [] : dressed.slice(0, at);
      this.after = rules.bare === true ? [] : dressed.slice(at + bare.length);
    } catch (error) {
      throw new CaptiousError('evaluator', say('native.tokenizerNotLoaded', wordsOf(error)), {
        at: join(folder.path, 'tokenizer.json'),
        remedy: say('native.downloadTokenizerAgain'),
      });
    }
    if (rules.max <= this.before.length + this.after.length) {
      throw new CaptiousError('evaluator', say('native.tokenLimitFilled', rules.max), {
        at: folder.path,
        remedy: say('native.checkTokenLimit'),
      });
    }
    this.separateIdeographs = splitsIdeographs(objectAt(json, 'normalizer'));
    this.splitsAtSpace = /"Whitespace(Split)?"/.test(JSON.stringify(json.pre_tokenizer ?? null));
    this.cutLeft = (rules.cutSide ?? stringAt(config, 'truncation_side')) === 'left';
    this.padId =
      padIdOf(json, config, this.tokenizer) ?? numberAt(folder.json('config.json'), 'pad_token_id') ?? 0;
    this.promptTokens = this.before.length + this.encode(rules.prompt).length;
  }

  row(text: string): TokenRow {
    const { max, fixed, prompt, attendPadding, padLeft } = this.rules;
    let body = this.encode(prompt + text);
    const room = max - this.before.length - this.after.length;
    const cut = body.length > room;
    if (cut) body = this.cutLeft ? body.slice(body.length - room) : body.slice(0, room);
    const all = [...this.before, ...body, ...this.after];
    const at = all.findIndex((id) => !isId(id));
    if (at >= 0) {
      throw new CaptiousError(
        'evaluator',
        // The library does not check ids, so an id from a damaged file may have any value.
        say('native.tokenIdInvalid', JSON.stringify(all[at] ?? null)),
        { at: join(this.folder.path, 'tokenizer.json'), remedy: say('model.downloadFileAgain') },
      );
    }
    const ids = new Int32Array(fixed ?? all.length).fill(this.padId);
    ids.set(all, padLeft === true ? ids.length - all.length : 0);
    return { ids, real: attendPadding ? ids.length : all.length, cut };
  }

  private encode(text: string): number[] {
    // Lone surrogates do not exist in UTF-8, so the model's own tokenizer gets replacement characters instead.
    const given = text.replace(/\p{Surrogate}/gu, '\ufffd');
    const whole = this.rules.lowercase === true ? given.toLowerCase() : given;
    const spaced = this.separateIdeographs ? whole.replace(rareIdeographs, ' $& ') : whole;
    const split = this.splitsAtSpace ? spaced.replaceAll('\u0085', ' ') : spaced;
    try {
      return this.tokenizer.encode(split, { add_special_tokens: false }).ids;
    } catch (error) {
      throw new CaptiousError('evaluator', say('native.tokenizerFailed', wordsOf(error)), {
        at: join(this.folder.path, 'tokenizer.json'),
        remedy: say('native.downloadOrChangeModel'),
      });
    }
  }
}

function isId(id: unknown): id is number {
  return Number.isInteger(id) && Number(id) >= 0 && Number(id) <= 0x7fffffff;
}

/** Ideographs outside the basic plane. BERT separates them like all ideographs, but the library does not. */
const rareIdeographs = /[\u{20000}-\u{2a6df}\u{2a700}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;

function splitsIdeographs(said: unknown): boolean {
  if (typeof said !== 'object' || said === null) return false;
  const normalizer = said as Json;
  if (normalizer.type === 'BertNormalizer') return booleanAt(normalizer, 'handle_chinese_chars') ?? true;
  const inner = normalizer.normalizers;
  return Array.isArray(inner) && inner.some(splitsIdeographs);
}

/** The description of the tokenizer without its lowercasing, if `lowercase` is false. */
function cased(json: Json, lowercase: boolean | undefined): Json {
  return lowercase === false ? { ...json, normalizer: withoutLowercase(json.normalizer) } : json;
}

function withoutLowercase(said: unknown): unknown {
  if (typeof said !== 'object' || said === null) return said;
  const normalizer = said as Json;
  if (normalizer.type === 'Lowercase') return { type: 'Sequence', normalizers: [] };
  if (normalizer.type === 'BertNormalizer') return { ...normalizer, lowercase: false };
  const inner = normalizer.normalizers;
  return Array.isArray(inner) ? { ...normalizer, normalizers: inner.map(withoutLowercase) } : normalizer;
}

interface Step {
  normalize?: (text: string) => string;
  normalizers?: unknown[];
}

/** Replaces the library's approximate character map with an exact implementation. */
function mendCharsMaps(said: Json | undefined, normalizer: unknown): void {
  if (said === undefined || typeof normalizer !== 'function') return;
  const step: typeof normalizer & Step = normalizer;
  const map = stringAt(said, 'precompiled_charsmap');
  if (said.type === 'Precompiled' && map !== undefined) {
    const charsMap = new CharsMap(map);
    step.normalize = (text) => charsMap.normalize(text);
  }
  if (!Array.isArray(said.normalizers)) return;
  said.normalizers.forEach((inner, i) => mendCharsMaps(inner as Json, step.normalizers?.[i]));
}

function padIdOf(json: Json, config: Json, tokenizer: Tokenizer): number | undefined {
  const token = stringAt(config, 'pad_token') ?? stringAt(objectAt(config, 'pad_token'), 'content');
  const named = token === undefined ? undefined : tokenizer.token_to_id(token);
  return isId(named) ? named : numberAt(objectAt(json, 'padding'), 'pad_id');
}
