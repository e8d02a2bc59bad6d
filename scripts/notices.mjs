// Writes THIRD-PARTY-NOTICES.md and sbom.cdx.json for the shipped packages in
// package-lock.json; with --check, fails if these files are outdated.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sbomOf, shippedPackages } from './sbom.mjs';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const shipped = shippedPackages(lock).map(({ name, version, license, path }) => ({
  name,
  version,
  licence: license ?? 'see its own text',
  path,
}));

function licenceText(path) {
  // ONNX Runtime's packages have no licence file, so a copy is in licenses/.
  if (/\/onnxruntime-(node|common)$/.test(path))
    return readFileSync('licenses/onnxruntime.txt', 'utf8').trim();
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
  'models/starter and samples list the sources of the starter encoder and of the sample photos. The font of PDF figures, Arimo',
  '(OFL-1.1, from @expo-google-fonts/arimo 0.4.3, unchanged): [licenses/Arimo.txt](licenses/Arimo.txt).',
  '',
  'libvips (LGPL-3.0-or-later) and the libraries in it: [licenses/libvips.md](licenses/libvips.md). ONNX Runtime and what is in',
  'it: [licenses/onnxruntime.txt](licenses/onnxruntime.txt), [third-party notices](licenses/onnxruntime-third-party.txt).',
  'The synonyms of METEOR (dist/wordnet.json) and the lists of nouns come from WordNet 3.0 and 3.1:',
  '[licenses/wordnet.txt](licenses/wordnet.txt).',
  '',
  '| package | version | licence |',
  '| --- | --- | --- |',
  ...shipped.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`),
  '',
];
for (const { name, path } of shipped) {
  // npm installs only some of these packages, depending on the platform. The table lists the licences of all.
  if (name.startsWith('@img/sharp-')) continue;
  const text = licenceText(path);
  if (text !== undefined) lines.push(`## ${name}`, '', '```text', text.replaceAll('```', "'''"), '```', '');
}
const wanted = {
  'THIRD-PARTY-NOTICES.md': `${lines.join('\n').trimEnd()}\n`,
  'sbom.cdx.json': `${JSON.stringify(sbomOf(lock, manifest), null, 1)}\n`,
};
for (const [target, text] of Object.entries(wanted)) {
  if (!process.argv.includes('--check')) writeFileSync(target, text);
  else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
    console.error(`${target} is not what package-lock.json says: run "npm run notices".`);
    process.exitCode = 1;
  }
}
