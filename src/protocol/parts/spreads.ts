/* The ids of metrics in units of the evaluator's spread. */
const ending = '.relative';

export function relativeId(id: string): string {
  return `${id}${ending}`;
}

export function isRelative(id: string): boolean {
  return id.endsWith(ending);
}

/** The id of the metric in units of the score. */
export function baseId(id: string): string {
  return isRelative(id) ? id.slice(0, -ending.length) : id;
}
