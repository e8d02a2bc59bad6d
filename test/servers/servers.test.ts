import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vqaTemplate } from '../../src/evaluator/judge/probability/probabilityFile';
import { fixtures, servers } from './servers';
import { audit, pythonOf, questions, rowsOf, run, type Running, versionsOf } from './support';
import { saying } from '../sentence';

for (const { name, packages, begin, evaluators } of servers)
  describe(`an audit with ${name}`, function () {
    this.timeout(1_800_000);
    let python: string;
    let folder: string;
    let server: Running | undefined;

    before(async function () {
      const installed = pythonOf(name);
      if (installed === undefined) {
        console.log(`      skipped: ${name} is not installed (npm run test:servers says why)`);
        this.skip();
      }
      python = installed;
      folder = mkdtempSync(join(tmpdir(), `captious-${name}-`));
      console.log(`      ${versionsOf(python, ...packages)}`);
      const begun = await begin(python, folder);
      server = begun.server;
      for (const [id, said] of Object.entries(begun.evaluators))
        writeFileSync(fileOf(id), JSON.stringify(said));
    });
    after(async () => {
      await server?.stop();
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    });

    const fileOf = (id: string): string => join(folder, `${id}.evaluator.json`);
    const auditTo = (id: string, out: string, killAfterMs?: number): ReturnType<typeof audit> =>
      audit(
        { home: join(folder, `home-${out}`), out: join(folder, out), evaluator: fileOf(id) },
        killAfterMs,
      );

    /** Kills an audit before it writes its report. If the audit was faster, tries again with less time. */
    async function killed(id: string, ms: number): Promise<string> {
      for (const part of [0.6, 0.4, 0.25]) {
        const out = `${id}-parts-${part}`;
        const { signal } = await auditTo(id, out, part * ms);
        if (signal === 'SIGKILL' && !existsSync(join(folder, out, `lgip.${id}.report.json`))) return out;
      }
      assert.fail('each audit ended before it was killed');
    }

    for (const id of evaluators)
      it(`scores 60 captions with ${id}, is killed in the middle, and resumes to the same rows`, async () => {
        const whole = await auditTo(id, `${id}-whole`);
        assert.equal(whole.code, 0, whole.err);
        const rows = rowsOf(join(folder, `${id}-whole`), id);
        assert.equal(rows.length, 60);
        const scores = new Set(rows.map(({ score }) => score));
        assert.ok(scores.size > 3, `the scores differ: ${[...scores].slice(0, 5).join(', ')}`);
        const parts = await killed(id, whole.ms);
        const resumed = await auditTo(id, parts);
        assert.equal(resumed.code, 0, resumed.err);
        const read = (out: string): string =>
          readFileSync(join(folder, out, `lgip.${id}.rows.jsonl`), 'utf8');
        assert.equal(read(parts), read(`${id}-whole`));
        console.log(
          `      ${rows.length} rows in ${(whole.ms / 1000).toFixed(1)} s; resumed in ${(resumed.ms / 1000).toFixed(1)} s`,
        );
      });

    if (evaluators.includes('encoder'))
      it('has the scores of the same model on this computer', async () => {
        const local = join(folder, 'local');
        cpSync(join(folder, 'clip'), local, { recursive: true });
        cpSync(join(fixtures, 'clip-two-graphs/onnx'), join(local, 'onnx'), { recursive: true });
        const here = { home: join(folder, 'home-local'), out: join(folder, 'here'), evaluator: local };
        const ended = await audit(here);
        assert.equal(ended.code, 0, ended.err);
        const far = rowsOf(join(folder, 'encoder-whole'), 'encoder');
        const near = rowsOf(join(folder, 'here'), 'local');
        const off = far.map(({ score }, i) => Math.abs(score - near[i].score));
        console.log(`      at most ${Math.max(...off).toExponential(1)} apart`);
        assert.ok(Math.max(...off) <= 1e-5);
      });

    if (name === 'llama') {
      it("has the VQAScores that llama.cpp's own functions compute", () => {
        const out = join(folder, 'requests');
        run(process.execPath, ['dist/cli.js', 'requests', ...questions(fileOf('vqascore')), '--out', out], {
          CAPTIOUS_HOME: join(folder, 'home-requests'),
        });
        const files = readdirSync(out).filter((file) => file.endsWith('.jsonl'));
        const said = run(python, [
          join(__dirname, 'llama_oracle.py'),
          folder,
          ...files.map((file) => join(out, file)),
        ]);
        const expected = new Map(Object.entries(JSON.parse(said) as Record<string, number>));
        const pairs = rowsOf(join(folder, 'vqascore-whole'), 'vqascore').flatMap((row) => [
          row,
          ...row.variants,
        ]);
        const off = pairs.map(({ text, score }) =>
          Math.abs(score - (expected.get(vqaTemplate.replace('{caption}', () => text)) ?? NaN)),
        );
        console.log(`      ${off.length} scores, at most ${Math.max(...off).toExponential(1)} apart`);
        assert.ok(off.length > 300 && Math.max(...off) <= 1e-4);
      });

      it('says that the likelihood needs another server', async () => {
        const { code, err } = await auditTo('likelihood', 'likelihood');
        assert.equal(code, 2);
        assert.match(err, saying('judge.likelihoodNeedsLogprobs'));
        assert.match(err, saying('judge.likelihoodChangeServer'));
      });
    }
  });
