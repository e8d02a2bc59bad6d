const names =
  /(^|[\\/])((package|package-lock|composer|jsconfig|tsconfig(\.[\w-]+)?)\.json|\.vscode[\\/][^\\/]*|[^\\/]*\.(schema|report|evaluator)\.json|[^\\/]*\.rows\.jsonl)$/i;

/** Files that are known by their names to be something else: nobody looks into them, and no process starts for them. */
export function isNeverDataset(path: string): boolean {
  return names.test(path);
}
