const names =
  /(^|[\\/])((package|package-lock|composer|captious|experiment\.state|jsconfig|tsconfig(\.[\w-]+)?)\.json|\.vscode[\\/][^\\/]*|[^\\/]*\.(schema|report|evaluator|triplets|check|variants)\.json|[^\\/]*\.rows\.jsonl)$/i;

/** Whether the path alone shows that the file is not a dataset, so that Captious need not read the file. */
export function isNeverDataset(path: string): boolean {
  return names.test(path);
}
