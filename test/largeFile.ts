/** 48 MiB. The editor passes only files of up to 50 MiB to extensions. */
export const largeBytes = 48 << 20;

/** Triplets as a JSON list, one entry per line. */
export function largeDataset(bytes: number): string {
  const things = ['bus', 'cat', 'kite', 'horse', 'sofa', 'boat', 'clock', 'pizza'];
  const entries: string[] = [];
  let size = 0;
  for (let i = 0; size < bytes; i++) {
    const [thing, other] = [things[i % 8], things[(i * 5 + 3) % 8]];
    const entry = JSON.stringify({
      image: `${i}.jpg`,
      caption: `A ${thing} beside a ${other}, number ${i}`,
      second_positive: `Number ${i}: beside a ${other} there is a ${thing}`,
      negative_caption: `A ${thing} far from a ${other}, number ${i}`,
    });
    entries.push(entry);
    size += entry.length + 2;
  }
  return `[\n${entries.join(',\n')}\n]\n`;
}
