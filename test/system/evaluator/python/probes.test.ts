import assert from 'node:assert/strict';
import { english } from '../../../../src/base/english';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runAudit } from '../../../../src/audit/run';
import type { CaptiousError } from '../../../../src/base/errors';
import { findSaid, type Said, say } from '../../../../src/base/say';
import { JudgeMemory } from '../../../../src/evaluator/judge/judgeMemory';
import { openEvaluator } from '../../../../src/evaluator/open';
import type { LgipRow } from '../../../../src/probe/lgip/row';
import { cleanUp, scratch } from '../../../unit/evaluator/fixtures';
import { needsPython, pythonFixtures } from '../../../unit/evaluator/pythonFixtures';
import type { WrittenReport } from '../../../../src/audit/output/writtenReport';

const samples = join(__dirname, '../../../../samples');
const script = join(pythonFixtures, 'hashing.py');

/** Audits, by default in an empty home folder. Returns each report's rows. */
async function rowsOf(
  probe: string,
  file: string,
  object: string,
  more: { home?: string; batchSize?: number; limit?: number } = {},
): Promise<string[]> {
  const written = await runAudit({
    dataset: join(samples, file),
    probes: [probe],
    evaluators: [`python:${script}:${object}`],
    images: [join(samples, 'images')],
    home: more.home ?? scratch(),
    out: scratch(),
    limit: more.limit ?? 8,
    batchSize: more.batchSize,
    signal: new AbortController().signal,
  });
  return written.map(({ path, report }) => {
    assert.ok(report.dataset.examples > 0, JSON.stringify(report.dataset.leftOut));
    return readFileSync(join(path, '..', report.rows), 'utf8');
  });
}

describe('probes with an evaluator in Python', function () {
  needsPython(this);
  this.timeout(120_000);
  afterEach(cleanUp);

  for (const [probe, file, object] of [
    ['lgip', 'captions.json', 'Towers'],
    ['lgip', 'captions.json', 'Pairs'],
    ['visla', 'triplets.tsv', 'Towers'],
    ['sugarcrepe', 'sugarcrepe.json', 'Pairs'],
    ['rococo', 'rococo.json', 'Towers'],
    ['rococo', 'rococo.json', 'Pairs'],
    ['rococo', 'rococo.json', 'Both'],
    ['prsm', 'captions.json', 'Towers'],
    ['prsm', 'captions.json', 'Pairs'],
    ['prsm', 'captions.json', 'Both'],
    ['invariance', 'captions.json', 'Pairs'],
    ['invariance', 'captions.json', 'Towers'],
  ])
    it(`${probe} runs with ${object}`, async () => {
      const [rows] = await rowsOf(probe, file, object, { limit: 3 });
      assert.ok(rows.length > 0);
    });

  it('give identical bits in each run, even if rows depend on their batch', async () => {
    const first = await rowsOf('visla', 'triplets.tsv', 'Texts');
    assert.deepEqual(await rowsOf('visla', 'triplets.tsv', 'Texts'), first);
    const home = scratch();
    assert.deepEqual(await rowsOf('visla', 'triplets.tsv', 'Texts', { home }), first);
    assert.deepEqual(await rowsOf('visla', 'triplets.tsv', 'Texts', { home }), first, 'from the store');
    assert.notDeepEqual(await rowsOf('visla', 'triplets.tsv', 'Texts', { batchSize: 3 }), first);
  });

  it('search with one evaluator and order the first results by the scores of another', async () => {
    const [home, folder] = [scratch(), scratch()];
    const path = join(folder, 'both.evaluator.json');
    const said = {
      kind: 'rerank',
      encoder: `python:${script}:Towers`,
      scorer: `python:${script}:Pairs`,
      top: 10,
    };
    writeFileSync(path, JSON.stringify(said));
    const audit = async (evaluator: string): Promise<[string, WrittenReport['report']]> => {
      const [{ report, path }] = await runAudit({
        dataset: join(samples, 'rococo.json'),
        probes: ['rococo'],
        evaluators: [evaluator],
        images: [join(samples, 'images')],
        home,
        out: scratch(),
        limit: 4,
        options: { rococo: { images: 'none' } },
        signal: new AbortController().signal,
        consent: () => Promise.resolve(true),
      });
      return [readFileSync(join(path, '..', report.rows), 'utf8'), report];
    };
    const [rows, { evaluator }] = await audit(path);
    assert.deepEqual(evaluator.scores, ['text-text', 'image-text', 'image-image']);
    const note = evaluator.notes.map((one) => findSaid(one, 'ranking.rerankNote')).find(Boolean);
    assert.deepEqual(note?.values.slice(1), ['10', 'hashes']);
    const [same] = await audit(`python:${script}:Both`);
    assert.equal(rows, same, 'as with one evaluator that has all three methods');
    writeFileSync(path, JSON.stringify({ ...said, encoder: said.scorer }));
    await assert.rejects(
      audit(path),
      ({ what }: CaptiousError) => (what as Said).code === 'evaluator.noSharedSpace',
    );
    writeFileSync(path, JSON.stringify({ ...said, scorer: said.encoder }));
    await assert.rejects(
      audit(path),
      ({ what }: CaptiousError) => (what as Said).code === 'ranking.scorerCannotRerank',
    );
    writeFileSync(path, JSON.stringify({ ...said, top: 3 }));
    await assert.rejects(audit(path), ({ what }: CaptiousError) =>
      JSON.stringify(what).includes('an integer of 10 or more'),
    );
  });

  it('run a file named by an evaluator file only with consent, asked once per file and interpreter', async () => {
    const [home, folder] = [scratch(), scratch()];
    const code = (text: string): void =>
      writeFileSync(
        join(folder, 'metric.py'),
        `open(__file__ + ".ran", "w").close()\nclass Evaluator:\n  ${text}\n  def embed_texts(self, texts): return [[1.0]] * len(texts)\n`,
      );
    code('pass');
    const path = join(folder, 'x.evaluator.json');
    writeFileSync(path, JSON.stringify({ kind: 'python', file: './metric.py' }));
    const asked: string[] = [];
    const open = async (given: boolean): Promise<void> => {
      const evaluator = await openEvaluator(path, {
        home,
        allow: async (consent) => {
          asked.push(english(consent.terms()));
          if (given) await consent.give();
        },
      });
      await evaluator.close();
    };
    await assert.rejects(open(false), { what: say('python.consentNeeded') });
    assert.throws(() => readFileSync(join(folder, 'metric.py.ran')), 'nothing was run');
    await open(true);
    await open(false);
    assert.equal(asked.length, 2, 'remembered');
    code('other = 1');
    await assert.rejects(open(false));
    assert.match(asked[2], /metric\.py/);
    assert.ok(!(await new JudgeMemory(home).consented(path)));
    writeFileSync(
      join(folder, 'y.evaluator.json'),
      JSON.stringify({ kind: 'cosine', encoder: `python:${folder}/metric.py` }),
    );
    await assert.rejects(
      openEvaluator(join(folder, 'y.evaluator.json'), { home }),
      { what: say('python.consentNeeded') },
      'nor one that is named by way of another',
    );
  });

  for (const source of ['the dataset', '--references'])
    it(`a metric with references from ${source} scores variants as the same built-in metric does`, async () => {
      const folder = scratch();
      const dataset = join(folder, 'captions.json');
      // Words of letters only, because the built-in metric splits others as the Stanford tokenizer does.
      const plain = (text: string): string =>
        text
          .replace(/[^a-z ]/gi, '')
          .replace(/ +/g, ' ')
          .trim();
      const { images, annotations } = JSON.parse(readFileSync(join(samples, 'captions.json'), 'utf8')) as {
        images: unknown[];
        annotations: { caption: string }[];
      };
      const plainOnes = annotations.map((one) => ({ ...one, caption: plain(one.caption) }));
      writeFileSync(dataset, JSON.stringify({ images, annotations: plainOnes }));
      const written = await runAudit({
        dataset,
        probes: ['lgip'],
        evaluators: ['rouge-l', `python:${script}:RougeL`],
        images: [join(samples, 'images')],
        home: scratch(),
        out: scratch(),
        signal: new AbortController().signal,
        ...(source === 'the dataset' ? {} : { references: dataset }),
      });
      const [builtIn, own] = written.map(({ path, report }) =>
        readFileSync(join(path, '..', report.rows), 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .flatMap((line) => {
            const { text, score, variants } = JSON.parse(line) as LgipRow;
            return [{ text, score }, ...variants];
          })
          .filter(({ text }) => text === plain(text)),
      );
      assert.ok(builtIn.length > 200, String(builtIn.length));
      for (const [i, { text, score }] of builtIn.entries())
        assert.ok(
          Math.abs((own[i].score ?? NaN) - (score ?? NaN)) < 1e-6,
          `${text}: ${own[i].score}, ${score}`,
        );
    });

  it('gets no rankings from a metric with references, and says why', async () => {
    const audited = runAudit({
      dataset: join(samples, 'rococo.json'),
      probes: ['rococo'],
      evaluators: [`python:${script}:RougeL`],
      references: join(samples, 'captions.json'),
      images: [join(samples, 'images')],
      home: scratch(),
      out: scratch(),
      signal: new AbortController().signal,
    });
    await assert.rejects(
      audited,
      ({ what }: CaptiousError) => (what as Said).code === 'probe.evaluatorUnusable',
    );
  });
});
