const lengthBands = [
  { name: '1–8 words', below: 9 },
  { name: '9–11 words', below: 12 },
  { name: '12–15 words', below: 16 },
  { name: '16 words or more', below: Infinity },
] as const;

export function lengthBand(words: number): string {
  return lengthBands.find(({ below }) => words < below)!.name;
}
