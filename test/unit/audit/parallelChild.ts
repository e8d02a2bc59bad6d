import { createInterface } from 'node:readline';
import { runAudit } from '../../../src/audit/run';
import { FakeEvaluator } from '../bench/fakeEvaluator';

/** Audits DATASET into each folder that a line of standard input names, and prints the report's path. */
async function main([dataset, home]: string[]): Promise<void> {
  const evaluators = [new FakeEvaluator()];
  for await (const out of createInterface(process.stdin)) {
    const { signal } = new AbortController();
    const [{ path }] = await runAudit({ dataset, probes: ['visla'], evaluators, home, out, signal });
    console.log(path);
  }
}

void main(process.argv.slice(2));
