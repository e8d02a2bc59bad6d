import { join } from 'node:path';
import type { Example } from '../../src/dataset/example';
import { openDataset } from '../../src/dataset/open';
import type { Random } from '../../src/base/random';

const data = join('..', 'shared', 'data');

/**
 * `fitted` are the captions whose words and samples shaped the rules. No rule, list or sample has seen the captions
 * of `held-out`.
 */
export type Corpus = 'fitted' | 'held-out';
export const corpora: readonly Corpus[] = ['fitted', 'held-out'];

/** COCO's test captions, as RoCOCO publishes them. */
const fittedFile = join(data, 'rococo', 'coco_karpathy_test.json');
const heldOut: readonly (readonly string[])[] = [
  ['sugar-crepe/add_att.json', 'sugar-crepe/replace_obj.json', 'sugar-crepe/swap_obj.json'],
  ['valse/foil-it.json', 'valse/relations.json'],
  ['vsr/random_test.jsonl'],
];

/** The examples of a corpus in a seeded order. The sources of `held-out` take turns. */
export async function examplesOf(corpus: Corpus, random: Random): Promise<Example[]> {
  const fitted = await read([fittedFile]);
  if (corpus === 'fitted') return random.shuffle(fitted);
  const seen = new Set(
    fitted.flatMap(({ images, captions }) => [
      numberOf(images[0].name),
      ...captions.map(({ text }) => text.trim()),
    ]),
  );
  const sources: Example[][] = [];
  for (const files of heldOut) {
    const examples = (await read(files.map((file) => join(data, file)))).filter(({ images, captions }) => {
      const keys = [numberOf(images[0].name), captions[0].text.trim()];
      if (keys.some((key) => seen.has(key))) return false;
      seen.add(keys[1]);
      return true;
    });
    sources.push(random.shuffle(examples));
  }
  const turns = Math.max(...sources.map(({ length }) => length));
  return Array.from({ length: turns }, (_, turn) =>
    sources.flatMap((source) => source.slice(turn, turn + 1)),
  ).flat();
}

/** The examples with a right caption. An id names its file, because the files number their entries alike. */
async function read(files: readonly string[]): Promise<Example[]> {
  const examples: Example[] = [];
  for (const file of files)
    for await (const example of (await openDataset(file)).read({})) {
      const captions = example.captions.filter(({ role }) => role === 'caption');
      const id =
        files.length > 1 || file !== fittedFile ? `${file.split(/[\\/]/).at(-1)}:${example.id}` : example.id;
      if (captions.length > 0) examples.push({ ...example, id, form: 'captions', captions });
    }
  return examples;
}

/** An image of COCO has one number in the files of all years. */
function numberOf(name: string): string {
  return /(\d+)\.jpg$/.exec(name)?.[1].padStart(12, '0') ?? name;
}
