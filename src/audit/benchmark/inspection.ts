/* What `inspect` says about a dataset, with findings about the items of a benchmark. */
import { Random } from '../../base/random';
import { inTurns } from '../../base/turns/steps';
import type { Example } from '../../dataset/example';
import { inspectDataset, type InspectOptions, type Inspection } from '../../dataset/inspect';
import { type Glance, glanceAt } from '../../probe/benchmark/glance';
import { type Item, itemsOf } from '../../probe/benchmark/items';
import { benchmarkView } from '../../probe/benchmark/view';
import { defaultSeed } from '../output/folder';

/** The most examples whose items are checked. Of more, a random sample of as many is checked. */
const mostExamples = 2500;

export interface BenchmarkInspection extends Inspection {
  /** Only for right and wrong captions of 20 images or more. `of`: the number of all examples, if `examples` are a sample. */
  benchmark?: Glance & { examples: number; of?: number };
}

export async function inspectBenchmark(
  path: string,
  options: InspectOptions = {},
): Promise<BenchmarkInspection> {
  const sample = new Sample();
  const found = await inspectDataset(path, { ...options, onExample: (example) => sample.offer(example) });
  const { items, examples, seen } = sample;
  const isSample = seen > examples;
  const glance = await inTurns(glanceAt(items, defaultSeed, isSample), options.signal);
  if (glance === undefined) return found;
  return { ...found, benchmark: { examples, ...(isSample ? { of: seen } : {}), ...glance } };
}

/** A uniform sample of the examples with choices between captions by a reservoir. */
class Sample {
  seen = 0;
  private readonly draws = new Random(defaultSeed, 'inspect sample');
  private readonly kept: { at: number; items: Item[] }[] = [];

  offer(example: Example): void {
    if (!benchmarkView.madeFor.some((form) => form === example.form)) return;
    const at = this.seen++;
    const place = at < mostExamples ? at : this.draws.below(at + 1);
    if (place < mostExamples) this.kept[place] = { at, items: itemsOf(example) };
  }

  get examples(): number {
    return this.kept.length;
  }

  /** In the order of the file. */
  get items(): Item[] {
    return this.kept.toSorted((a, b) => a.at - b.at).flatMap(({ items }) => items);
  }
}
