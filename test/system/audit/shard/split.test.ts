import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditRequest } from '../../../../src/audit/request';
import { runAudit } from '../../../../src/audit/run';
import { mergeShards } from '../../../../src/audit/shard/merge';
import { readManifest } from '../../../../src/audit/shard/manifest';
import { runShard } from '../../../../src/audit/shard/runShard';
import { CaptiousError } from '../../../../src/base/errors';
import { writePieces } from '../../../../src/report/output';
import { tableWriters } from '../../../../src/report/table/forms';
import type { Table, TableCell } from '../../../../src/report/table/table';
import { FakeEvaluator } from '../../../unit/bench/fakeEvaluator';
import { archive, file } from '../../../unit/dataset/archives';

const said = [
  'a red bus in front of a house',
  'two dogs play with a ball near a house',
  'a man with a white hat eats near a house',
  'three cats sleep on a wooden table of a house',
];
const [files, rowsOfFile] = [5, 9];
type Form = 'parquet' | 'arrow' | 'tar';

const captionOf = (row: number): string => (row % 11 === 4 ? '' : `${said[row % said.length]} ${row}`);

function tableOf(numbers: readonly number[], idOf?: (row: number) => string): Table {
  async function* rows(): AsyncGenerator<TableCell[]> {
    for (const row of numbers) {
      const path = `photo ${row % 14}.png`;
      const image = { bytes: Buffer.from(`pixels of ${path}`), path };
      yield await Promise.resolve([...(idOf === undefined ? [] : [idOf(row)]), image, captionOf(row)]);
    }
  }
  return {
    columns: new Map([
      ...(idOf === undefined ? [] : ([['id', 'string']] as const)),
      ['image', 'image'],
      ['caption', 'string'],
    ]),
    rows: rows(),
    notes: {},
    createdBy: 'test',
  };
}

describe('shards of whole files', function () {
  this.timeout(600_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-split-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** Files in which most images also occur in other files, and some captions are missing. */
  async function dataset(name: string, form: Form, idOf?: (row: number) => string): Promise<string> {
    const own = join(folder, `data ${name}`);
    await mkdir(own);
    for (let part = 0; part < files; part++) {
      const numbers = Array.from({ length: rowsOfFile }, (_, i) => part * rowsOfFile + i);
      const ofTar = numbers.flatMap((row) => [
        file(`${idOf?.(row) ?? row}.png`, `pixels of photo ${row % 14}`),
        file(`${idOf?.(row) ?? row}.txt`, captionOf(row)),
      ]);
      const path = join(own, `part-${part}.${form}`);
      if (form === 'tar') await writeFile(path, archive(...ofTar));
      else await writePieces(path, tableWriters[form](tableOf(numbers, idOf)));
    }
    return own;
  }

  function request(data: string, out: string, changes: Partial<AuditRequest> = {}): AuditRequest {
    const refuse = (text: string): boolean => / house 1[35]/.test(text);
    return {
      dataset: data,
      probes: ['lgip'],
      evaluators: [new FakeEvaluator({ refuse })],
      home: join(folder, `home of ${out}`),
      out: join(folder, out),
      signal: new AbortController().signal,
      ...changes,
    };
  }

  async function reports(out: string): Promise<Record<string, string>> {
    const names = (await readdir(join(folder, out))).filter((name) =>
      /\.(report\.json|rows\.jsonl)$/.test(name),
    );
    const texts = names.sort().map(async (name) => [name, await readFile(join(folder, out, name), 'utf8')]);
    return Object.fromEntries((await Promise.all(texts)) as [string, string][]);
  }

  async function merged(out: string): Promise<Record<string, string>> {
    const { signal } = request('', out);
    const [folders, home] = [[join(folder, out)], join(folder, `merge ${out}`)];
    await mergeShards({ folders, out: join(folder, `${out} merged`), home, signal });
    return reports(`${out} merged`);
  }

  /** Changes captions and, in Parquet files, destroys all data, but keeps the length of the file. */
  async function destroy(path: string): Promise<Buffer> {
    const bytes = await readFile(path);
    const other = Buffer.from(bytes.toString('latin1').replaceAll(' house ', ' hovel '), 'latin1');
    if (path.endsWith('.parquet'))
      other.fill(0x7f, 4, bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8));
    assert.ok(!other.equals(bytes));
    await writeFile(path, other);
    return bytes;
  }

  for (const form of ['parquet', 'arrow', 'tar'] as const)
    it(`${form}: equal the single run to the bit although other files are destroyed`, async () => {
      const data = await dataset(form, form);
      const names = (await readdir(data)).sort();
      const changes = { spread: false };
      await runAudit(request(data, `${form} whole`, changes));
      const whole = await reports(`${form} whole`);
      assert.equal(Object.keys(whole).length, 2);
      assert.match(Object.values(whole).join(''), /audit\.notScored/);
      assert.match(Object.values(whole).join(''), /missing-field/);
      for (const count of [2, 5]) {
        const out = `${form} ${count}`;
        for (let index = count; index >= 1; index--) {
          // Each job reads the first captions of the dataset, which decide the language and the draws.
          const own = names.slice(
            Math.floor(((index - 1) * files) / count),
            Math.floor((index * files) / count),
          );
          const others = names.filter((name) => name !== names[0] && !own.includes(name));
          const intact = await Promise.all(others.map((name) => destroy(join(data, name))));
          const { manifest } = await runShard({ ...request(data, out, changes), shard: { index, count } });
          assert.equal(manifest.dataset.files!.length, own.length);
          await Promise.all(others.map((name, i) => writeFile(join(data, name), intact[i])));
        }
        assert.deepEqual(await merged(out), whole);
      }
    });

  it('the first shard scores the mismatched pairs of all files', async () => {
    const data = await dataset('spread', 'parquet');
    await runAudit(request(data, 'spread whole'));
    for (const index of [1, 2, 3])
      await runShard({ ...request(data, 'spread 3'), shard: { index, count: 3 } });
    const whole = await reports('spread whole');
    assert.match(Object.values(whole).join(''), /"repeat"/);
    assert.deepEqual(await merged('spread 3'), whole);
  });

  it('more shards than files, a limit, a ranking and the option split by image', async () => {
    const data = await dataset('by image', 'parquet');
    const hasFiles = async (changes: object, count = 2): Promise<boolean> => {
      const out = `by image ${JSON.stringify([changes, count])}`.replace(/\W+/g, '-');
      const { manifest } = await runShard({
        ...request(data, out, { spread: false, ...changes }),
        shard: { index: 1, count },
      });
      return manifest.dataset.files !== undefined;
    };
    assert.equal(await hasFiles({}), true);
    assert.equal(await hasFiles({}, files + 1), false);
    assert.equal(await hasFiles({ limit: 10 }), false);
    assert.equal(await hasFiles({ probes: ['lgip', 'prsm'] }), false);
    assert.equal(await hasFiles({ byImage: true }), false);
    assert.equal(await hasFiles({ dataset: await dataset('twice', 'tar', (row) => `${row % 40}`) }), false);
  });

  it('merges a probe split by file with a ranking split by image', async () => {
    const data = await dataset('two sets', 'parquet');
    const probes = [['lgip'], ['prsm']];
    for (const own of probes) {
      await runAudit(request(data, 'two sets whole', { probes: own }));
      for (const index of [1, 2])
        await runShard({ ...request(data, 'two sets 2', { probes: own }), shard: { index, count: 2 } });
    }
    assert.deepEqual(await merged('two sets 2'), await reports('two sets whole'));
  });

  it('refuses an id that two shards have, which a split by image accepts', async () => {
    const data = await dataset('ids', 'parquet', (row) => `own ${row === 30 ? 3 : row}`);
    const of = (index: number, byImage: boolean) =>
      runShard({ ...request(data, byImage ? 'ids by image' : 'ids'), byImage, shard: { index, count: 2 } });
    for (const index of [1, 2]) await of(index, false);
    await assert.rejects(
      merged('ids'),
      (error: unknown) =>
        error instanceof CaptiousError && /the id "own 3" in .*-2-of-2 .*--by-image/.test(error.describe()),
    );
    await runAudit(request(data, 'ids whole'));
    for (const index of [1, 2]) await of(index, true);
    assert.deepEqual(await merged('ids by image'), await reports('ids whole'));
  });

  it('measures a shard again if one of its own files changes', async () => {
    const data = await dataset('changed', 'parquet');
    const again = () => runShard({ ...request(data, 'changed'), shard: { index: 2, count: 5 } });
    const { folder: first } = await again();
    const before = await readManifest(first);
    await destroy(join(data, 'part-4.parquet'));
    assert.deepEqual((await again()).manifest, before);
    await destroy(join(data, 'part-1.parquet'));
    const { manifest } = await again();
    assert.notDeepEqual(manifest.dataset.files, before!.dataset.files);
    assert.equal(manifest.probes[0].parts![0].lines, 0);
  });
});
