// Installs the packed extension in a clean VS Code, instead of loading it from this repository, and runs an
// audit there.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { main, runInside } from '../e2e/inside';
import { repository } from '../e2e/vscode';

const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { version: string };
const vsix = join(repository, 'out/packages', `captious-${process.platform}-${process.arch}-${version}.vsix`);

main(async () => {
  if (!existsSync(vsix)) throw new Error(`There is no ${vsix}: run "npm run package" first.`);
  return runInside({
    tests: 'test/package',
    workspace: ['samples'],
    extension: join(repository, 'test/package/carrier'),
    vsix,
  });
});
