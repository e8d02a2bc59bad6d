/* Measures on a sample how far a draft is from float32. */
import { Random } from '../../base/random';
import { say, type Words } from '../../base/say';
import { largest } from '../../base/extent';
import type { Report } from '../../report/report';
import { median } from '../../stats/summary';
import { exampleKey, LineReader, type Rescoring, type ScoredLine } from './lines';

type Measured = NonNullable<Report['draft']>;

const mostExamples = 200;
/** With fewer lines, a median says nothing of the others. */
const fewestLines = 5;

/** Compares the lines of up to 200 examples with those in float32. Undefined if there are too few. */
export async function measureDraft(run: Rescoring): Promise<Measured | undefined> {
  const sample = await sampleOf(run);
  const drafts = new Map<string, ScoredLine>();
  const reader = new LineReader(run.probe);
  for await (const row of run.rows())
    if (sample.has(exampleKey(row))) for (const line of reader.linesOf(row)) drafts.set(line.key, line);
  const examples = new Set<string>();
  const changes: number[] = [];
  const [decisions, right] = [
    { same: 0, changed: 0 },
    { draft: 0, exact: 0 },
  ];
  const exactReader = new LineReader(run.probe);
  await run.score(sample, (row) => {
    for (const exact of exactReader.linesOf(row)) {
      const draft = drafts.get(exact.key);
      if (draft === undefined) continue;
      examples.add(exampleKey(row));
      changes.push(Math.abs(exact.delta - draft.delta));
      if (draft.verdict === 'none' && exact.verdict === 'none') continue;
      decisions[draft.verdict === exact.verdict ? 'same' : 'changed']++;
      if (draft.verdict === 'right') right.draft++;
      if (exact.verdict === 'right') right.exact++;
    }
  });
  if (changes.length < fewestLines) return undefined;
  return {
    examples: examples.size,
    lines: changes.length,
    changes: { median: median(changes), largest: largest(changes) },
    ...(decisions.same + decisions.changed === 0 ? {} : { decisions, right }),
  };
}

/** The examples that come first in a random order, which depends on the seed and on nothing else. */
async function sampleOf({ rows, seed }: Rescoring): Promise<ReadonlySet<string>> {
  let drawn = new Map<string, number>();
  let bound = 1;
  const keepFirst = (): void => {
    const first = [...drawn].sort(([, a], [, b]) => a - b).slice(0, mostExamples);
    drawn = new Map(first);
    if (first.length === mostExamples) bound = first[first.length - 1][1];
  };
  let last = '';
  for await (const row of rows()) {
    const key = exampleKey(row);
    if (key === last) continue;
    last = key;
    const turn = new Random(seed, key, 'draft').uniform();
    if (turn <= bound) drawn.set(key, turn);
    if (drawn.size >= 2 * mostExamples) keepFirst();
  }
  keepFirst();
  return new Set(drawn.keys());
}

/** The measurement in one sentence. */
export function measuredWords(precision: string, { examples, changes, decisions, right }: Measured): Words {
  const sizes = [changes.median, changes.largest].map((size) => size.toPrecision(2));
  if (decisions === undefined || right === undefined)
    return say('draft.measured', precision, examples, ...sizes);
  const { same, changed } = decisions;
  return say(
    'draft.measuredDecisions',
    ...[precision, examples, changed, same + changed],
    ...[...sizes, right.draft, right.exact],
  );
}
