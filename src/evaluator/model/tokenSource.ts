import type { TextSize } from '../evaluator';
import type { Runs } from '../native/engines';
import type { TokenRow, TokenRows, TokenRules } from '../../protocol/native';

/** The maximum number of tokenised texts in memory. A dropped text is tokenised again when it is needed. */
const remembered = 1 << 16;

/** Tokenises in a process with limits of time and memory, because a tokenizer's patterns may have none. */
export class TokenSource {
  private readonly known = new Map<string, TokenRow>();
  /** The number of special tokens and prompt tokens before each text, known after the first texts are tokenised. */
  promptTokens = 0;

  constructor(
    private readonly tokenizer: Runs<'tokens'>,
    private readonly folder: string,
    private readonly rules: TokenRules,
  ) {}

  async measure(texts: readonly string[], signal?: AbortSignal): Promise<TextSize[]> {
    return (await this.rows(texts, signal)).map(({ ids, cut }) => ({ tokens: ids.length, cut }));
  }

  async rows(texts: readonly string[], signal?: AbortSignal): Promise<TokenRow[]> {
    const missing = [...new Set(texts)].filter((text) => !this.known.has(text));
    if (missing.length === 0) return texts.map((text) => this.known.get(text)!);
    const { folder, rules } = this;
    const answer = await this.tokenizer.run('tokens', { folder, rules, texts: missing }, signal);
    this.promptTokens = answer.promptTokens;
    const fresh = new Map(unpack(answer).map((row, i) => [missing[i], row]));
    const rows = texts.map((text) => fresh.get(text) ?? this.known.get(text));
    for (const [text, row] of fresh) {
      if (this.known.size >= remembered) this.known.delete(this.known.keys().next().value!);
      this.known.set(text, row);
    }
    // Another call may have evicted rows since this call began.
    return rows.every((row) => row !== undefined) ? rows : this.rows(texts, signal);
  }
}

function unpack({ ids, lengths, real, cut }: TokenRows): TokenRow[] {
  let at = 0;
  return Array.from(lengths, (length, i) => {
    const row = { ids: ids.subarray(at, at + length), real: real[i], cut: cut[i] === 1 };
    at += length;
    return row;
  });
}
