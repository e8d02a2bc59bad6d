import { throwIfCancelled } from '../base/errors';
import type { Outcome } from '../base/outcome';
import type { Bench } from '../bench/bench';
import type { Family } from '../evaluator/model/family';
import type { ImageItem, TextItem } from '../protocol/item';
import { nearness, referencesOf, type Rows } from './references';
import { products, scaled, type Scored } from './scoring';
import { type Change, type Tower, settings } from './change';
import type { Pair } from './difference';

/** Embeddings that replace those of A. */
type Taken = Partial<Record<'image' | 'text', Rows>>;

/** The changes of each tower. */
export type Parts = Record<Tower, readonly Change[]>;

export function partsOf(changes: readonly Change[]): Parts {
  const of = (tower: Tower): Change[] => changes.filter((change) => change.tower === tower);
  return { image: of('image'), text: of('text'), score: of('score') };
}

/** Scores pairs with variations of A. It encodes each image and text once for each variation of its tower. */
export class Measurer {
  private readonly rows = new Map<string, Promise<Rows | undefined>>();
  private readonly cosines = new Map<string, Float64Array>();
  private readonly near = new Map<string, Float64Array>();

  constructor(
    private readonly family: Family,
    private readonly bench: Bench,
    private readonly pairs: readonly Pair[],
    /** The scores of B. */
    readonly target: readonly number[],
    /** Causes are searched on so many pairs, and scales are fitted to them. */
    private readonly searched: number,
    private readonly signal: AbortSignal,
  ) {}

  /** Measures the first `count` pairs with other settings. Undefined if the model cannot work with the settings. */
  async scores(changes: readonly Change[], count: number, taken: Taken = {}): Promise<Scored | undefined> {
    return this.scoresOf(partsOf(changes), count, taken);
  }

  /** The same, of the changes of each tower. A search repeats the same lists, of which the keys are made once. */
  async scoresOf(parts: Parts, count: number, taken: Taken = {}): Promise<Scored | undefined> {
    const cosines = await this.cosinesOf(parts, count, taken);
    if (cosines === undefined) return undefined;
    const near = await this.nearnessOf(parts.text, count, taken);
    return scaled(cosines, this.family.info.scale, parts.score, {
      ...{ target: this.target, fitted: this.searched },
      ...(near === undefined ? {} : { near }),
    });
  }

  private async nearnessOf(
    changes: readonly Change[],
    count: number,
    taken: Taken,
  ): Promise<Float64Array | undefined> {
    const own = this.family.blueprint.isReferenced ? 'others' : 'none';
    const rule = changes.find(({ references }) => references !== undefined)?.references ?? own;
    if (rule === 'none') return undefined;
    const key = `${count}\n${keyOf(changes)}`;
    const known = this.near.get(key);
    if (known !== undefined && taken.text === undefined) return known;
    const captions = taken.text ?? (await this.rowsOf('text', changes, count));
    const lists = referencesOf(this.pairs.slice(0, count), rule);
    const texts = [...new Set(lists.flat())];
    const rows = await this.encode('text', inOrder(changes), texts);
    if (captions === undefined || rows === undefined) return new Float64Array(count).fill(Infinity);
    const places = new Map(texts.map((text, at) => [text, at]));
    const references = lists.map((list) => list.map((text) => rows[places.get(text)!]));
    const near = nearness(rule, captions, references);
    if (taken.text === undefined) this.near.set(key, near);
    return near;
  }

  private async cosinesOf(
    { image, text, score: all }: Parts,
    count: number,
    taken: Taken,
  ): Promise<Float64Array | undefined> {
    const product = all.filter(({ score }) => score?.kind === 'half' || score?.kind === 'dot');
    const isOwn = taken.image === undefined && taken.text === undefined;
    const key = [count, keyOf(image), keyOf(text), keyOf(product)].join('\n\n');
    const known = this.cosines.get(key);
    if (known !== undefined && isOwn) return known;
    const images = taken.image ?? (await this.rowsOf('image', image, count));
    const texts = taken.text ?? (await this.rowsOf('text', text, count));
    if (images === undefined || texts === undefined) return undefined;
    const made = products(images, texts, product);
    if (isOwn) this.cosines.set(key, made);
    return made;
  }

  async rowsOf(
    tower: 'image' | 'text',
    changes: readonly Change[],
    count: number,
  ): Promise<Rows | undefined> {
    const first = await this.part(tower, changes, 0, Math.min(count, this.searched));
    if (count <= this.searched || first === undefined) return first;
    const others = await this.part(tower, changes, this.searched, count);
    return others && [...first, ...others];
  }

  private part(
    tower: 'image' | 'text',
    changes: readonly Change[],
    from: number,
    to: number,
  ): Promise<Rows | undefined> {
    const own = changes.filter(({ references }) => references === undefined);
    const key = `${tower} ${from} ${to}\n${keyOf(own)}`;
    let rows = this.rows.get(key);
    if (rows === undefined) {
      const pairs = this.pairs.slice(from, to);
      const items = tower === 'image' ? pairs.map(({ image }) => image) : pairs.map(({ caption }) => caption);
      this.rows.set(key, (rows = this.encode(tower, inOrder(own), items)));
    }
    return rows;
  }

  private async encode(
    tower: 'image' | 'text',
    changes: readonly Change[],
    given: readonly (ImageItem | string)[],
  ): Promise<Rows | undefined> {
    throwIfCancelled(this.signal);
    const { blueprint } = this.family;
    let { spec: image } = blueprint.image;
    let { spec: text } = blueprint.text;
    for (const change of changes) {
      if (change.image !== undefined) image = { ...image, preprocessing: change.image(image.preprocessing) };
      if (change.rules !== undefined) text = { ...text, rules: change.rules(text.rules) };
      const { activation, pooling } = change;
      const inGraph = {
        ...(activation === undefined ? {} : { activation }),
        ...(pooling === undefined ? {} : { pooling }),
      };
      if (tower === 'image') image = { ...image, ...inGraph };
      else text = { ...text, ...inGraph };
    }
    const items = given.map((item) => (typeof item === 'string' ? this.textOf(item, changes) : item));
    const evaluator = await this.family.vary(image, text);
    let outcomes: Outcome<Float32Array>[];
    try {
      outcomes = await this.bench.embeddings(evaluator, items, this.signal);
    } catch (error) {
      throwIfCancelled(this.signal);
      // A model may not run with the change, for example with a longer text. A itself runs.
      if (changes.length > 0) return undefined;
      throw error;
    }
    const rows = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
    return rows.length === outcomes.length && rows.every(hasLength) ? rows : undefined;
  }

  private textOf(caption: string, changes: readonly Change[]): TextItem {
    const prefix = changes.find((change) => change.prefix !== undefined)?.prefix;
    const edited = changes.reduce((text, change) => change.caption?.(text) ?? text, caption);
    return { kind: 'text', text: (prefix ?? this.family.info.prefix) + edited };
  }
}

function hasLength(row: Float32Array): boolean {
  return row.some((value) => value !== 0);
}

function inOrder(changes: readonly Change[]): Change[] {
  if (changes.length < 2) return [...changes];
  return [...changes].sort((a, b) => settings.indexOf(a.setting) - settings.indexOf(b.setting));
}

const keys = new WeakMap<readonly Change[], string>();

function keyOf(changes: readonly Change[]): string {
  if (changes.length === 0) return '';
  let key = keys.get(changes);
  if (key === undefined) {
    key = inOrder(changes)
      .map(({ setting, to }) => `${setting} ${to}`)
      .join('\n');
    keys.set(changes, key);
  }
  return key;
}
