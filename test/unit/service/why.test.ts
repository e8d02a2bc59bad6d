import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runAudit } from '../../../src/audit/run';
import { CaptiousError } from '../../../src/base/errors';
import { codeOf } from '../../../src/base/say';
import type { VislaRow } from '../../../src/probe/visla/row';
import { explained } from '../../../src/protocol/explained';
import type { ImageItem } from '../../../src/protocol/item';
import type { RowAsk } from '../../../src/protocol/rows';
import { why } from '../../../src/service/explaining';
import { OpenEvaluators } from '../../../src/service/openEvaluators';

const models = resolve('test/fixtures/models');
const photo: ImageItem = {
  kind: 'image',
  source: { name: 'wide.png', path: join(models, 'pictures/wide.png') },
  transforms: [],
};

describe('why a score of a report is what it is', function () {
  this.timeout(60_000);
  let folder: string;
  let report: string;
  let row: VislaRow;
  const evaluators = new OpenEvaluators();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-why-'));
    const dataset = join(folder, 'triplets.tsv');
    await writeFile(
      dataset,
      'filename\tcaption\tsecond positive\tnegative_caption\nwide.png\ta red bus\tthe bus is red\ta blue bus\n',
    );
    const [written] = await runAudit({
      ...{ dataset, probes: ['visla'], evaluators: [join(models, 'clip')] },
      ...{ images: [join(models, 'pictures')], home: join(folder, 'home'), out: join(folder, 'out') },
      signal: new AbortController().signal,
    });
    report = written.path;
    row = JSON.parse(await readFile(join(folder, 'out', written.report.rows), 'utf8')) as VislaRow;
  });
  after(async () => {
    await evaluators.close();
    await rm(folder, { recursive: true });
  });

  const ask = async (given: Partial<RowAsk<'why'>>, image: ImageItem | undefined = photo, from = report) => {
    const allowed = { evaluators: [join(models, 'clip')], own: [], workspace: [] };
    const whole = {
      ...{ report: from, text: row.p1, other: row.n, image: 'wide.png', depth: 'regions' as const },
      ...{ home: join(folder, 'home'), trusted: true, allowed, images: [] },
      ...given,
    };
    const small = () => readFile(join(models, 'pictures/wide.png'));
    const { signal } = new AbortController();
    // As the page receives it.
    return explained(await why(whole, image, small, evaluators, { signal }), '');
  };
  const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-9, `${a} and ${b}`);
  const total = (values: { influence: number | null }[]) =>
    values.reduce((sum, { influence }) => sum + influence!, 0);

  it("explains the report's score by words, regions and both", async () => {
    const answer = await ask({});
    assert.equal(answer.score, row.i2t!.p1);
    near(total(answer.words), answer.score - answer.base!);
    assert.equal(answer.regions!.length, 49);
    assert.ok(answer.regions!.every(({ words }) => words?.length === 3));
    assert.equal(answer.change!.otherScore, row.i2t!.n);
    near(total(answer.change!.changes), row.i2t!.n - row.i2t!.p1);
    assert.deepEqual(
      answer.change!.changes.map(({ from, to }) => [from, to]),
      [['red', 'blue']],
    );
  });

  it('answers with words before it scores regions, and compares texts if there is no image', async () => {
    const words = await ask({ depth: 'words' });
    assert.equal(words.regions, undefined);
    const { image: _, ...textual } = { ...(await ask({ image: undefined })), image: undefined };
    assert.deepEqual([textual.against, textual.regions, textual.change], [row.n, undefined, undefined]);
    near(textual.score, row.t2t!.p1n);
  });

  it('writes the table and the figure of the command line', async () => {
    assert.match((await ask({ to: 'tex', depth: 'words' })).written!, /\\begin\{tabular\}[^]*red & \$/);
    const { written } = await ask({ to: 'svg' });
    assert.match(written!, /^<svg|^<\?xml/);
  });

  it('refuses judges, tables of scores and missing images', async () => {
    const refused = async (code: string, given: Parameters<typeof ask>) =>
      assert.rejects(
        ask(...given),
        (error) => error instanceof CaptiousError && codeOf(error.words) === code,
      );
    for (const [kind, code] of [
      ['judge', 'service.captionsCostMoney'],
      ['scores', 'explain.onlyGivenScores'],
    ]) {
      const other = join(folder, `${kind}.report.json`);
      const content = JSON.parse(await readFile(report, 'utf8')) as { evaluator: object };
      Object.assign(content.evaluator, { kind });
      await writeFile(other, JSON.stringify(content));
      await refused(code, [{}, photo, other]);
    }
    const { signal } = new AbortController();
    await assert.rejects(
      why(
        {
          ...{ report, text: row.p1, image: 'lost.png', depth: 'words', home: join(folder, 'home') },
          ...{ trusted: true, images: [] },
          allowed: { evaluators: [join(models, 'clip')], own: [], workspace: [] },
        },
        undefined,
        () => Promise.reject(new Error('no figure was asked for')),
        evaluators,
        { signal },
      ),
      (error) => error instanceof CaptiousError && codeOf(error.words) === 'editor.imageNotFound',
    );
  });
});
