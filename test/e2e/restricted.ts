import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { repository, VSCode } from './vscode';

/** Audits triplets with the starter encoder. Writes the report into the folder `reports` next to them. */
export function auditTriplets(dataset: string, home?: string): void {
  const out = join(dirname(dataset), 'reports');
  execFileSync(
    process.execPath,
    [
      ...[join(repository, 'dist/cli.js'), 'audit', dataset, '--probe', 'visla'],
      ...['--evaluator', 'starter', '--out', out],
    ],
    { env: { ...process.env, ...(home === undefined ? {} : { CAPTIOUS_HOME: home }) } },
  );
}

export const restrictedMode = (code: VSCode): Locator =>
  code.page.locator('.statusbar-item', { hasText: 'Restricted Mode' });

/** Opens a folder in Restricted Mode, without the editor's own questions about trust. */
export async function openRestricted(folder: string, home: string): Promise<VSCode> {
  const code = await VSCode.open({
    ...{ folder, untrusted: true, env: { CAPTIOUS_HOME: home } },
    settings: {
      'security.workspace.trust.startupPrompt': 'never',
      'security.workspace.trust.banner': 'never',
    },
  });
  await code.load();
  await restrictedMode(code).waitFor();
  return code;
}
