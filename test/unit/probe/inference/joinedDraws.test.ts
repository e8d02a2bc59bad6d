import assert from 'node:assert/strict';
import { joinedDraws } from '../../../../src/probe/inference/joinedDraws';
import type { LgipRow, LgipVariant } from '../../../../src/probe/lgip/row';
import { lgipRows } from '../../../../src/probe/lgip/rowView';
import { longRows } from '../../../../src/probe/long/rowView';
import type { LongRow } from '../../../../src/probe/long/row';

const span = [0, 1] as const;

function variant(family: LgipVariant['family'], text: string, of?: number): LgipVariant {
  const made = { family, kind: 'color', rule: '{c}', text, score: 0.2, delta: -0.1, span, was: span };
  return of === undefined ? made : { ...made, of };
}

function row(
  example: string,
  caption: number,
  seed: number | undefined,
  ...variants: LgipVariant[]
): LgipRow {
  return {
    ...{ example, row: 0, caption, field: 'caption', text: 'a red bus', words: 3, score: 0.3 },
    ...{ outcome: variants.length === 0 ? 'no-variant' : 'perturbed', variants },
    ...(seed === undefined ? {} : { seed }),
  };
}

async function joined(...rows: LgipRow[]): Promise<LgipRow[]> {
  async function* all(): AsyncGenerator<LgipRow> {
    await Promise.resolve();
    yield* rows;
  }
  const out: LgipRow[] = [];
  for await (const one of joinedDraws(lgipRows, all())) out.push(one);
  return out;
}

const textsOf = ({ variants }: LgipRow): string[] => variants.map(({ text }) => text);

describe('rows of several draws', () => {
  const [blue, green, image] = [
    variant('flip', 'a blue bus'),
    variant('flip', 'a green bus'),
    variant('paraphrase', 'a photo of a red bus'),
  ];

  it('become one row for each caption, with each distinct variant once', async () => {
    const [first, second, third, ...more] = await joined(
      row('a', 0, 42, image, blue),
      row('a', 1, 42, green),
      row('a', 0, 43, blue),
      row('a', 1, 43, blue),
      row('a', 0, 44, green),
      row('a', 1, 44, green),
      row('b', 0, 42, blue),
      row('b', 0, 43, blue),
    );
    assert.deepEqual(more, []);
    assert.deepEqual([first.example, first.caption, second.caption, third.example], ['a', 0, 1, 'b']);
    assert.deepEqual(textsOf(first), ['a photo of a red bus', 'a blue bus', 'a green bus']);
    assert.deepEqual(textsOf(second), ['a green bus', 'a blue bus']);
    assert.deepEqual(textsOf(third), ['a blue bus']);
    assert.equal('seed' in first, false);
  });

  it('keep a flip of a paraphrase with its paraphrase', async () => {
    const other = variant('paraphrase', 'an image of a red bus');
    const [only] = await joined(
      row('a', 0, 42, image, variant('combined', 'a photo of a blue bus', 0)),
      row('a', 0, 43, other, image, variant('combined', 'an image of a blue bus', 0)),
    );
    const combined = only.variants.filter(({ of }) => of !== undefined);
    assert.deepEqual(
      combined.map(({ text, of }) => [text, only.variants[of!].text]),
      [
        ['a photo of a blue bus', 'a photo of a red bus'],
        ['an image of a blue bus', 'an image of a red bus'],
      ],
    );
  });

  it('take what a draw with variants says of the caption', async () => {
    const [only] = await joined(row('a', 0, 42), row('a', 0, 43, blue));
    assert.deepEqual([only.outcome, textsOf(only)], ['perturbed', ['a blue bus']]);
  });

  it('leave the rows of one draw alone', async () => {
    const rows = [row('a', 0, undefined, blue), row('a', 0, undefined, blue), row('a', 1, undefined)];
    assert.deepEqual(await joined(...rows), rows);
  });

  it('have one mark, over the variants of all draws', async () => {
    const caught = { ...blue, gap: 0.1 };
    const missed = { ...green, gap: -0.1, delta: 0.1 };
    const [only] = await joined(row('a', 0, 42, caught), row('a', 0, 43, missed), row('a', 0, 44, caught));
    assert.equal(lgipRows.mark(only).hint, '1/2');
  });

  it('of long captions join, too', () => {
    const planted = (text: string) => ({
      kind: 'color' as const,
      text,
      span,
      was: span,
      score: 0.2,
      delta: -0.1,
    });
    const long = (seed: number, ...texts: string[]): LongRow => ({
      ...{
        example: 'a',
        row: 0,
        caption: 0,
        field: 'caption',
        text: 'A bus.',
        words: 2,
        sentences: [],
        seed,
      },
      ...{ score: 0.3, variants: texts.map(planted) },
    });
    const { seed, variants } = longRows.joined!([
      long(42, 'one', 'two'),
      long(43, 'two', 'three'),
    ]) as LongRow;
    assert.deepEqual([seed, variants.map(({ text }) => text)], [undefined, ['one', 'two', 'three']]);
  });
});
