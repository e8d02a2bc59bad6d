import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { isSaid, say } from '../../../src/base/say';
import type { figureOf } from '../../../src/editor/text/figure';
import { probes } from '../../../src/probe/generated/probes';
import { views } from '../../../src/probe/generated/views';
import { probeIds } from '../../../src/probe/list';
import type { Report } from '../../../src/report/report';
import type { viewOf } from '../../../src/service/panelReport';
import type { openRows } from '../../../src/service/rows/rowFile';
import type { viewFor } from '../../../src/probe/views';

const run = promisify(execFile);

interface Manifest {
  contributes: {
    languageModelTools: { inputSchema: { properties: { probes?: { items: { enum: string[] } } } } }[];
  };
}

const offered = ({ contributes }: Manifest) =>
  contributes.languageModelTools.flatMap(
    ({ inputSchema }) => inputSchema.properties.probes?.items.enum ?? [],
  );

interface Built {
  figureOf: typeof figureOf;
  openRows: typeof openRows;
  viewFor: typeof viewFor;
  viewOf: typeof viewOf;
}

describe('the list of probes', () => {
  it('matches the generated modules and package.json', async () => {
    const ids = [...probeIds];
    assert.deepEqual([probes.map(({ id }) => id), views.map(({ id }) => id)], [ids, ids]);
    assert.deepEqual(offered(JSON.parse(await readFile('package.json', 'utf8')) as Manifest), ids);
  });
});

describe('a new probe', function () {
  this.timeout(120_000);
  let copy: string;

  before(async () => {
    copy = await mkdtemp(join(tmpdir(), 'captious-toy-'));
    for (const part of ['src', 'webview', 'scripts', 'l10n', 'esbuild.mjs', 'package.json', 'tsconfig.json'])
      await cp(part, join(copy, part), { recursive: true });
    await symlink(resolve('node_modules'), join(copy, 'node_modules'));
    // A new probe needs only its folder and a line in list.ts.
    const own = join(copy, 'src/probe/toy');
    await cp('test/unit/probe/toy', own, { recursive: true });
    for (const file of await readdir(own)) {
      const source = await readFile(join(own, file), 'utf8');
      await writeFile(join(own, file), source.replaceAll('../../../../src/probe/', '../'));
    }
    const list = join(copy, 'src/probe/list.ts');
    const text = await readFile(list, 'utf8');
    await writeFile(list, text.replace(/probeIds = \[/, "$&'toy', "));
    await run(process.execPath, ['esbuild.mjs'], { cwd: copy });
  });
  after(() => rm(copy, { recursive: true }));

  const captious = async (...args: string[]): Promise<string> => {
    const env = { ...process.env, CAPTIOUS_HOME: join(copy, 'home') };
    return (await run(process.execPath, [join(copy, 'dist/cli.js'), ...args], { env, cwd: copy })).stdout;
  };

  it('needs one folder and one line: audit, exports, panel, rows and editor know it', async () => {
    const file = join(copy, 'triplets.tsv');
    const things = ['bus', 'car', 'kite', 'sofa', 'boat', 'cat'];
    const images = resolve('samples/images');
    const names = (await readdir(images)).sort();
    const lines = things.map((one, i) => `${names[i]}\ta red ${one}\tthe ${one} is red\ta blue ${one}\n`);
    await writeFile(file, `filename\tcaption\tsecond positive\tnegative_caption\n${lines.join('')}`);
    const audit = ['audit', file, '--probe', 'toy', '--images', images];
    audit.push('--evaluator', resolve('test/fixtures/models/clip'), '--out', join(copy, 'out'));
    assert.match(await captious(...audit), /toy\.first/);
    const path = join(copy, 'out/toy.clip.report.json');
    const report = JSON.parse(await readFile(path, 'utf8')) as Report;
    const [{ id, value, n, ci, ties }, lead] = report.metrics;
    assert.deepEqual([report.probe, id, n, ties], ['toy', 'toy.first', things.length, 0]);
    assert.ok(value !== null && value >= 0 && value <= 1);
    assert.ok(ci !== undefined && ci[0] <= value && value <= ci[1] && ci[0] < ci[1]);
    assert.equal(lead.id, 'toy.lead');

    assert.match(
      await captious('export', path, '--to', 'html'),
      /<figcaption>Lead of the first \(6\)<\/figcaption>/,
    );
    const entries = things.map((one) => `{"pair":["a red ${one}","the ${one} is red"]}\n`);
    assert.equal(await captious('export', path, '--to', 'toy'), entries.join(''));
    const manifest = JSON.parse(await readFile(join(copy, 'package.json'), 'utf8')) as Manifest;
    assert.deepEqual(offered(manifest), ['toy', ...probeIds]);
    assert.match(await readFile(join(copy, 'dist/web.js'), 'utf8'), /Does the first caption score higher/);

    const contents = [
      "export { viewOf } from './src/service/panelReport';",
      "export { openRows } from './src/service/rows/rowFile';",
      "export { viewFor } from './src/probe/views';",
      "export { figureOf } from './src/editor/text/figure';",
    ].join('\n');
    const outfile = join(copy, 'dist/shown.js');
    await build({
      stdin: { contents, resolveDir: copy },
      ...{ bundle: true, platform: 'node', format: 'cjs', outfile, logLevel: 'silent' },
    });
    const shown = createRequire(outfile)(outfile) as Built;
    const { cards, columns } = shown.viewOf('key', report, []);
    assert.deepEqual(
      [cards.map(({ title }) => title), columns],
      [
        ['First caption'],
        {
          ...{ before: 'first', after: 'second', score: say('probe.secondScore') },
          ...{ delta: 'lead', right: undefined, about: 'Lead of the first caption' },
        },
      ],
    );
    const figure = shown.figureOf(report);
    assert.ok(isSaid(figure));
    const range = ci.map((end) => Math.round(end * 100)).join('–');
    const [, counted, interval] = figure.values;
    // Six images are counted, because a share of so few would say more than they do.
    assert.ok(isSaid(counted));
    assert.deepEqual(counted.values.slice(1), [value * n, n].map(String));
    assert.equal(interval, `[${range}]`);
    const index = await shown.openRows(join(copy, 'out', report.rows), shown.viewFor('toy').rows, report);
    const line = index.view.line(await index.row(0), 0);
    await index.close();
    assert.deepEqual([line.before, line.after], ['a red bus', 'the bus is red']);
    assert.ok(typeof line.delta === 'number' && line.delta !== 0);
  });
});
