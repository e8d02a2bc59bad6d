import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AuditRequest } from '../../../../src/audit/request';
import { runAudit } from '../../../../src/audit/run';
import { mergeShards } from '../../../../src/audit/shard/merge';
import { runShard } from '../../../../src/audit/shard/runShard';
import { CaptiousError } from '../../../../src/base/errors';
import type { Report } from '../../../../src/report/report';
import { FakeEvaluator } from '../../../unit/bench/fakeEvaluator';
import { saying } from '../../../sentence';

const images = resolve('test/fixtures/models/pictures');
const count = 3;
const shardHash = (name: string): Buffer => createHash('sha256').update(`image ${name}`).digest();
const ownerOf = (name: string): number => 1 + (shardHash(name).readUIntBE(0, 6) % count);

describe('shards over other images', function () {
  this.timeout(600_000);
  let folder: string;
  let imageFiles: string[];
  const names = Array.from({ length: 600 }, (_, i) => `p${i}.png`);
  /** An image of the last shard that is not among the 256 names with the smallest hashes. */
  const changed = [...names]
    .sort((a, b) => (sha256(a) < sha256(b) ? -1 : 1))
    .slice(300)
    .find((name) => ownerOf(name) === count)!;

  function sha256(name: string): string {
    return createHash('sha256').update(name).digest('hex');
  }

  async function tree(name: string, others: readonly string[] = []): Promise<string> {
    const path = join(folder, name);
    await mkdir(path, { recursive: true });
    await Promise.all(
      names.map((one, i) =>
        copyFile(
          join(images, imageFiles[(i + (others.includes(one) ? 1 : 0)) % imageFiles.length]),
          join(path, one),
        ),
      ),
    );
    return path;
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-shard-images-'));
    imageFiles = (await readdir(images)).filter((name) => name.endsWith('.png')).sort();
    const line = (image: string, i: number): object => ({
      image,
      caption: `a house ${i}`,
      caption2: 'a',
      negative: 'b',
    });
    await writeFile(
      join(folder, 'data.jsonl'),
      names.map((name, i) => JSON.stringify(line(name, i))).join('\n'),
    );
  });
  after(() => rm(folder, { recursive: true }));

  const request = (out: string, images: string, probe = 'visla'): Omit<AuditRequest, 'evaluators'> => ({
    ...{ dataset: join(folder, 'data.jsonl'), probes: [probe], images: [images], out: join(folder, out) },
    ...{ home: join(folder, `home of ${out}`), signal: new AbortController().signal },
  });
  const fakes = (): FakeEvaluator[] => [new FakeEvaluator({ refuse: () => false })];

  async function shards(out: string, images: readonly string[], probe?: string): Promise<string[]> {
    const folders: string[] = [];
    for (const [i, tree] of images.entries()) {
      const shard = { index: i + 1, count };
      folders.push((await runShard({ ...request(out, tree, probe), evaluators: fakes(), shard })).folder);
    }
    return folders;
  }

  const merged = (out: string, folders: readonly string[]) =>
    mergeShards({ ...request(`${out} merged`, ''), out: join(folder, `${out} merged`), folders });

  async function refusal(out: string, folders: readonly string[]): Promise<string> {
    const error = await merged(out, folders).then(
      () => assert.fail('merged'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof CaptiousError, String(error));
    assert.deepEqual(await readdir(join(folder, `${out} merged`)).catch(() => []), []);
    return error.describe();
  }

  async function files(out: string): Promise<string[]> {
    const own = (await readdir(join(folder, out))).filter((name) =>
      /\.(report\.json|rows\.jsonl)$/.test(name),
    );
    return Promise.all(own.sort().map((name) => readFile(join(folder, out, name), 'utf8')));
  }

  it('are refused with the name of the first image that differs, whichever image it is', async () => {
    const [a, b] = [await tree('a'), await tree('b', [changed])];
    const folders = await shards('other', [a, a, b]);
    assert.match(
      await refusal('other', folders),
      new RegExp(`the image "${changed}" has the SHA-256 \\w+ in \\S`),
    );
    // The same shard with the right images replaces the other one.
    assert.deepEqual(await shards('other', [a, a, a]), folders);
    await merged('other', folders);
    await runAudit({ ...request('whole', a), evaluators: fakes() });
    const whole = await files('whole');
    assert.deepEqual(await files('other merged'), whole);
    assert.equal((JSON.parse(whole[0]) as Report).dataset.images?.count, names.length);
    // A merge takes the hashes from the shards.
    await rm(a, { recursive: true });
    await merged('other', folders);
    assert.deepEqual(await files('other merged'), whole);
  });

  it('are refused if only an image of the mismatched pairs differs', async () => {
    // The second shard neither measures nor lists these images as those of other shards.
    const others = names.filter((name) => {
      const other = (ownerOf(name) + (shardHash(name).readUIntBE(6, 6) % (count - 1))) % count;
      return ownerOf(name) !== 2 && other + 1 !== 2;
    });
    const folders = await shards(
      'drawn',
      [await tree('c'), await tree('d', others), await tree('c')],
      'lgip',
    );
    assert.match(await refusal('drawn', folders), /the image "p\d+\.png" has the SHA-256/);
  });

  it('are measured again if an image has changed since', async () => {
    const a = await tree('e');
    await shards('again', [a]);
    await copyFile(
      join(images, imageFiles[1]),
      join(
        a,
        names.find((name) => ownerOf(name) === 1)!,
      ),
    );
    const events: string[] = [];
    const onEvent: AuditRequest['onEvent'] = (event) => events.push(event.type);
    const shard = { index: 1, count };
    await runShard({ ...request('again', a), evaluators: fakes(), shard, onEvent });
    assert.ok(events.includes('progress') && !events.includes('notice'));
    events.length = 0;
    await runShard({ ...request('again', a), evaluators: fakes(), shard, onEvent });
    assert.deepEqual(events, ['notice']);
  });

  it('are not ranked with other images than they encoded', async () => {
    const a = await tree('f');
    const folders = await shards('ranked', [a, a, a], 'prsm');
    const path = join(a, changed);
    const before = await readFile(path);
    await copyFile(join(images, imageFiles[(names.indexOf(changed) + 1) % imageFiles.length]), path);
    assert.match(await refusal('ranked', folders), saying('shard.imageDiffers', changed));
    await writeFile(path, before);
    await merged('ranked', folders);
    await runAudit({ ...request('ranked whole', a, 'prsm'), evaluators: fakes() });
    assert.deepEqual(await files('ranked merged'), await files('ranked whole'));
  });
});
