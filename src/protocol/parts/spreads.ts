/* The ids of metrics in units of the evaluator's spread. */
const ending = '.relative';

/** Metrics whose form in spreads has a name of its own. */
const change = /^(exploit\.(?:search\.|injection\.)?)change([.@])/;
const gain = /^(exploit\.(?:search\.|injection\.)?)gain([.@])/;

export function relativeId(id: string): string {
  return change.test(id) ? id.replace(change, '$1gain$2') : `${id}${ending}`;
}

export function isRelative(id: string): boolean {
  return id.endsWith(ending) || gain.test(id);
}

/** The id of the metric in units of the score. */
export function baseId(id: string): string {
  if (gain.test(id)) return id.replace(gain, '$1change$2');
  return isRelative(id) ? id.slice(0, -ending.length) : id;
}
