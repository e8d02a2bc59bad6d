// Draws generated texts for readers: npx tsx test/texts/main.ts KIND SEED [COUNT]. README.md explains the lists.
import { drawSamples, kinds } from './samples';

async function main(): Promise<void> {
  const [name, seed, count = '100'] = process.argv.slice(2);
  const kind = kinds.find((kind) => kind === name);
  if (kind === undefined || !/^\d+$/.test(seed ?? '') || !/^\d+$/.test(count)) {
    console.error(`usage: npx tsx test/texts/main.ts ${kinds.join('|')} SEED [COUNT]`);
    process.exitCode = 2;
    return;
  }
  console.log('how\tcaption\tmade\tfirst reader\tsecond reader\tremark');
  for (const { how, caption, made } of await drawSamples(kind, Number(seed), Number(count)))
    console.log([how, caption, made].map((text) => text.replace(/\s+/g, ' ')).join('\t'));
}

void main();
