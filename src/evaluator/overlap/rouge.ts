/** The weight of recall relative to precision in the COCO caption evaluation. */
const beta = 1.2;

/** ROUGE-L with the best precision and the best recall over the references (Lin 2004). */
export function rougeL(candidate: readonly string[], references: readonly (readonly string[])[]): number {
  let precision = 0;
  let recall = 0;
  for (const reference of references) {
    const common = longestCommon(candidate, reference);
    precision = Math.max(precision, common / candidate.length);
    recall = Math.max(recall, common / reference.length);
  }
  if (precision === 0 || recall === 0) return 0;
  return ((1 + beta ** 2) * precision * recall) / (recall + beta ** 2 * precision);
}

/** The length of the longest common subsequence. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = new Uint32Array(b.length + 1);
  let next = new Uint32Array(b.length + 1);
  for (const word of a) {
    for (let j = 0; j < b.length; j++)
      next[j + 1] = word === b[j] ? row[j] + 1 : Math.max(row[j + 1], next[j]);
    [row, next] = [next, row];
  }
  return row[b.length];
}
