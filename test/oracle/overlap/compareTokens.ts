/**
 * Lists every caption that Captious and pycocoevalcap split into different words:
 *   .venv/bin/python test/oracle/overlap/pycocoevalcap_scores.py samples/captions.json --fuzz 10000 1 > fuzz.jsonl
 *   npx tsx test/oracle/overlap/compareTokens.ts fuzz.jsonl
 */
import { readFileSync } from 'node:fs';
import { captionWords } from '../../../src/evaluator/overlap/ptb';

const lines = process.argv.slice(2).flatMap((path) => readFileSync(path, 'utf8').trim().split('\n'));
let different = 0;
for (const line of lines) {
  const { caption, tokens } = JSON.parse(line) as { caption: string; tokens: string };
  const own = captionWords(caption).join(' ');
  if (own === tokens) continue;
  different++;
  console.log(`${caption}\n  pycocoevalcap: ${tokens}\n  Captious:      ${own}`);
}
console.log(`${different} of ${lines.length} captions differ.`);
if (different > 0) process.exitCode = 1;
