// Recomputes the oracles and compares them with the files next to them: npm run test:oracle [-- FOLDER…].
// Runs every test/oracle/**/make*.py with `--check DIR`, where exit code 77 means skipped. The "tolerance" in
// a file is relative, and 1e-9 by default.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const repository = dirname(dirname(root));

/** Packages that all oracles may import. An oracle that needs others is skipped without them. */
const packages = 'numpy, scipy, statsmodels, pandas, PIL';
// Not ./.venv, which Captious would offer to tests of Python evaluators that run at the same time.
const environment = join(repository, '.cache', 'oracle');
const ownPython = join(
  environment,
  ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']),
);

function findPython() {
  for (const candidate of [process.env.CAPTIOUS_PYTHON, ownPython, 'python3', 'python'])
    if (candidate && spawnSync(candidate, ['-c', `import ${packages}`]).status === 0) return candidate;
  const system = ['python3', 'python'].find(
    (name) => spawnSync(name, ['-c', 'import venv, ensurepip']).status === 0,
  );
  if (system === undefined) skip('there is no Python 3 with venv');
  console.log(`Installing ${packages} into .cache/oracle …`);
  const install = ['-m', 'pip', 'install', '--quiet', '--requirement', join(root, 'requirements.txt')];
  for (const [command, args] of [
    [system, ['-m', 'venv', environment]],
    [ownPython, install],
  ])
    if (spawnSync(command, args, { stdio: 'inherit' }).status !== 0)
      skip('the packages of test/oracle/requirements.txt cannot be installed');
  return ownPython;
}

function skip(why) {
  console.log(`skipped: ${why}. CAPTIOUS_PYTHON may name a Python with ${packages}.`);
  process.exit(0);
}

function makers() {
  return readdirSync(root, { recursive: true })
    .filter((path) => /^make.*\.py$/.test(basename(path)))
    .map((path) => join(root, path))
    .sort();
}

/** The first places where two values differ. */
function differences(kept, made, tolerance, at = '', out = []) {
  if (out.length >= 5) return out;
  if (typeof kept === 'number' && typeof made === 'number') {
    const apart = Math.abs(kept - made);
    // A difference of up to 1e-15 is a rounding error, even between values near zero.
    if (apart > tolerance * Math.max(Math.abs(kept), Math.abs(made)) && apart > 1e-15)
      out.push(`${at}: ${kept} was kept, ${made} was made`);
  } else if (kept !== null && made !== null && typeof kept === 'object' && typeof made === 'object') {
    if (Array.isArray(kept) !== Array.isArray(made))
      out.push(`${at}: a list became an object, or the reverse`);
    for (const key of new Set([...Object.keys(kept), ...Object.keys(made)])) {
      if (key in kept && key in made) differences(kept[key], made[key], tolerance, `${at}/${key}`, out);
      else out.push(`${at}/${key}: only ${key in kept ? 'kept' : 'made'}`);
      if (out.length >= 5) break;
    }
  } else if (kept !== made)
    out.push(`${at}: ${JSON.stringify(kept)} was kept, ${JSON.stringify(made)} was made`);
  return out;
}

function compare(name, keptText, madeText) {
  const { versions: before, tolerance = 1e-9, ...kept } = JSON.parse(keptText);
  const { versions: now, ...made } = JSON.parse(madeText);
  delete made.tolerance;
  const out = [];
  for (const key of new Set([...Object.keys(kept), ...Object.keys(made)])) {
    const allowed = typeof tolerance === 'number' ? tolerance : (tolerance[key] ?? tolerance[''] ?? 1e-9);
    differences({ [key]: kept[key] }, { [key]: made[key] }, allowed, '', out);
  }
  const others = Object.keys({ ...before, ...now }).filter((key) => before?.[key] !== now?.[key]);
  for (const key of others)
    console.log(`  ${name}: made with ${key} ${now?.[key]}, kept from ${before?.[key]}`);
  return out;
}

const wanted = process.argv.slice(2);
const chosen = makers().filter(
  (path) => wanted.length === 0 || wanted.some((folder) => relative(root, path).startsWith(folder)),
);
if (chosen.length === 0) {
  console.error(
    `No oracle is called ${wanted.join(', ')}. There are: ${makers()
      .map((path) => relative(root, path))
      .join(', ')}`,
  );
  process.exit(2);
}
const python = findPython();
let failed = 0;
for (const path of chosen) {
  const name = relative(root, path);
  const folder = mkdtempSync(join(tmpdir(), 'captious-oracle-'));
  try {
    console.log(`${name} …`);
    const started = performance.now();
    const run = spawnSync(python, [path, '--check', folder], {
      cwd: repository,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    // Exit code 77 means missing input, by convention of test harnesses.
    if (run.status === 77) continue;
    const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
    const problems = [];
    if (run.status !== 0) problems.push(`ended with ${run.status ?? run.signal}`);
    else if (files.length === 0) problems.push('wrote nothing');
    for (const file of files) {
      const kept = join(dirname(path), file);
      if (!existsSync(kept)) problems.push(`${file} is not kept beside it`);
      else
        problems.push(
          ...compare(file, readFileSync(kept, 'utf8'), readFileSync(join(folder, file), 'utf8')).map(
            (line) => `${file}${line}`,
          ),
        );
    }
    for (const problem of problems) console.log(`  ✗ ${problem}`);
    if (problems.length === 0) console.log(`  ✔ ${files.join(', ')} as kept (${seconds} s)`);
    else failed++;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
process.exit(failed === 0 ? 0 : 1);
