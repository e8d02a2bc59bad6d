export type Better = 'higher' | 'lower';

/** The option of a report that keeps the known directions, such as `acc=higher,loss=lower`. */
export function directionsText(directions: ReadonlyMap<string, Better>): string {
  return [...directions]
    .map(([score, way]) => `${score}=${way}`)
    .sort()
    .join(',');
}

export function directionsIn({ better }: Readonly<Record<string, unknown>>): ReadonlyMap<string, Better> {
  const parts = typeof better === 'string' ? better.split(',') : [];
  return new Map(
    parts.flatMap((part): [string, Better][] => {
      const [, score, way] = /^(.+)=(higher|lower)$/.exec(part) ?? [];
      return way === 'higher' || way === 'lower' ? [[score, way]] : [];
    }),
  );
}
