const names =
  /(^|[\\/])((package|package-lock|composer|jsconfig|tsconfig(\.[\w-]+)?)\.json|\.vscode[\\/][^\\/]*|[^\\/]*\.(schema|report|evaluator|triplets|check|variants)\.json|[^\\/]*\.rows\.jsonl)$/i;

/** Whether a file's name excludes a dataset. Such a file is not read and starts no process. */
export function isNeverDataset(path: string): boolean {
  return names.test(path);
}
