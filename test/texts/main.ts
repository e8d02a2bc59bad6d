// Draws generated texts for readers: npx tsx test/texts/main.ts KIND CORPUS SEED [COUNT]. README.md explains the lists.
import { corpora } from './corpora';
import { drawSamples, kinds } from './samples';

async function main(): Promise<void> {
  const [name, source, seed, count = '100'] = process.argv.slice(2);
  const kind = kinds.find((kind) => kind === name);
  const corpus = corpora.find((corpus) => corpus === source);
  if (kind === undefined || corpus === undefined || !/^\d+$/.test(seed ?? '') || !/^\d+$/.test(count)) {
    console.error(`usage: npx tsx test/texts/main.ts ${kinds.join('|')} ${corpora.join('|')} SEED [COUNT]`);
    process.exitCode = 2;
    return;
  }
  console.log('how\tcaption\tmade\tfirst reader\tsecond reader\tremark');
  for (const { how, caption, made } of await drawSamples(kind, corpus, Number(seed), Number(count)))
    console.log([how, caption, made].map((text) => text.replace(/\s+/g, ' ')).join('\t'));
}

void main();
