// Writes docs/cli.md from the descriptions that --help prints: npm run docs
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { commandGroups } from '../src/cli/commands';
import { helpPage } from '../src/cli/help';
import { probes } from '../src/probe/generated/probes';

export async function commandReference(): Promise<string> {
  return format(helpPage(await commandGroups(), probes), { parser: 'markdown', printWidth: 110 });
}

if (require.main === module)
  void commandReference().then((page) => writeFileSync(join(__dirname, '../docs/cli.md'), page));
