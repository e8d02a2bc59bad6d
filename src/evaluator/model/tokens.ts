import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { CaptiousError, messageOf } from '../../base/errors';
import { CharsMap } from './charsMap';
import type { TextSize } from '../evaluator';
import { booleanAt, type Json, numberAt, objectAt, stringAt } from './json';
import type { ModelFolder } from './modelFolder';

export interface TokenRules {
  /** Longest input, special tokens included. */
  max: number;
  /** Every text is padded to this length. */
  fixed: number | undefined;
  /** The padding is part of the text to the model: it is not masked. */
  attendPadding: boolean;
  /** Padding that is attended to stands before the text. */
  padLeft?: true;
  /** Put before every text. */
  prompt: string;
}

export interface TokenRow {
  ids: Int32Array;
  /** Tokens that are not padding. */
  real: number;
  cut: boolean;
}

/** Rows are remembered between measuring a text and embedding it; older ones are made again when they are wanted. */
const remembered = 1 << 16;

/** Turns texts into token ids as the model's own tokenizer does. */
export class Tokens {
  private readonly tokenizer: Tokenizer;
  private readonly separateIdeographs: boolean;
  /** The reference counts the next-line character as white space; JavaScript does not. */
  private readonly splitsAtSpace: boolean;
  private readonly cutLeft: boolean;
  /** Special tokens that the tokenizer puts before and after a text. */
  private readonly before: readonly number[];
  private readonly after: readonly number[];
  readonly padId: number;
  private readonly rows = new Map<string, TokenRow>();

  constructor(
    private readonly folder: ModelFolder,
    private readonly rules: TokenRules,
  ) {
    const json = folder.require('tokenizer.json');
    const config = folder.json('tokenizer_config.json') ?? {};
    try {
      this.tokenizer = new Tokenizer(json, config);
      mendCharsMaps(objectAt(json, 'normalizer'), this.tokenizer.normalizer);
      const bare = this.tokenizer.encode('a', { add_special_tokens: false }).ids;
      const dressed = this.tokenizer.encode('a').ids;
      const at = dressed.findIndex((_, from) => bare.every((id, i) => dressed[from + i] === id));
      this.before = dressed.slice(0, at);
      this.after = dressed.slice(at + bare.length);
    } catch (error) {
      throw new CaptiousError('evaluator', `The tokenizer cannot be built: ${messageOf(error)}`, {
        at: join(folder.path, 'tokenizer.json'),
        remedy: 'Fetch the file again, or ask for this kind of tokenizer to be supported.',
      });
    }
    if (rules.max <= this.before.length + this.after.length) {
      throw new CaptiousError(
        'evaluator',
        `The model takes ${rules.max} tokens, which leaves no room for a text.`,
        {
          at: folder.path,
        },
      );
    }
    this.separateIdeographs = splitsIdeographs(objectAt(json, 'normalizer'));
    this.splitsAtSpace = /"Whitespace(Split)?"/.test(JSON.stringify(json.pre_tokenizer ?? null));
    this.cutLeft = stringAt(config, 'truncation_side') === 'left';
    this.padId =
      padIdOf(json, config, this.tokenizer) ?? numberAt(folder.json('config.json'), 'pad_token_id') ?? 0;
  }

  /** How many tokens the prompt takes at the start of a row, special tokens included. */
  get promptTokens(): number {
    return this.before.length + this.encode(this.rules.prompt).length;
  }

  size(text: string): TextSize {
    const { ids, cut } = this.row(text);
    return { tokens: ids.length, cut };
  }

  row(text: string): TokenRow {
    let row = this.rows.get(text);
    if (row === undefined) {
      row = this.make(text);
      if (this.rows.size >= remembered) this.rows.delete(this.rows.keys().next().value!);
      this.rows.set(text, row);
    }
    return row;
  }

  private make(text: string): TokenRow {
    const { max, fixed, prompt, attendPadding, padLeft } = this.rules;
    let body = this.encode(prompt + text);
    const room = max - this.before.length - this.after.length;
    const cut = body.length > room;
    if (cut) body = this.cutLeft ? body.slice(body.length - room) : body.slice(0, room);
    const all = [...this.before, ...body, ...this.after];
    const odd = all.find((id) => id !== (id | 0) || id < 0);
    if (odd !== undefined) {
      throw new CaptiousError(
        'evaluator',
        `The tokenizer gives a token the id ${odd}, which no row can have.`,
        {
          at: join(this.folder.path, 'tokenizer.json'),
          remedy: 'Fetch the file again.',
        },
      );
    }
    const ids = new Int32Array(fixed ?? all.length).fill(this.padId);
    ids.set(all, padLeft === true ? ids.length - all.length : 0);
    return { ids, real: attendPadding ? ids.length : all.length, cut };
  }

  private encode(text: string): number[] {
    // Lone surrogates cannot leave a UTF-8 program; the reference sees the replacement character, too.
    const whole = text.replace(/\p{Surrogate}/gu, '\ufffd');
    const spaced = this.separateIdeographs ? whole.replace(rareIdeographs, ' $& ') : whole;
    const split = this.splitsAtSpace ? spaced.replaceAll('\u0085', ' ') : spaced;
    return this.tokenizer.encode(split, { add_special_tokens: false }).ids;
  }
}

/** BERT sets ideographs apart. The library does so for those of the basic plane only; these are the others. */
const rareIdeographs = /[\u{20000}-\u{2a6df}\u{2a700}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;

function splitsIdeographs(normalizer: Json | undefined): boolean {
  if (normalizer === undefined) return false;
  if (normalizer.type === 'BertNormalizer') return booleanAt(normalizer, 'handle_chinese_chars') ?? true;
  const inner = normalizer.normalizers;
  return Array.isArray(inner) && inner.some((part) => splitsIdeographs(part as Json));
}

/** The library's step for a compiled character map gives way to one that reads the map. */
function mendCharsMaps(said: Json | undefined, normalizer: unknown): void {
  if (said === undefined || typeof normalizer !== 'function') return;
  const step = normalizer as unknown as { normalize: (text: string) => string; normalizers?: unknown[] };
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
  return named ?? numberAt(objectAt(json, 'padding'), 'pad_id');
}
