import { english } from '../../../../src/base/english';
import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AuditRequest } from '../../../../src/audit/request';
import { runAudit } from '../../../../src/audit/run';
import { mergeShards } from '../../../../src/audit/shard/merge';
import { runShard } from '../../../../src/audit/shard/runShard';
import { CaptiousError } from '../../../../src/base/errors';
import type { EvaluatorInfo } from '../../../../src/evaluator/evaluator';
import type { Report } from '../../../../src/report/report';
import { FakeEvaluator, type FakeOptions } from '../../../unit/bench/fakeEvaluator';

const images = resolve('test/fixtures/models/pictures');
const captions = [
  'a red bus in front of a house',
  'two dogs play with a ball on the grass',
  'a man with a white hat eats a sandwich',
  'three cats sleep on a wooden table',
  'a woman rides a brown horse near the sea',
];

/** Fake evaluators without model files, so a merge that has to open a model fails. */
function fakes(options: FakeOptions = {}): FakeEvaluator[] {
  const info = (id: string): Partial<EvaluatorInfo> => ({
    id,
    name: id,
    sha256: id.padEnd(64, '0'),
    textKey: `${id} text`,
    imageKey: `${id} image`,
  });
  const refuse = (text: string): boolean => / house 1[35]/.test(text);
  return ['aa', 'bb'].map(
    (id) => new FakeEvaluator({ refuse, ...options, info: { ...info(id), ...options.info } }),
  );
}

/** Evaluators that embed every text and image. A failure would change which images RoCOCO mixes. */
const allEmbedded = (): FakeEvaluator[] => fakes({ refuse: () => false });

describe('shards', function () {
  this.timeout(600_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-shards-'));
    const imageFiles = (await readdir(images)).filter((name) => /\.(png|jpg)$/.test(name));
    for (const name of imageFiles) await copyFile(join(images, name), join(folder, name));
    await writeFile(join(folder, 'torn.png'), 'no image');
    const image = (i: number): string =>
      i % 23 === 7 ? 'torn.png' : i % 19 === 9 ? 'nowhere.png' : imageFiles[(i * 7) % imageFiles.length];
    const said = (i: number): string =>
      `${captions[i % 5]} by house ${i}${' far away'.repeat(i % 9 === 3 ? 5 : 0)}`;
    const lines = (count: number, line: (i: number) => object): string =>
      Array.from({ length: count }, (_, i) => (i % 31 === 11 ? '{"image": 3' : JSON.stringify(line(i)))).join(
        '\n',
      );
    await writeFile(
      join(folder, 'captions.jsonl'),
      lines(60, (i) => ({ image: image(i), caption: said(i) })),
    );
    await writeFile(
      join(folder, 'triplets.jsonl'),
      lines(60, (i) => ({
        image: image(i),
        caption: said(i),
        caption2: `there is ${said(i)}`,
        negative: said(i + 1),
      })),
    );
    await writeFile(
      join(folder, 'pairs.json'),
      JSON.stringify(
        Object.fromEntries(
          Array.from({ length: 40 }, (_, i) => [
            i,
            { filename: image(i), caption: said(i), negative_caption: said(i + 1) },
          ]),
        ),
      ),
    );
  });
  after(() => rm(folder, { recursive: true }));

  function request(file: string, probes: readonly string[], out: string): Omit<AuditRequest, 'evaluators'> {
    return {
      dataset: join(folder, file),
      probes,
      home: join(folder, `home of ${out}`),
      out: join(folder, out),
      signal: new AbortController().signal,
    };
  }

  async function files(out: string): Promise<Record<string, string>> {
    const names = (await readdir(join(folder, out))).filter((name) =>
      /\.(report\.json|rows\.jsonl)$/.test(name),
    );
    const texts = names.sort().map(async (name) => [name, await readFile(join(folder, out, name), 'utf8')]);
    return Object.fromEntries((await Promise.all(texts)) as [string, string][]);
  }

  async function shards(
    file: string,
    probes: readonly string[],
    out: string,
    count: number,
    changes: Partial<AuditRequest> = {},
    made = fakes,
  ): Promise<string[]> {
    const folders: string[] = [];
    // Descending order, because schedulers finish shards in any order.
    for (let index = count; index >= 1; index--) {
      const shard = { index, count };
      const evaluators = changes.evaluators ?? made();
      folders.push((await runShard({ ...request(file, probes, out), ...changes, evaluators, shard })).folder);
    }
    return folders.reverse();
  }

  async function merged(out: string, folders: readonly string[] = [join(folder, out)]): Promise<void> {
    const { signal } = request('', [], out);
    await mergeShards({
      folders,
      out: join(folder, `${out} merged`),
      home: join(folder, `merge ${out}`),
      signal,
    });
  }

  async function refusal(out: string, folders?: readonly string[]): Promise<string> {
    const error = await merged(out, folders).then(
      () => assert.fail('merged'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof CaptiousError, String(error));
    assert.deepEqual(await readdir(join(folder, `${out} merged`)).catch(() => []), []);
    return error.describe();
  }

  async function equalsSingleRun(
    file: string,
    probes: readonly string[],
    counts: readonly number[],
    changes: Partial<AuditRequest> = {},
    evaluators = fakes,
  ): Promise<string> {
    const name = `${file} ${probes.join()} ${JSON.stringify(changes)}`.replace(/[^\w ]+/g, '-');
    await runAudit({ ...request(file, probes, `${name} whole`), ...changes, evaluators: evaluators() });
    const whole = await files(`${name} whole`);
    assert.equal(Object.keys(whole).length, probes.length * 4);
    for (const count of counts) {
      const out = `${name} ${count}`;
      await shards(file, probes, out, count, changes, evaluators);
      await merged(out);
      assert.deepEqual(await files(`${out} merged`), whole);
    }
    return Object.values(whole).join('');
  }

  it('of lgip equal the single run to the bit, including examples left out and texts truncated', async () => {
    const all = await equalsSingleRun('captions.jsonl', ['lgip'], [1, 3, 70]);
    for (const found of [/audit\.notScored/, /probe\.imageNotFound/, /broken-row/, /audit\.truncatedTexts/])
      assert.match(all, found);
  });

  it('of visla equal the single run to the bit', () => equalsSingleRun('triplets.jsonl', ['visla'], [4]));

  it('of sugarcrepe equal the single run to the bit', () =>
    equalsSingleRun('pairs.json', ['sugarcrepe'], [4]));

  it('of sugarcrepe fit models without the image to all examples, not to those of a shard', async () => {
    const [first] = (await readdir(images)).filter((name) => name.endsWith('.png'));
    const pair = async (i: number): Promise<object> => {
      const filename = `own ${i % 24}.png`;
      await copyFile(join(images, first), join(folder, filename));
      return {
        filename,
        caption: captions[i % 5],
        negative_caption: `${captions[(i + 1) % 5]} far away ${i}`,
      };
    };
    const all = await Promise.all(Array.from({ length: 60 }, (_, i) => pair(i)));
    await writeFile(join(folder, 'longer.json'), JSON.stringify(Object.fromEntries(all.entries())));
    const reports = await equalsSingleRun('longer.json', ['sugarcrepe'], [1, 4], {}, allEmbedded);
    assert.match(reports, /"id": "sugarcrepe.longer.blind",\s+"value": 1,/);
    assert.match(reports, /benchmark.bestOfBaselines/);
  });

  it('of invariance equal the single run to the bit', () =>
    equalsSingleRun('captions.jsonl', ['invariance'], [3], { limit: 12 }));

  it('of human equal the single run to the bit, without a model', async () => {
    await copyFile(resolve('samples/preferences.jsonl'), join(folder, 'preferences.jsonl'));
    await equalsSingleRun('preferences.jsonl', ['human'], [3], { images: [resolve('samples/images')] });
  });

  it('of prsm equal the single run to the bit, without a model', () =>
    equalsSingleRun('captions.jsonl', ['prsm'], [1, 5], {}, () =>
      fakes({ refuseImage: (name) => name === 'torn.png' }),
    ));

  it('of rococo equal the single run to the bit, without a model', () =>
    equalsSingleRun(
      'captions.jsonl',
      ['rococo'],
      [5],
      {
        options: { rococo: { deletion: 'true', words: 'true', occlusion: 'true' } },
        limit: 30,
      },
      allEmbedded,
    ));

  it('of rococo equal the single run if an image is unreadable: the merge mixes other images anew', async () => {
    const changes = { evaluators: [resolve('test/fixtures/models/clip')], limit: 9 };
    await runAudit({ ...request('captions.jsonl', ['rococo'], 'torn whole'), ...changes });
    await shards('captions.jsonl', ['rococo'], 'torn', 3, changes);
    await merged('torn');
    const whole = await files('torn whole');
    assert.match(Object.values(whole).join(''), /"reason": \{[^}]*torn\.png/);
    assert.deepEqual(await files('torn merged'), whole);
  });

  it('of several probes count truncated texts as the single run does', () =>
    equalsSingleRun('captions.jsonl', ['lgip', 'prsm', 'rococo'], [2], { limit: 20, seed: 7 }, allEmbedded));

  it('are refused with the name of each that is missing, duplicate or damaged', async () => {
    const folders = await shards('triplets.jsonl', ['visla'], 'broken', 4);
    assert.match(await refusal('broken', folders.slice(1)), /missing: shard 1\/4 of visla with aa,bb/);
    await rename(join(folders[2], 'shard.json'), join(folders[2], 'away.json'));
    assert.match(await refusal('broken'), /-3-of-4: this shard is not complete[^]*missing: shard 3\/4/);
    await rename(join(folders[2], 'away.json'), join(folders[2], 'shard.json'));
    const rows = join(folders[1], 'visla.aa.shard.jsonl');
    const before = await readFile(rows, 'utf8');
    await writeFile(rows, before.replace('0.', '1.'));
    assert.match(await refusal('broken'), /damaged: .*-2-of-4: visla.aa.shard.jsonl has another checksum/);
    await writeFile(rows, before.slice(0, -9));
    assert.match(await refusal('broken'), /damaged: .*visla.aa.shard.jsonl has \d+ bytes instead of/);
    await writeFile(rows, before);
    const manifest = join(folders[3], 'shard.json');
    const text = await readFile(manifest, 'utf8');
    await writeFile(manifest, text.replace('"examples":', '"examples":1'));
    assert.match(await refusal('broken'), /damaged: .*its checksum differs/);
    await writeFile(manifest, text);
    const again = await shards('triplets.jsonl', ['visla'], 'broken again', 4);
    assert.match(
      await refusal('broken', [...folders, again[1]]),
      /duplicate: shard 2\/4 .*broken again.*broken/,
    );
    await merged('broken');
  });

  it('are refused if they differ, with the name of what differs', async () => {
    const [first] = await shards('triplets.jsonl', ['visla'], 'own', 2);
    const other = async (name: string, changes: Partial<AuditRequest>, file = 'triplets.jsonl', count = 2) =>
      (await shards(file, ['visla'], name, count, changes)).at(-1)!;
    assert.match(
      await refusal('own', [first, await other('seed', { seed: 3 })]),
      /mismatch: .*seed is 3 instead of 42/,
    );
    assert.match(
      await refusal('own', [first, await other('limit', { limit: 3 })]),
      /limit is 3 instead of null/,
    );
    const info = { precision: 'float16' };
    assert.match(
      await refusal('own', [first, await other('evaluator', { evaluators: fakes({ info }) })]),
      /evaluators.0.precision is "float16" instead of "float32"/,
    );
    assert.match(
      await refusal('own', [first, await other('count', {}, undefined, 3)]),
      /shards is 3 instead of 2/,
    );
    await writeFile(
      join(folder, 'other.jsonl'),
      `${await readFile(join(folder, 'triplets.jsonl'), 'utf8')}\n`,
    );
    assert.match(await refusal('own', [first, await other('data', {}, 'other.jsonl')]), /dataset.sha256 is/);
    const version = await other('version', {});
    await rewrite(version, (text) => text.replace(/"captious":"[^"]*"/, '"captious":"0.0.1"'));
    assert.match(await refusal('own', [first, version]), /versions.captious is "0.0.1" instead of/);
    await rewrite(first, (text) => text.replace(/"captious":"[^"]*"/, '"captious":"0.0.1"'));
    assert.match(
      await refusal('own', [first, version]),
      /versions.captious is "0.0.1", but ".*" in this Captious/,
    );
  });

  it('count images found by less than their whole paths as the single run does', async () => {
    const imageFiles = (await readdir(images)).filter((name) => name.endsWith('.png')).sort();
    await writeFile(
      join(folder, 'urls.jsonl'),
      imageFiles
        .map((name, i) => ({ image: `http://example.org/v/${name}`, caption: captions[i % 5] }))
        .map((line) => JSON.stringify({ ...line, caption2: 'a bus', negative: 'a cat' }))
        .join('\n'),
    );
    const text = await equalsSingleRun('urls.jsonl', ['visla'], [2]);
    const { dataset, warnings } = JSON.parse(text.slice(0, text.indexOf('\n}\n') + 2)) as Report;
    assert.equal(dataset.partlyFound?.count, imageFiles.length);
    assert.equal(dataset.partlyFound.first[0].name, `http://example.org/v/${imageFiles[0]}`);
    const { name, file } = dataset.partlyFound.first[0];
    assert.ok(warnings.some((text) => english(text).includes(name) && english(text).includes(file)));
  });

  /** Changes the manifest and updates its checksum. */
  async function rewrite(shard: string, change: (text: string) => string): Promise<void> {
    const path = join(shard, 'shard.json');
    const { manifest } = JSON.parse(await readFile(path, 'utf8')) as { manifest: object };
    const { createHash } = await import('node:crypto');
    const text = change(JSON.stringify(manifest));
    const sha256 = createHash('sha256').update(text).digest('hex');
    await writeFile(path, `{"sha256":"${sha256}","manifest":${text}}\n`);
  }

  it('that are complete are not measured again', async () => {
    await shards('triplets.jsonl', ['visla'], 'twice', 2);
    const evaluators = fakes();
    await shards('triplets.jsonl', ['visla'], 'twice', 2, { evaluators });
    assert.deepEqual(
      evaluators.map(({ embedded }) => embedded),
      [[], []],
    );
  });
});
