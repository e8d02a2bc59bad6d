import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runAudit } from '../../../src/audit/run';
import { scoreAgain } from '../../../src/audit/again';
import { OpenEvaluators } from '../../../src/service/openEvaluators';
import type { Row } from '../../../src/probe/metric';
import { saying } from '../../sentence';
import type { WrittenReport } from '../../../src/audit/output/writtenReport';

const models = resolve('test/fixtures/models');
const captions = ['a red bus and two dogs', 'three cats on a green sofa', 'a man rides a brown horse'];

describe('scoring edited captions again', function () {
  this.timeout(60_000);
  let folder: string;
  let evaluatorRun: OpenEvaluators;
  const home = () => join(folder, 'home');

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-again-'));
    evaluatorRun = new OpenEvaluators();
  });
  after(async () => {
    await evaluatorRun.close();
    await rm(folder, { recursive: true });
  });

  const write = async (name: string, texts: readonly string[]) => {
    const path = join(folder, name);
    const lines = texts.map((caption) => JSON.stringify({ image: 'wide.png', caption }));
    await writeFile(path, `${lines.join('\n')}\n`);
    return path;
  };
  const audit = async (dataset: string, probe: string) => {
    const [written] = await runAudit({
      dataset,
      probes: [probe],
      evaluators: [join(models, 'clip')],
      images: [join(models, 'pictures')],
      home: home(),
      out: join(folder, `out-${probe}-${dataset.split('/').at(-1)!}`),
      signal: new AbortController().signal,
    });
    return written;
  };
  const rowsOf = async ({ path, report }: WrittenReport) =>
    (await readFile(join(path, '..', report.rows), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
  const again = async ({ report }: WrittenReport, file: string, lines: number[]) =>
    scoreAgain({
      report,
      file,
      lines,
      ...(await evaluatorRun.of(report.evaluator, home(), [join(models, 'clip')])),
      images: [join(models, 'pictures')],
      signal: new AbortController().signal,
    });

  it("gives the report's scores for unedited entries", async () => {
    const file = await write('same.jsonl', captions);
    const written = await audit(file, 'lgip');
    const { rows, leftOut } = await again(written, file, [1, 3]);
    const all = await rowsOf(written);
    const isOf = ({ example }: Row): boolean => example === all[0].example || example === all.at(-1)!.example;
    assert.deepEqual(JSON.parse(JSON.stringify(rows)), all.filter(isOf));
    assert.deepEqual(
      rows.map(({ seed }) => seed),
      [42, 43, 44, 45, 46, 42, 43, 44, 45, 46],
    );
    assert.deepEqual(leftOut, []);
  });

  it('gives the scores that an audit of the edited file gives for that line', async () => {
    const written = await audit(await write('old.jsonl', captions), 'lgip');
    const edited = await write(
      'new.jsonl',
      captions.map((text, i) => (i === 1 ? 'two dogs on a green sofa' : text)),
    );
    const { rows } = await again(written, edited, [2]);
    const ofLine = async (own: WrittenReport) => (await rowsOf(own)).filter(({ row }) => row === 1);
    const whole = await ofLine(await audit(edited, 'lgip'));
    assert.deepEqual(JSON.parse(JSON.stringify(rows)), whole);
    assert.notDeepEqual(whole, await ofLine(written));
  });

  it('says why an edited entry is left out, and reports no other lines', async () => {
    const file = await write('good.jsonl', captions);
    const written = await audit(file, 'lgip');
    const broken = (await readFile(file, 'utf8')).split('\n');
    broken[1] = '{"image": "wide.png", "caption": "cut sh';
    broken[2] = '{"image": "wide.png", "caption": 7}';
    await writeFile(join(folder, 'broken.jsonl'), broken.join('\n'));
    const { rows, leftOut } = await again(written, join(folder, 'broken.jsonl'), [2]);
    assert.deepEqual(rows, []);
    assert.deepEqual(
      leftOut.map(({ count }) => count),
      [1],
    );
  });

  it('rejects a probe that ranks all images against all captions', async () => {
    const file = await write('ranked.jsonl', captions);
    const written = await audit(file, 'prsm');
    await assert.rejects(again(written, file, [1]), saying('audit.jointProbe', 'PRSM'));
  });
});
