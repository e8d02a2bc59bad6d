import { randomInt } from 'node:crypto';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { fuzz } from './run';
import { targets } from './targets';

const usage = `npm run fuzz -- [--count N | --seconds N] [--seed N] [--target WORD]

Reads N inputs in all (a million by default), or as many as fit into N seconds, made of sound ones by changing them. The
seed is another one each time unless you name it. What is found is printed with the
input that shows it and the seed that makes it again; the exit code is then 1.
Example: npm run fuzz -- --count 100000 --target dataset`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '1000000' },
      seconds: { type: 'string' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      target: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  });
  const timed = values.seconds !== undefined;
  const [count, seed] = [timed ? 1e9 : Number(values.count), Number(values.seed)];
  const totalMs = Number(values.seconds ?? Infinity) * 1000;
  const chosen = targets.filter(({ name }) => name.includes(values.target));
  if (values.help || !(count >= 1) || !(totalMs > 0) || !Number.isSafeInteger(seed) || chosen.length === 0) {
    console.log(usage);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  console.log(`seed ${seed}`);
  const shares = chosen.reduce((sum, { share }) => sum + share, 0);
  let inputs = 0;
  let seconds = 0;
  for (const target of chosen) {
    const part = target.share / shares;
    const done = await fuzz(target, Math.ceil(count * part), seed, timed ? totalMs * part : undefined);
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
