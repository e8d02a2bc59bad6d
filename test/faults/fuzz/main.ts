import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { fuzz } from './run';
import { targets } from './targets';

const usage = `npm run fuzz -- [--count N] [--seed N] [--target WORD]

Reads N inputs in all (a million by default), made of sound ones by changing them. What is found is printed with the
input that shows it and the seed that makes it again; the exit code is then 1.
Example: npm run fuzz -- --count 100000 --target dataset`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      target: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  });
  const [count, seed] = [Number(values.count), Number(values.seed)];
  const chosen = targets.filter(({ name }) => name.includes(values.target));
  if (values.help || !(count >= 1) || !Number.isSafeInteger(seed) || chosen.length === 0) {
    console.log(usage);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const shares = chosen.reduce((sum, { share }) => sum + share, 0);
  let inputs = 0;
  let seconds = 0;
  for (const target of chosen) {
    const done = await fuzz(target, Math.ceil((count * target.share) / shares), seed);
    inputs += done.inputs;
    seconds += done.seconds;
    console.log(
      `${done.name.padEnd(28)} ${String(done.inputs).padStart(8)} inputs ${done.seconds.toFixed(1).padStart(8)} s`,
    );
    if (done.find === undefined) continue;
    console.log(done.find);
    process.exitCode = 1;
  }
  console.log(`${inputs} inputs in ${seconds.toFixed(0)} s, seed ${seed}, load ${loadavg()[0].toFixed(1)}`);
}

void main();
