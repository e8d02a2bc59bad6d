// Writes THIRD-PARTY-NOTICES.md from what package-lock.json says is shipped; with --check, fails if it is not up to date.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const target = 'THIRD-PARTY-NOTICES.md';
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));

const shipped = Object.entries(lock.packages)
  .filter(([path, entry]) => path !== '' && !entry.dev && !entry.devOptional)
  .map(([path, entry]) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version: entry.version,
    licence: entry.license ?? 'see its own text',
    path,
  }))
  .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1));

function licenceText(path) {
  if (!existsSync(path)) return undefined;
  const file = readdirSync(path).find((name) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(name));
  return file === undefined
    ? undefined
    : readFileSync(join(path, file), 'utf8').replaceAll('\r\n', '\n').trim();
}

const lines = [
  '# Third-party notices',
  '',
  'Captious is shipped with, or installs, the packages below. Written by `npm run notices` from package-lock.json.',
  'What the starter encoder and the sample photos are made of stands in models/starter and samples.',
  '',
  '| package | version | licence |',
  '| --- | --- | --- |',
  ...shipped.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`),
  '',
];
for (const { name, path } of shipped) {
  // Packages for other platforms are not installed here; their licence is in the table.
  if (name.startsWith('@img/sharp-')) continue;
  const text = licenceText(path);
  if (text !== undefined) lines.push(`## ${name}`, '', '```text', text.replaceAll('```', "'''"), '```', '');
}
const wanted = `${lines.join('\n').trimEnd()}\n`;

if (!process.argv.includes('--check')) writeFileSync(target, wanted);
else if (!existsSync(target) || readFileSync(target, 'utf8') !== wanted) {
  console.error(`${target} is not what package-lock.json says: run "npm run notices".`);
  process.exit(1);
}
