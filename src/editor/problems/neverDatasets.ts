const names =
  /(^|[\\/])((package|package-lock|composer|jsconfig|tsconfig(\.[\w-]+)?)\.json|\.vscode[\\/][^\\/]*|[^\\/]*\.(schema|report|evaluator)\.json|[^\\/]*\.rows\.jsonl)$/i;

/** Files whose names show that they hold no dataset. They are not read, and no process starts for them. */
export function isNeverDataset(path: string): boolean {
  return names.test(path);
}
