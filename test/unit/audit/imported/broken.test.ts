import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { english } from '../../../../src/base/english';
import { CaptiousError } from '../../../../src/base/errors';
import { isSaid, say, type Words } from '../../../../src/base/say';
import { ZipFile } from '../../../../src/base/files/zip';
import { unpackZstd } from '../../../../src/base/files/zstd';
import { zipOf } from '../../base/files/zips';
import { fixture, importFrom, scratch } from './logs';

async function codeOf(log: string): Promise<string | undefined> {
  const { what } = await errorOf(log);
  return isSaid(what) ? what.code : undefined;
}

async function errorOf(log: string): Promise<CaptiousError> {
  const error: unknown = await importFrom(log).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  assert.ok(error instanceof CaptiousError, String(error));
  return error;
}

const header = JSON.stringify({ eval: { task: 't', model: 'm' } });
const sample = (id: string, value: unknown, epoch = 1): object => ({ id, epoch, scores: { s: { value } } });

function logOf(...samples: object[]): string {
  return JSON.stringify({ eval: { task: 't', model: 'm' }, samples });
}

describe('broken logs', () => {
  it('reads deflated archives', async () => {
    const samples = JSON.stringify([sample('1', 'C'), sample('2', 0.25)]);
    const file = scratch.write(
      'good.eval',
      zipOf([
        { name: 'header.json', text: header },
        { name: 'summaries.json', text: samples },
      ]),
    );
    const { rows } = await importFrom(file);
    assert.deepEqual(
      rows.map(({ scores }) => scores),
      [{ s: 1 }, { s: 0.25 }],
    );
  });

  it('rejects archives that are cut off, state wrong sizes or have a name twice', async () => {
    const whole = readFileSync(fixture('a.eval'));
    assert.equal(await codeOf(scratch.write('cut.eval', whole.subarray(0, 20_000))), 'base.zipTruncated');
    const bomb = zipOf([{ name: 'header.json', text: ' '.repeat(1 << 20), size: 10 }]);
    assert.equal(await codeOf(scratch.write('bomb.eval', bomb)), 'base.zipEntryDamaged');
    const twice = zipOf([
      { name: 'a', text: '' },
      { name: 'a', text: '' },
    ]);
    assert.equal(await codeOf(scratch.write('twice.eval', twice)), 'base.zipNameTwice');
    const other = zipOf([{ name: 'a', text: '' }]);
    assert.equal(await codeOf(scratch.write('other.eval', other)), 'imported.noHeader');
    const changed = Buffer.from(whole);
    changed[whole.indexOf('header.json') + 40] ^= 0xff;
    assert.equal(await codeOf(scratch.write('changed.eval', changed)), 'base.zipEntryDamaged');
  });

  it('does not unpack what becomes much longer than stated', () => {
    // Blocks of one repeated byte: 4 bytes become 128 KiB each.
    const [blocks, longest] = [192, 128 << 10];
    const frame = Buffer.alloc(6 + 4 * blocks);
    frame.writeUInt32LE(0xfd2fb528);
    frame[5] = 0x58;
    for (let i = 0; i < blocks; i++)
      frame.writeUInt32LE((longest << 3) | 2 | (i === blocks - 1 ? 1 : 0), 6 + 4 * i);
    assert.throws(() => unpackZstd(frame, 1000), RangeError);
    assert.equal(unpackZstd(frame, blocks * longest).length, blocks * longest);
  });

  it('counts names that lead out of the archive', async () => {
    const file = scratch.write(
      'out.zip',
      zipOf([
        { name: '../x', text: '1' },
        { name: '/etc/x', text: '1' },
        { name: 'x', text: '1' },
      ]),
    );
    const zip = await ZipFile.open(file);
    assert.deepEqual([[...zip.entries.keys()], zip.leftOut], [['x'], 2]);
    await zip.close();
  });

  it('rejects a sample that occurs twice', async () => {
    const log = logOf(sample('1', 1), sample('1', 1));
    assert.equal(await codeOf(scratch.write('double.json', log)), 'imported.sampleTwice');
  });

  it('counts NaN, and names fields that are never numbers', async () => {
    const nan = logOf(sample('1', 1), sample('2', 'NaN!')).replace('"NaN!"', 'NaN');
    const { report, rows } = await importFrom(scratch.write('nan.json', nan));
    assert.deepEqual([rows.length, report.dataset.skipped], [1, 1]);
    const text = logOf({ id: '1', scores: { s: { value: 1 }, why: { value: 'long' } } });
    const other = await importFrom(scratch.write('text.json', text));
    assert.deepEqual([other.rows[0].scores, other.report.dataset.skipped], [{ s: 1 }, 0]);
  });

  it('says that results without samples cannot be tested', async () => {
    const clip = {
      dataset: 'cars',
      model: 'ViT-B-32',
      task: 'zeroshot_classification',
      metrics: { acc1: 0.6 },
    };
    const mteb = { task_name: 'STS12', mteb_version: '2.0', scores: { test: [{ main_score: 0.7 }] } };
    const lmms = { results: { mme: { 'mme_score,none': 0.5 } }, configs: { mme: {} } };
    const instead = (program: string): Words => say('imported.auditInstead', program);
    for (const [results, remedy] of [
      [clip, instead('CLIP_benchmark')],
      [mteb, instead('MTEB')],
      [lmms, say('imported.logSamples')],
    ]) {
      const file = scratch.write('results.json', JSON.stringify(results));
      assert.equal(await codeOf(file), 'imported.onlyAggregates');
      const error = await errorOf(file);
      assert.deepEqual([error.at, error.remedy], [file, english(remedy as Words)]);
    }
    assert.equal(await codeOf(scratch.write('any.json', '{}')), 'imported.unknownLog');
  });

  it('reads the items of CaptionEvalKit', async () => {
    const items = { 7: { CLIPScore: 0.7, caption: 'a dog', image: '7.jpg' } };
    const file = scratch.write('clipscore.json', JSON.stringify({ CLIPScore: 0.7, per_item: items }));
    const { rows, report } = await importFrom(file);
    assert.deepEqual(
      [rows[0].scores, rows[0].image, report.evaluator.id],
      [{ CLIPScore: 0.7 }, '7.jpg', 'clipscore'],
    );
  });
});
