/* Rows of many captions with seeded scores, for tests of how long the metrics of a probe block. */
import { Xoshiro } from '../../../src/base/xoshiro';
import type { Example } from '../../../src/dataset/example';
import type { Row } from '../../../src/probe/metric';
import type { ChoiceRow } from '../../../src/probe/choice/row';
import type { ExplainRow } from '../../../src/probe/explain/row';
import type { ExploitRow } from '../../../src/probe/exploit/row';
import type { InvarianceRow, InvarianceVariant } from '../../../src/probe/invariance/row';
import type { LgipRow, LgipVariant } from '../../../src/probe/lgip/row';
import type { LongRow, LongVariant } from '../../../src/probe/long/row';
import type { SugarcrepeRow } from '../../../src/probe/sugarcrepe/row';
import type { VislaRow } from '../../../src/probe/visla/row';
import type { WinogroundRow } from '../../../src/probe/winoground/row';

const draws = new Xoshiro(Uint32Array.of(1, 2, 3, 4));
const uniform = (): number => draws.bits() / 2 ** 32;

function of(row: number, perImage = 1): Row {
  return { example: `e${row}`, row, image: `i${Math.floor(row / perImage)}.jpg` };
}

const span = [0, 1] as const;

function lgipRow(row: number): LgipRow {
  const score = uniform();
  const variant = (family: LgipVariant['family'], kind: string): LgipVariant => {
    const own = uniform();
    const shared = { text: 'x', family, kind, rule: kind, score: own, delta: own - score, span, was: span };
    return family === 'paraphrase' ? shared : { ...shared, gap: score - own, distance: uniform() };
  };
  const variants = [
    ...['template', 'synonym'].map((kind) => variant('paraphrase', kind)),
    ...['color', 'object', 'number'].map((kind) => variant('flip', kind)),
    { ...variant('combined', 'color'), of: 0, gapToParaphrase: uniform() - 0.5 },
  ];
  const text = 'a red bus';
  return {
    ...{ ...of(row, 5), caption: 0, field: 'caption', text, words: 3 + (row % 14) },
    ...{ outcome: 'perturbed' as const, score, variants },
  };
}

function exploitRow(row: number): ExploitRow {
  const score = uniform();
  const edit = (family: ExploitRow['edits'][number]['family'], kind: string) => {
    const [own, neutral] = [uniform(), uniform()];
    return {
      ...{ family, kind, text: 'x', score: own, delta: own - score, span, was: span },
      control: { text: 'y', score: neutral, delta: neutral - score },
    };
  };
  return {
    ...{ ...of(row, 5), caption: 0, field: 'caption', text: 'a red bus', words: 3 + (row % 14), score },
    edits: [edit('repeat', 'noun'), edit('repeat', 'caption'), edit('quality', 'praise')],
    omitted: ['drop'],
    universal: { own: [score], others: [1, 2, 3].map((at) => ({ text: `caption ${at}`, score: uniform() })) },
  };
}

function invarianceRow(row: number): InvarianceRow {
  const score = uniform();
  const spatial: [string, string][] = [
    ['vflip', ''],
    ['hflip', ''],
    ['rotation', '-5'],
    ['rotation', '+5'],
    ['blur', '1'],
  ];
  const words: [string, string][] = [
    ['gender', 'male'],
    ['gender', 'female'],
    ['neutral', 'plain'],
  ];
  const changed = (
    axis: InvarianceVariant['axis'],
    [family, variant]: [string, string],
  ): InvarianceVariant => {
    const own = score + 0.1 * (uniform() - 0.5);
    return {
      ...{ axis, family, variant, against: score, score: own, delta: own - score },
      change: (100 * (own - score)) / score,
    };
  };
  return {
    ...{ ...of(row, 5), objects: 'none', source: 'dataset', caption: 0, field: 'caption' },
    ...{ text: `text ${row}`, score, rejected: [] },
    variants: [
      ...spatial.map((name) => changed('spatial', name)),
      ...words.map((name) => changed('societal', name)),
    ],
  };
}

function vislaRow(row: number): VislaRow {
  const [p1p2, p1n, p2n, p1, p2, n] = Array.from({ length: 6 }, uniform);
  const edges = { p1p2: row % 20, p1n: row % 15, p2n: row % 18 };
  const settings = (['both right', 'both wrong', 'only t2t', 'only i2t'] as const)[row % 4];
  return {
    ...{ ...of(row, 2), p1: 'a', p2: 'b', n: 'c', swapped: false, characters: edges, words: edges },
    t2t: { p1p2, p1n, p2n, right: p1p2 > Math.max(p1n, p2n), tie: false },
    i2t: { p1, p2, n, right: Math.min(p1, p2) > n, tie: false },
    settings,
  };
}

function choiceRow(row: number): ChoiceRow {
  return {
    ...{ ...of(row, 2), captions: ['a', 'b'], images: ['x.jpg', 'y.jpg'], rightOf: [0, 1] },
    scores: [0, 1].map(() => [uniform(), uniform()]),
    tags: { kind: `k${row % 7}`, part: `p${row % 3}` },
    by: { tag: 'kind', within: 'part' },
  };
}

function winogroundRow(row: number): WinogroundRow {
  const [c0i0, c1i0, c0i1, c1i1] = Array.from({ length: 4 }, uniform);
  const [text, image] = [c0i0 > c1i0 && c1i1 > c0i1, c0i0 > c0i1 && c1i1 > c1i0];
  return {
    ...{ ...of(row), captions: ['a', 'b'], images: ['x.jpg', 'y.jpg'] },
    ...{ c0i0, c1i0, c0i1, c1i1, right: { text, image, group: text && image }, tags: { tag: `t${row % 9}` } },
  };
}

function sugarcrepeRow(row: number): SugarcrepeRow {
  const [caption, negative] = [uniform(), uniform()];
  return {
    ...{ ...of(row, 2), caption: 'a', negative: 'b', text: uniform() },
    i2t: { caption, negative, right: caption > negative, tie: false },
    tags: { kind: `k${row % 7}` },
  };
}

function longRow(row: number): LongRow {
  const score = uniform();
  const variant = (kind: LongVariant['kind']): LongVariant => {
    const own = uniform();
    return { kind, text: 'x', span, was: span, score: own, delta: own - score };
  };
  const variants = (['object', 'color', 'number'] as const).map((kind) => {
    const position = uniform();
    return { ...variant(kind), position, decile: Math.floor(10 * position) + 1, past: position > 0.8 };
  });
  return {
    ...{ ...of(row), caption: 0, field: 'caption', text: 'A dog. A cat. A bird.', words: 30 + (row % 150) },
    ...{ sentences: [[0, 6] as const], score },
    variants: [...variants, variant('delete'), variant('repeat'), variant('move')],
  };
}

function explainRow(row: number): ExplainRow {
  const score = uniform();
  const kinds = ['function', 'color', 'noun', 'verb', 'relation', 'noun'] as const;
  const words = kinds.map((kind, at) => {
    const own = uniform();
    return {
      ...{ word: `${kind} ${row % 30}`, span, at, kind, text: 'x', score: own, influence: score - own },
    };
  });
  return {
    ...{ ...of(row, 5), caption: 0, field: 'caption', text: 'a red bus', score, length: 6, words },
  };
}

/** A row of each probe that scores pairs. */
export const rowOf = {
  lgip: lgipRow,
  exploit: exploitRow,
  visla: vislaRow,
  choice: choiceRow,
  sugarcrepe: sugarcrepeRow,
  winoground: winogroundRow,
  invariance: invarianceRow,
  long: longRow,
  explain: explainRow,
} satisfies Record<string, (row: number) => Row>;

export type PairProbeId = keyof typeof rowOf;

/** A number between 0 and 1 that depends on the texts only. */
export function scoreFor(...texts: readonly string[]): number {
  let hash = 7;
  for (const text of texts)
    for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x9e3779b1);
  return (hash >>> 0) / 2 ** 32;
}

function example(row: number, form: Example['form'], texts: readonly string[]): Example {
  return {
    ...{ id: `e${row}`, form, row, images: [{ name: `i${row}.jpg` }], attributes: {} },
    captions: texts.map((text) => ({ text, role: 'caption', image: 0, field: 'caption' })),
  };
}

/** Examples of the probes that rank all images, and of the probe that compares with people's judgments. */
export const exampleOf: Readonly<Record<string, (row: number) => Example>> = {
  human: (row) => ({
    ...example(row, 'rating', [`a caption ${row}`]),
    captions: [0, 1].map((at) => ({
      ...{ text: `a caption ${row} ${at}`, role: 'candidate' as const, image: 0, field: 'caption' },
      ratings: [1 + (row % 4), 1 + ((row + at) % 4), 1 + ((row * 7) % 4)],
    })),
  }),
  prsm: (row) => ({
    ...example(row, 'captions', [`a caption ${row}`]),
    attributes: { group: `g${row % 2}` },
  }),
  rococo: (row) => {
    const made = example(row, 'altered', [`a red bus ${row}`, `a blue bus ${row}`]);
    const altered = { text: `a red train ${row}`, role: 'altered' as const, image: 0, field: 'caption' };
    return { ...made, captions: [...made.captions, altered] };
  },
};
