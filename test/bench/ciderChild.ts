/** Prints CIDEr of captions against references, and its time: ciderChild.ts CANDIDATES REFERENCES. */
import { readFileSync } from 'node:fs';
import { scoreOverlap } from '../../src/evaluator/overlap/overlap';
import { mean } from '../../src/stats/summary';

const [captions, references] = process.argv
  .slice(2)
  .map((path) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, string & string[]>);
const since = performance.now();
const items = Object.entries(captions).map(([image, caption]) => ({
  caption,
  references: references[image],
}));
const each = scoreOverlap(items, ['cider']).each.get('cider')!;
const seconds = (performance.now() - since) / 1000;
console.log(JSON.stringify({ seconds, score: mean(each), each: [...each] }));
