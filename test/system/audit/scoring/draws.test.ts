import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runAudit } from '../../../../src/audit/run';
import { mergeShards } from '../../../../src/audit/shard/merge';
import { runShard } from '../../../../src/audit/shard/runShard';
import { Random } from '../../../../src/base/random';
import { drawKey, rowImage } from '../../../../src/dataset/example';
import { drawsOf } from '../../../../src/probe/human/items';
import type { Metric } from '../../../../src/probe/metric';
import { readReport, type Report } from '../../../../src/report/report';
import { FakeEvaluator } from '../../../unit/bench/fakeEvaluator';

interface Line {
  image: string;
  caption: string;
}

const textsOf = (all: readonly { text: string }[]): string[] => all.map(({ text }) => text);

/** What a report's rows say about captions: everything except ids and places. */
type Told = Map<string, unknown>;

describe('random choices', function () {
  this.timeout(600_000);
  let folder: string;
  let lines: Line[];
  let grouped: { image: string; captions: string[] }[];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-draws-'));
    const all = (await readFile('samples/captions.jsonl', 'utf8')).trim().split('\n');
    lines = all.slice(0, 40).map((line) => JSON.parse(line) as Line);
    // A caption that occurs twice for one image, and for another image.
    lines.push(lines[0], { ...lines[0], image: lines[39].image });
    grouped = [...new Set(lines.map(({ image }) => image))].map((image) => ({
      image,
      captions: lines.filter((line) => line.image === image).map(({ caption }) => caption),
    }));
    lines = grouped.flatMap(({ image, captions }) => captions.map((caption) => ({ image, caption })));
  });
  after(() => rm(folder, { recursive: true }));

  const jsonl = (all: readonly object[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join('');
  const csv = (all: readonly Line[]): string =>
    `image,caption\n${all.map(({ image, caption }) => `${image},"${caption}"\n`).join('')}`;
  const shuffled = <T>(all: readonly T[]): T[] => new Random('another order').shuffle(all);

  function request(name: string, probe: string) {
    return {
      ...{ dataset: join(folder, name), probes: [probe], images: [resolve('samples/images')] },
      ...{ evaluators: [new FakeEvaluator()], home: join(folder, 'home') },
      signal: new AbortController().signal,
    };
  }

  async function audit(name: string, content: string, probe: string): Promise<[Told, Report]> {
    await writeFile(join(folder, name), content);
    const out = join(folder, `${probe} of ${name}`);
    const [{ report }] = await runAudit({ ...request(name, probe), out });
    return [await toldBy(out, report), report];
  }

  async function toldBy(out: string, report: Report): Promise<Told> {
    const rows = (await readFile(join(out, report.rows), 'utf8')).trim().split('\n');
    const told = rows.flatMap((line): [string, unknown][] => {
      const { example, row, place, captionPlace, caption, field, text, image, ...said } = JSON.parse(
        line,
      ) as Record<string, unknown>;
      void [example, row, place, captionPlace, field];
      // RoCOCO's rows of searches name examples by their ids, and PRSM's queries one of the images with the caption.
      if ('lists' in said) return [];
      if (Array.isArray(said.wordings)) return [[String(caption), textsOf(said.wordings)]];
      return [[JSON.stringify([image, text ?? caption, said.source]), said.altered ?? said]];
    });
    return new Map(told.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Up to rounding, because sums and iterated fits depend on the order of rows. Intervals resample images in the order of the file. */
  function sameMetrics(made: Report, expected: Report, tolerance: number): void {
    // A pair of two captions counts once in an entry, and PRSM's listwise correlates places of images in the file.
    const isFree = ({ id }: Metric): boolean => tolerance === 0 || !/^refused$|listwise/.test(id);
    const others = expected.metrics.filter(isFree);
    for (const [i, { id, slice, value, n, ci }] of made.metrics.filter(isFree).entries()) {
      const other = others[i];
      assert.deepEqual([id, slice, n], [other.id, other.slice, other.n]);
      if (value === null || other.value === null) assert.equal(value, other.value);
      else
        assert.ok(
          Math.abs(value - other.value) <= tolerance * Math.abs(value),
          `${id}: ${value}, ${other.value}`,
        );
      if (tolerance === 0) assert.deepEqual(ci, other.ci);
    }
  }

  for (const probe of ['lgip', 'prsm', 'rococo', 'invariance'])
    it(`${probe}: are those of the captions and images, whatever the format and the order of the file`, async () => {
      const [told, report] = await audit('base.jsonl', jsonl(grouped), probe);
      assert.ok(told.size > 0);
      const others: [string, string, number][] = [
        ['base.csv', csv(lines), 0],
        ['base.json', JSON.stringify(grouped.map((one, i) => ({ ...one, id: 1000 - i }))), 0],
        ['shuffled.jsonl', jsonl(shuffled(grouped)), 1e-6],
        ['rows.jsonl', jsonl(lines), probe === 'rococo' ? 0 : 1e-6],
        ['other.csv', csv(shuffled(lines)), 1e-6],
      ];
      for (const [name, content, tolerance] of others) {
        const [own, made] = await audit(name, content, probe);
        assert.deepEqual(own, told, name);
        sameMetrics(made, report, tolerance);
      }
    });

  for (const probe of ['lgip', 'rococo'])
    it(`${probe}: are the same in shards`, async () => {
      const rows = jsonl(shuffled(lines));
      const [told, report] = await audit('shared.jsonl', rows, probe);
      const out = join(folder, `${probe} shards`);
      for (const index of [1, 2, 3])
        await runShard({ ...request('shared.jsonl', probe), out, shard: { index, count: 3 } });
      const whole = join(folder, `${probe} merged`);
      const { signal } = request('shared.jsonl', probe);
      await mergeShards({ folders: [out], out: whole, home: join(folder, 'home of the merge'), signal });
      const merged = await readReport(join(whole, `${probe}.fake.report.json`));
      assert.deepEqual([merged.draws, merged.defaultDraws], [report.draws, report.defaultDraws]);
      assert.deepEqual(await toldBy(whole, merged), told);
      sameMetrics(merged, report, 0);
    });

  it('give a caption that occurs twice for one image the same variants, and another image its own', async () => {
    await writeFile(join(folder, 'twice.jsonl'), jsonl(lines));
    const out = join(folder, 'twice');
    const [{ report }] = await runAudit({ ...request('twice.jsonl', 'lgip'), draws: 1, out });
    const rows = (await readFile(join(out, report.rows), 'utf8')).trim().split('\n');
    const variantsOf = (of: Line): string[] =>
      rows
        .map((row) => JSON.parse(row) as { image: string; text: string; variants: { text: string }[] })
        .filter(({ image, text }) => image === of.image && text === of.caption)
        .map(({ variants }) => JSON.stringify(variants.map(({ text }) => text)));
    const [once, again] = variantsOf(lines[0]);
    assert.equal(again, once);
    assert.notEqual(variantsOf({ ...lines[0], image: lines.at(-1)!.image })[0], once);
  });

  it('depend on the name of an image, not on its folder or its row', () => {
    const of = (name: string) => drawKey({ images: [{ name }] }, { image: 0, text: ' A dog ' });
    assert.deepEqual(of('/data/val/1.jpg'), ['1.jpg', 'A dog']);
    assert.deepEqual(of('val\\1.jpg'), of('1.jpg'));
    assert.deepEqual(of(rowImage(4)), of(rowImage(5)));
  });

  it('of references depend on the captions, not on the order of the references', () => {
    const references = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const judged = { kind: 'preference', captions: ['one', 'two'] } as const;
    const options = { drawn: 3, draws: 5, foil: [], system: [], exclude: [], family: [], ownCaptions: false };
    const draws = (own: readonly string[], key: readonly string[]) =>
      drawsOf({ ...judged, captions: [...judged.captions], references: own }, options, 42, key);
    assert.deepEqual(draws([...references].reverse(), ['x.jpg', 'one']), draws(references, ['x.jpg', 'one']));
    assert.notDeepEqual(draws(references, ['y.jpg', 'one']), draws(references, ['x.jpg', 'one']));
  });
});
