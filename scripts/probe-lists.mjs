/* Writes the modules that import every probe in src/probe/list.ts, and the list of probe ids in package.json. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeChanged } from './write-changed.mjs';

const root = join(import.meta.dirname, '..');
const listed = /probeIds = \[([^\]]*)\]/.exec(readFileSync(join(root, 'src/probe/list.ts'), 'utf8'))[1];
const ids = [...listed.matchAll(/'(\w+)'/g)].map(([, id]) => id);

/** The source of a module that exports the list of all probes or all views. */
function moduleOf(list, type, file, from, name) {
  return [
    '// Written by scripts/probe-lists.mjs from src/probe/list.ts.',
    `import type { ${type} } from '../${from}';`,
    ...ids.map((id) => `import { ${name(id)} } from '../${id}/${file(id)}';`),
    '',
    '// prettier-ignore',
    `export const ${list}: readonly ${type}[] = [${ids.map(name).join(', ')}];`,
    '',
  ].join('\n');
}

const folder = join(root, 'src/probe/generated');
writeChanged(
  join(folder, 'probes.ts'),
  moduleOf(
    'probes',
    'Probe',
    (id) => id,
    'probe',
    (id) => id,
  ),
);
writeChanged(
  join(folder, 'views.ts'),
  moduleOf(
    'views',
    'ProbeView',
    () => 'view',
    'view',
    (id) => `${id}View`,
  ),
);

const manifestPath = join(root, 'package.json');
const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'));
for (const tool of manifest.contributes.languageModelTools) {
  const probes = tool.inputSchema.properties.probes;
  if (probes !== undefined) probes.items.enum = ids;
}
writeChanged(manifestPath, `${JSON.stringify(manifest, undefined, 2)}\n`);
