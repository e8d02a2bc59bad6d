import { join } from 'node:path';
import type { Caption, Example } from '../../src/dataset/example';
import { openDataset } from '../../src/dataset/open';
import type { Random } from '../../src/base/random';

const data = join('..', 'shared', 'data');

/**
 * `fitted` are the captions whose words and samples shaped the rules. No rule, list or sample has seen the captions
 * of `held-out` and `further`. `further` is for kinds that `held-out` has few texts of.
 */
export type Corpus = 'fitted' | 'held-out' | 'further';
export const corpora: readonly Corpus[] = ['fitted', 'held-out', 'further'];

/** COCO's test captions, as RoCOCO publishes them. */
const fittedFile = join(data, 'rococo', 'coco_karpathy_test.json');
const unseen: Readonly<Record<'held-out' | 'further', readonly (readonly string[])[]>> = {
  'held-out': [
    ['sugar-crepe/add_att.json', 'sugar-crepe/replace_obj.json', 'sugar-crepe/swap_obj.json'],
    ['valse/foil-it.json', 'valse/relations.json'],
    ['vsr/random_test.jsonl'],
  ],
  further: [
    ['sugar-crepe-pp/replace_obj.json', 'sugar-crepe-pp/swap_att.json'],
    ['valse/plurals.json', 'valse/counting-small-quant.json', 'valse/existence.json'],
    ['bivlc/BiVLC_ViT-B-32.csv', 'cola/COLA_multiobjects_matching_benchmark.json'],
    ['coco/captions.json'],
  ],
};

/** Every corpus is read beside the fitted one, so it is read once. */
let fittedRead: Promise<Example[]> | undefined;

/** The examples of a corpus in a seeded order. The sources of unseen captions take turns. */
export async function examplesOf(corpus: Corpus, random: Random): Promise<Example[]> {
  const fitted = await (fittedRead ??= read([fittedFile]));
  if (corpus === 'fitted') return random.shuffle(fitted);
  const seen = new Set(
    fitted.flatMap(({ images, captions }) => [numberOf(images[0].name), ...textsOf(captions)]),
  );
  if (corpus === 'further')
    for (const { captions } of await read(unseen['held-out'].flat().map((file) => join(data, file))))
      for (const text of textsOf(captions)) seen.add(text);
  const sources: Example[][] = [];
  for (const files of unseen[corpus]) {
    const examples = (await read(files.map((file) => join(data, file)))).filter(({ images, captions }) => {
      const texts = textsOf(captions);
      if ([numberOf(images[0].name), ...texts].some((key) => seen.has(key))) return false;
      for (const text of texts) seen.add(text);
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

function textsOf(captions: readonly Caption[]): string[] {
  return captions.map(({ text }) => text.trim());
}

/** An image of COCO has one number in the files of all years. */
function numberOf(name: string): string {
  return /(\d+)\.jpg$/.exec(name)?.[1].padStart(12, '0') ?? name;
}
