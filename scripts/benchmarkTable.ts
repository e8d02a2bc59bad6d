/*
 * The table of benchmarks in docs/benchmark.md, from files in a folder: npx tsx scripts/benchmarkTable.ts FOLDER. Word orders
 * of ARO's kinds are made from the captions of COCO's Karpathy test split.
 */
import { join } from 'node:path';
import { Random } from '../src/base/random';
import { append } from '../src/base/lists';
import { atOnce } from '../src/base/turns/steps';
import { parseFieldMap } from '../src/dataset/fields/fields';
import { openDataset } from '../src/dataset/open';
import { tag } from '../src/perturb/text/tagger';
import { type Baseline, blindColumns } from '../src/probe/benchmark/blind/baselines';
import { Corpus } from '../src/probe/benchmark/blind/corpus';
import { imageBlind, orderBlind } from '../src/probe/benchmark/ceilings';
import { faultsIn } from '../src/probe/benchmark/faults';
import { type Item, itemsOf } from '../src/probe/benchmark/items';

const seed = 42;
const shown = ['shorter', 'frequency', 'unigram', 'bigram', 'lm'] as const satisfies Baseline[];

const files = [
  'sugar-crepe/add_att.json',
  'sugar-crepe/replace_obj.json',
  'sugar-crepe/swap_obj.json',
  'sugar-crepe-pp/replace_obj.json',
  'sugar-crepe-pp/swap_att.json',
  'valse/counting-small-quant.json',
  'valse/existence.json',
  'valse/foil-it.json',
  'valse/plurals.json',
  'valse/relations.json',
  'visla/Generic_VISLA.tsv',
  'cola/COLA_multiobjects_matching_benchmark.json',
];

async function itemsIn(path: string, map?: string): Promise<Item[]> {
  const items: Item[] = [];
  const dataset = await openDataset(path, map === undefined ? {} : { map: parseFieldMap(map) });
  for await (const example of dataset.read()) append(items, itemsOf(example));
  return items;
}

function itemOf(row: number, image: string, captions: string[], right = 0): Item {
  const shared = { example: String(row), row, image, observation: image, seen: image, tags: {} };
  return { ...shared, captions, right, isList: false };
}

/** Two images and two captions as Winoground has them: each image asks for its caption, and both are one observation. */
function crossed(items: readonly Item[]): Item[] {
  return items.flatMap(({ row, captions }) =>
    [0, 1].map((right) => itemOf(row, String(row), [...captions], right)),
  );
}

type Shuffle = (words: string[], isKept: (at: number) => boolean, draws: Random) => string[];

/** Exchanges the chosen words among one another. */
function exchanged(words: readonly string[], at: readonly number[], draws: Random): string[] {
  const own = [...words];
  for (const [i, from] of draws.shuffle(at).entries()) own[at[i]] = words[from];
  return own;
}

function inTrigrams(words: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(words.length / 3) }, (_, i) => words.slice(3 * i, 3 * i + 3));
}

const places = (words: readonly string[], holds: (at: number) => boolean): number[] =>
  [...words.keys()].filter(holds);

/** The four changes of ARO (Yuksekgonul et al., 2023), whose authors shuffle words of a caption by their part of speech. */
const shuffles: Readonly<Record<string, Shuffle>> = {
  'nouns and adjectives': (words, isNoun, draws) => exchanged(words, places(words, isNoun), draws),
  'all but nouns and adjectives': (words, isNoun, draws) =>
    exchanged(
      words,
      places(words, (at) => !isNoun(at)),
      draws,
    ),
  'within trigrams': (words, _, draws) => inTrigrams(words).flatMap((own) => draws.shuffle(own)),
  trigrams: (words, _, draws) => draws.shuffle(inTrigrams(words)).flat(),
};

/** An item for the first caption of each image, unless no order differs from the caption's. */
export function wordOrders(captions: readonly { image: string; text: string }[], kind: string): Item[] {
  return captions.flatMap(({ image, text }, row) => {
    const tokens = (tag(text) ?? []).filter(({ pos }) => pos !== 'PUNCT');
    const words = tokens.map(({ lower }) => lower);
    const isNoun = (at: number): boolean => /^(?:NOUN|PROPN|ADJ)$/.test(tokens[at].pos);
    const right = words.join(' ');
    const draws = new Random(seed, text, 'word order', kind);
    const wrong = shuffles[kind](words, isNoun, draws).join(' ');
    return wrong === right ? [] : [itemOf(row, image, [right, wrong])];
  });
}

function lineFor(name: string, items: readonly Item[]): string {
  const mean = (shares: Float64Array): string =>
    (shares.reduce((sum, share) => sum + share, 0) / shares.length).toFixed(3);
  const corpus = new Corpus(items, seed);
  const blind = new Map(atOnce(blindColumns(corpus)));
  const faults = [...atOnce(faultsIn(corpus, {}))].flatMap(([fault, flags]) => {
    const count = flags.reduce((sum, flag) => sum + flag, 0);
    return count === 0 ? [] : [`${fault} ${count}`];
  });
  const cells = [
    ...[name, String(items.length), mean(orderBlind(items).shares), mean(imageBlind(items).shares)],
    ...shown.map((baseline) => mean(blind.get(baseline)!.shares)),
    faults.join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The lines of the table. */
export async function benchmarkTable(folder: string): Promise<string[]> {
  const lines: string[] = [];
  for (const file of files) lines.push(lineFor(`\`${file}\``, await itemsIn(join(folder, file))));
  const map = 'image=image,caption=caption,negative=negative_caption';
  const bivlc = await itemsIn(join(folder, 'bivlc/BiVLC_ViT-B-32.csv'), map);
  lines.push(lineFor('BiVLC, its first images', bivlc));
  lines.push(lineFor("BiVLC in Winoground's form", crossed(bivlc)));
  const captions: { image: string; text: string }[] = [];
  for await (const { images, captions: own } of (
    await openDataset(join(folder, 'rococo/coco_karpathy_test.json'))
  ).read())
    captions.push({ image: images[0].name, text: own[0].text });
  for (const kind of Object.keys(shuffles))
    lines.push(lineFor(`COCO, shuffled: ${kind}`, wordOrders(captions, kind)));
  return lines;
}

async function main(): Promise<void> {
  const heads = ['file', 'items', 'order ceiling', 'image ceiling', ...shown, 'faults'];
  console.log(`| ${heads.join(' | ')} |`);
  console.log(`| ${heads.map((_, i) => (i === 0 || i === heads.length - 1 ? '---' : '---:')).join(' | ')} |`);
  for (const line of await benchmarkTable(process.argv[2])) console.log(line);
}

if (process.argv[1].endsWith('benchmarkTable.ts')) void main();
