import { readFileSync } from 'node:fs';

/** Makes distinct captions from those of the samples by adding numbers. */
export function distinctCaptions(count: number): string[] {
  const lines = readFileSync('samples/captions.jsonl', 'utf8').trim().split('\n');
  const captions = lines.map((line) => (JSON.parse(line) as { caption: string }).caption);
  return Array.from({ length: count }, (_, i) => `${captions[i % captions.length]} ${i}`);
}
