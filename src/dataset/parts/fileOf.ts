/**
 * The path of a file of a dataset that a report names. The dataset may be on another machine, so a path with
 * characters of patterns counts as a pattern.
 */
export function fileOf(dataset: string, part: string | undefined): string {
  if (part === undefined) return dataset;
  const magic = dataset.search(/[*?[\]{}]/);
  const folder = magic < 0 ? dataset : dataset.slice(0, Math.max(lastOf('/', magic), lastOf('\\', magic), 0));
  return `${folder}/${part}`;

  function lastOf(separator: string, before: number): number {
    return dataset.lastIndexOf(separator, before);
  }
}
