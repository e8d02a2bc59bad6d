/**
 * The shortest end of each path that no other path has, such as "run1/clip" for "/a/run1/clip" beside "/a/run2/clip".
 * Undefined for an absent path and for equal paths.
 */
export function distinctPaths(paths: readonly (string | undefined)[]): (string | undefined)[] {
  const parts = paths.map((path) => path?.split(/[/\\]+/).filter((part) => part !== ''));
  return parts.map((own, i) => {
    if (own === undefined) return undefined;
    for (let count = 1; count <= own.length; count++) {
      const end = own.slice(-count).join('/');
      if (parts.every((other, j) => j === i || other?.slice(-count).join('/') !== end)) return end;
    }
    return undefined;
  });
}

/** The names of files by path: the file's name, with as many folders as it takes to tell files of one name apart. */
export function distinctNames(paths: Iterable<string>): (path: string) => string {
  const all = [...new Set(paths)];
  const names = distinctPaths(all);
  return (path) => names.at(all.indexOf(path)) ?? path;
}
