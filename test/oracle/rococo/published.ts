/**
 * Counts published alterations whose replaced noun Captious also chooses, and those within a concept group:
 * tsx test/oracle/rococo/published.ts same_concept.json ENCODER… [--limit N]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createBench } from '../../../src/bench/createBench';
import { drawKey } from '../../../src/dataset/example';
import { openDataset } from '../../../src/dataset/open';
import { openEvaluator } from '../../../src/evaluator/open';
import { changedWord } from '../../../src/probe/rococo/alter';
import { type CaptionRef, chooseNoun, lowest, weigh } from '../../../src/probe/rococo/influence';

interface Published extends CaptionRef {
  altered: string;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { limit: { type: 'string' } },
  });
  const [path, ...refs] = positionals;
  const { signal } = new AbortController();
  const home = await mkdtemp(join(tmpdir(), 'captious-published-'));
  const bench = createBench({ store: join(home, 'store') });
  const evaluators = await Promise.all(refs.map((ref) => openEvaluator(ref, { home, signal })));
  try {
    const pairs: Published[] = [];
    let entries = 0;
    for await (const example of (await openDataset(path, { signal })).read({ signal })) {
      if (entries++ === Number(values.limit ?? Infinity)) break;
      const captions = example.captions.filter(({ role }) => role === 'caption');
      const altered = example.captions.filter(({ role }) => role === 'altered');
      if (captions.length !== altered.length) continue;
      captions.forEach((caption, index) =>
        pairs.push({
          ...{ example: example.id, index, text: caption.text, altered: altered[index].text },
          key: drawKey(example, caption),
        }),
      );
    }
    let [changed, nouns, same, grouped, inGroup] = [0, 0, 0, 0, 0];
    const alone = evaluators.map(() => 0);
    const chance: number[] = [];
    for (let from = 0; from < pairs.length; from += 1000) {
      const part = pairs.slice(from, from + 1000);
      for (const [at, caption] of (
        await weigh(bench, { audited: [], voters: evaluators }, part, signal)
      ).entries()) {
        const change = changedWord(caption.text, part[at].altered);
        if (change === undefined) continue;
        changed++;
        if (change.fromConcept !== undefined) {
          grouped++;
          if (change.fromConcept === change.toConcept) inGroup++;
        }
        const choice = chooseNoun(caption, 42);
        // Skips captions whose replaced word is not a noun for Captious, because Captious chooses only nouns.
        if (choice === undefined || !caption.nouns.some(({ lower }) => lower === change.from)) continue;
        nouns++;
        chance.push(caption.nouns.filter(({ lower }) => lower === change.from).length / caption.nouns.length);
        if (caption.nouns[choice.noun].lower === change.from) same++;
        evaluators.forEach((evaluator, e) => {
          const [least] = lowest(caption.influence.get(evaluator)!);
          if (caption.nouns[least].lower === change.from) alone[e]++;
        });
      }
    }
    const share = (part: number, whole: number): string =>
      `${((100 * part) / whole).toFixed(1)} % (${part} of ${whole})`;
    console.log(`pairs that differ in one word: ${changed} of ${pairs.length}`);
    console.log(`the word they replaced is a noun here: ${share(nouns, changed)}`);
    console.log(`same word chosen, of those: ${share(same, nouns)}`);
    evaluators.forEach(({ info }, e) => console.log(`  by ${info.id} alone: ${share(alone[e], nouns)}`));
    console.log(`  by guessing: ${((100 * chance.reduce((a, b) => a + b, 0)) / chance.length).toFixed(1)} %`);
    console.log(`same word chosen, of all: ${share(same, changed)}`);
    console.log(`the word they replaced is in a group here: ${share(grouped, changed)}`);
    console.log(`replacement in the same group, of those: ${share(inGroup, grouped)}`);
  } finally {
    await Promise.all([bench.close(), ...evaluators.map((evaluator) => evaluator.close())]);
    await rm(home, { recursive: true });
  }
}

void main();
