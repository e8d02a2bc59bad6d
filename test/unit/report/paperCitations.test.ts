import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePaper } from '../../../src/report/paper/paper';
import { paperReport, vislaRows } from './paperReports';

const layouts = [
  ...['lgip.table2', 'visla.table2', 'rococo.table3', 'prsm.table1', 'invariance.table3'],
  ...['winoground', 'sugarcrepe'],
];

/** The fields of a BibTeX file's entries, by key. */
function entriesOf(bib: string): Map<string, Map<string, string>> {
  return new Map(
    Array.from(bib.matchAll(/^@\w+\{([^,]+),\n([^]*?)\n\}$/gm), ([, key, body]) => [
      key,
      new Map(Array.from(body.matchAll(/^ {2}(\w+) = \{(.*)\},?$/gm), ([, name, value]) => [name, value])),
    ]),
  );
}

describe('citations of a paper', function () {
  this.timeout(120_000);
  let folder: string;
  let out: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-citations-'));
    out = join(folder, 'tex');
    const right = (i: number, k: number) => (i * 7) % 60 < k;
    const reportsOf = new Map<string, string[]>();
    for (const layout of layouts) {
      const [probe] = layout.split('.');
      const reports: string[] = [];
      for (const [i, evaluator] of ['A', 'B'].entries())
        reports.push(
          await paperReport(folder, {
            ...{ probe, evaluator, dataset: probe === 'sugarcrepe' ? 'swap_obj' : 'cited', shift: 10 * i },
            rows:
              probe === 'visla' ? vislaRows(Array.from({ length: 60 }, (_, j) => right(j, 50 - 30 * i))) : '',
          }),
        );
      reportsOf.set(probe, reports);
      await writePaper({ reports, layout, to: 'tex', spread: 'ci', out: join(folder, probe) });
    }
    const both = [...reportsOf.get('lgip')!, ...reportsOf.get('visla')!];
    for (const to of ['tex', 'md', 'html'] as const)
      await writePaper({ reports: both, layout: 'auto', to, spread: 'ci', out: join(folder, to) });
  });
  after(() => rm(folder, { recursive: true }));

  const read = (to: string, name: string) => readFile(join(folder, to, name), 'utf8');

  it('in the methods are those of the bibliography, one entry for each', async () => {
    for (const [probe] of layouts.map((layout) => layout.split('.'))) {
      const methods = await read(probe, 'methods.tex');
      const cited = new Set(Array.from(methods.matchAll(/\\cite\{([^}]+)\}/g), ([, key]) => key));
      assert.deepEqual([...entriesOf(await read(probe, 'references.bib')).keys()], [...cited]);
      const tests = probe === 'visla' ? ['bell2002', 'holm1979', 'hall1992'] : [];
      for (const key of ['captious', ...[probe, 'efron1987', ...tests].map((name) => `captious-${name}`)])
        assert.ok(cited.has(key), `${probe}: ${key}`);
    }
  });

  it('have an author, a title, a year, and where to find the work', async () => {
    for (const [probe] of layouts.map((layout) => layout.split('.')))
      for (const [key, fields] of entriesOf(await read(probe, 'references.bib'))) {
        for (const name of ['author', 'title', 'year']) assert.ok(fields.has(name), `${key} has no ${name}`);
        assert.ok(
          ['journal', 'booktitle', 'eprint', 'howpublished'].some((name) => fields.has(name)),
          key,
        );
        if (key === `captious-${probe}`) assert.match(fields.get('eprint') ?? '', /^\d{4}\.\d{5}$/, key);
      }
  });

  it('are Pandoc’s in Markdown, and absent in HTML', async () => {
    const methods = await read('md', 'methods.md');
    assert.match(methods, / \[@captious\] \\?\(LGIP \[@captious-lgip\], /);
    assert.deepEqual(await read('md', 'references.bib'), await read('tex', 'references.bib'));
    assert.ok(!/\[@captious/.test(await read('html', 'auto.lgip.html')));
  });

  it('are set by BibTeX and pdflatex without a warning', async function () {
    if (spawnSync('pdflatex', ['--version']).status !== 0 || spawnSync('bibtex', ['--version']).status !== 0)
      this.skip();
    const document = `\\documentclass{article}\\begin{document}\\input{methods}
\\bibliographystyle{plain}\\bibliography{references}\\end{document}\n`;
    await writeFile(join(out, 'all.tex'), document);
    const run = (command: string, args: string[]) => spawnSync(command, args, { cwd: out, encoding: 'utf8' });
    run('pdflatex', ['-interaction=nonstopmode', 'all']);
    const bib = run('bibtex', ['all']);
    assert.equal(bib.status, 0);
    assert.ok(!/warning/i.test(bib.stdout), bib.stdout);
    for (let i = 0; i < 2; i++) assert.equal(run('pdflatex', ['-interaction=nonstopmode', 'all']).status, 0);
    assert.deepEqual((await readFile(join(out, 'all.log'), 'latin1')).match(/^.*Warning.*$/gm) ?? [], []);
  });
});
