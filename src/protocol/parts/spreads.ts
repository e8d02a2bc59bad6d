/* The ids of metrics in units of the evaluator's spread. */
const ending = '.relative';

/** Metrics whose form in spreads has a name of its own. */
const change = 'exploit.change.';
const gain = 'exploit.gain.';

export function relativeId(id: string): string {
  return id.startsWith(change) ? gain + id.slice(change.length) : `${id}${ending}`;
}

export function isRelative(id: string): boolean {
  return id.endsWith(ending) || id.startsWith(gain);
}

/** The id of the metric in units of the score. */
export function baseId(id: string): string {
  if (id.startsWith(gain)) return change + id.slice(gain.length);
  return isRelative(id) ? id.slice(0, -ending.length) : id;
}
