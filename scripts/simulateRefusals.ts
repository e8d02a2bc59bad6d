/* Simulates RoCOCO's metrics of an evaluator that refuses pairs, against the run without refusals; prints a table for docs/statistics.md. */
import { atOnce } from '../src/base/turns/steps';
import type { Outcome } from '../src/base/outcome';
import type { Evaluator } from '../src/evaluator/evaluator';
import { Ranker } from '../src/evaluator/ranking/ranking';
import type { Metric } from '../src/probe/metric';
import type { GalleryContext } from '../src/probe/probe';
import { hitsOf, RetrievalFigures } from '../src/probe/rococo/retrieval';
import { ScoreSearch } from '../src/probe/rococo/search/search';
import type { ImageItem, Want } from '../src/protocol/item';
import { Draws } from '../src/stats/draws';
import { normalQuantile } from '../src/stats/normal';

/** The number of pairs of runs for each line, and only the lines that start with the second argument. */
const runs = Number(process.argv[2] ?? 16);
const only = process.argv[3] ?? '';
const images = 100;
const captionsPerImage = 2;
const draws = new Draws('refusals', 1);
const normal = (): number => normalQuantile(draws.uniform());

/** How likely the evaluator refuses a text with any image. A tenth of the captions are delicate, with their altered versions. */
type Rate = (text: { isAltered: boolean; isDelicate: boolean }) => number;

const cases: readonly { name: string; rate: Rate }[] = [
  ...[0.02, 0.05, 0.2].map((share) => ({ name: `${share * 100} % at random`, rate: () => share })),
  ...[0.02, 0.05, 0.2].map((share) => ({
    name: `${share * 100} %, nine times as often for a tenth of the captions`,
    rate: (({ isDelicate }) => (isDelicate ? 5 * share : (5 / 9) * share)) satisfies Rate,
  })),
  ...[0.02, 0.05, 0.2].map((share) => ({
    name: `${share * 100} %, only altered captions`,
    rate: (({ isAltered }) => (isAltered ? share : 0)) satisfies Rate,
  })),
];

const metrics = ['i2t.r1', 'i2t.stressed.r1', 'i2t.dropRate', 'i2t.rsms', 't2i.r1'];

interface Text {
  text: string;
  owner: number;
  isAltered: boolean;
  isDelicate: boolean;
}

/** One gallery: the scores of each text with each image, and whether the evaluator refuses the pair. */
class Gallery {
  readonly images = Array.from({ length: images }, (_, i): ImageItem => ({
    ...{ kind: 'image', source: { name: String(i), path: String(i) }, transforms: [] },
  }));
  readonly captions: Text[] = [];
  readonly altered: Text[] = [];
  private readonly scores = new Map<string, Float64Array>();
  private readonly refused = new Map<string, boolean[]>();

  constructor(rate: Rate) {
    for (let owner = 0; owner < images; owner++)
      for (let c = 0; c < captionsPerImage; c++) {
        const isDelicate = draws.uniform() < 0.1;
        const own = 2.6 + normal();
        const shared = Array.from({ length: images }, normal);
        for (const isAltered of [false, true]) {
          const one = { text: `${owner} ${c} ${isAltered}`, owner, isAltered, isDelicate };
          (isAltered ? this.altered : this.captions).push(one);
          // An altered caption scores almost as high with the image, and like the caption with other images.
          const score = (at: number): number =>
            at === owner ? own - (isAltered ? 0.6 + 0.6 * normal() : 0) : 0.8 * shared[at] + 0.6 * normal();
          this.scores.set(
            one.text,
            Float64Array.from({ length: images }, (_, at) => score(at)),
          );
          this.refused.set(
            one.text,
            Array.from({ length: images }, () => draws.uniform() < rate(one)),
          );
        }
      }
  }

  score(at: number, text: string, refuses: boolean): Outcome<number> {
    return refuses && this.refused.get(text)![at]
      ? { ok: false, problem: 'refused' }
      : { ok: true, value: this.scores.get(text)![at] };
  }

  /** The metrics of one run, by the search of the probe. */
  async measure(ranker: Ranker, refuses: boolean): Promise<Map<string, number>> {
    const scores = (_: Evaluator, wants: readonly Want[]): Promise<Outcome<number>[]> =>
      Promise.resolve(
        wants.map(({ left, right }) => {
          const image = left as ImageItem;
          return this.score(Number(image.source.name), (right as { text: string }).text, refuses);
        }),
      );
    const { signal } = new AbortController();
    const context = { bench: { scores }, signal } as unknown as GalleryContext;
    const evaluator = { info: { name: 'simulated' } } as Evaluator;
    const search = new ScoreSearch(context, ranker, evaluator, Infinity, () => undefined);
    // As in the probe, a caption that is refused with its own image does not take part.
    const clean = this.captions.filter(({ text, owner }) => this.score(owner, text, refuses).ok);
    const asked = [...new Set(clean.map(({ owner }) => owner))];
    const askedImages = { items: asked.map((owner) => this.images[owner]) };
    const texts = { items: clean.map(({ text }) => text) };
    const altered = {
      items: this.altered.filter(({ owner }) => asked.includes(owner)).map(({ text }) => text),
    };
    const truths = asked.map((owner) => clean.flatMap((one, item) => (one.owner === owner ? [item] : [])));
    const i2t = new RetrievalFigures();
    const results = await search.rank(askedImages, texts, truths);
    const stressed = await search.stress(askedImages, results, altered, [], () => undefined);
    for (const [q, { clean: left, altered: added }] of stressed.entries())
      i2t.add([{ ...hitsOf(left, added), clean: hitsOf(results[q]).clean }], q);
    const t2i = new RetrievalFigures();
    const found = await search.rank(
      texts,
      askedImages,
      clean.map(({ owner }) => [asked.indexOf(owner)]),
    );
    for (const [q, result] of found.entries()) t2i.add([hitsOf(result)], clean[q].owner);
    const all: Metric[] = [
      ...atOnce(i2t.cleanMetrics('i2t')),
      ...atOnce(i2t.stressedMetrics('i2t')),
      ...atOnce(t2i.cleanMetrics('t2i')),
    ];
    return new Map(all.flatMap(({ id, value }) => (value === null ? [] : [[id, value] as const])));
  }
}

async function simulate(): Promise<void> {
  const ranker = new Ranker();
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  console.log(`| refusals | ${metrics.join(' | ')} |\n| --- |${' ---: |'.repeat(metrics.length)}`);
  const whole = new Map(metrics.map((id) => [id, [] as number[]]));
  for (const { name, rate } of cases.filter((one) => one.name.startsWith(only))) {
    const differences = new Map(metrics.map((id) => [id, [] as number[]]));
    for (let run = 0; run < runs; run++) {
      const gallery = new Gallery(rate);
      const before = await gallery.measure(ranker, false);
      const after = await gallery.measure(ranker, true);
      for (const id of metrics) {
        whole.get(id)!.push(before.get(id)!);
        differences.get(id)!.push(after.get(id)! - before.get(id)!);
      }
    }
    const cells = metrics.map((id) => mean(differences.get(id)!).toFixed(3));
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
  console.log(`| without refusals | ${metrics.map((id) => mean(whole.get(id)!).toFixed(3)).join(' | ')} |`);
  await ranker.close();
}

void simulate();
