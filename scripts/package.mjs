// node scripts/package.mjs [target …] makes out/packages/captious-<target>-<version>.vsix. The default is all targets.
// "host" is this machine. File modes, order and dates are fixed, so the same tree gives the same bytes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPublic, manifest, out, packEach } from './packing.mjs';

const { createVSIX } = (await import('@vscode/vsce')).default;

await packEach('all', 80_000_000, async ({ stage, target }) => {
  writeFileSync(join(stage, '.vscodeignore'), '');
  const packagePath = join(out, `captious-${target}-${manifest.version}.vsix`);
  await createVSIX({
    cwd: stage,
    target,
    packagePath,
    allowMissingRepository: true,
    rewriteRelativeLinks: isPublic,
  });
  return packagePath;
});
