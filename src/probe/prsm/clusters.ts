/**
 * Numbers the clusters of queries. `names[i]` are the images of query i. Images that share a query have equal
 * rankings, so they are one cluster, and so are images that are connected by several queries.
 */
export function linkedClusters(names: readonly (readonly string[])[]): number[] {
  const parent = new Map<string, string>();
  const rootOf = (name: string): string => {
    let root = name;
    for (let next = parent.get(root); next !== undefined && next !== root; next = parent.get(root))
      root = next;
    parent.set(name, root);
    return root;
  };
  for (const [first, ...others] of names)
    for (const other of [first, ...others]) parent.set(rootOf(other), rootOf(first));
  const numbers = new Map<string, number>();
  return names.map(([first]) => {
    const root = rootOf(first);
    if (!numbers.has(root)) numbers.set(root, numbers.size);
    return numbers.get(root)!;
  });
}
