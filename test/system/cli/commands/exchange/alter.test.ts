import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CaptionRow } from '../../../../../src/probe/rococo/row';
import type { Inspection } from '../../../../../src/dataset/inspect';
import type { Report } from '../../../../../src/report/report';
import { captious as run } from '../../../../unit/cli/captious';
import { saying } from '../../../../sentence';

interface Entry {
  image: string;
  caption: string[];
  altered: string[];
}

describe('captious alter', function () {
  this.timeout(120_000);
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'captious-alter-'))));
  after(() => rmSync(folder, { recursive: true }));

  const clip = ['--evaluator', 'test/fixtures/models/clip', '--limit', '6'];
  const captious = (...args: string[]) => run(join(folder, 'home'), ...args);
  const lines = (path: string): unknown[] =>
    readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);

  it('writes the captions and images that an audit uses', async () => {
    const out = join(folder, 'altered');
    const options = ['--set', 'rococo.images=mix-0.9', '--set', 'rococo.imageSeeds=1'];
    const altered = await captious('alter', 'samples/captions.json', '--out', out, ...clip, ...options);
    assert.equal(altered.code, 0, altered.err);
    const entries = JSON.parse(readFileSync(join(out, 'captions.same-concept.json'), 'utf8')) as Entry[];
    assert.equal(entries.length, 6);

    const reports = join(folder, 'reports');
    const audit = ['audit', 'samples/captions.json', '--probe', 'rococo', '--out', reports];
    const voters = ['--voters', 'test/fixtures/models/clip'];
    assert.equal((await captious(...audit, ...clip, ...options, ...voters)).code, 0);
    const rows = lines(join(reports, 'rococo.clip.rows.jsonl')) as (CaptionRow & { search?: object })[];
    const used = rows.filter(({ kind }) => kind === 'caption');
    for (const { image, caption, altered: changed } of entries) {
      const own = used.filter((row) => row.image === image);
      const texts = own.flatMap(({ altered: each }) => each.map(({ text }) => text));
      assert.deepEqual([caption, changed], [own.map((row) => row.caption), texts]);
    }
    const images = lines(join(out, 'captions.images.jsonl')) as {
      image: string;
      file: string;
      transform: object;
    }[];
    assert.deepEqual(
      images.map(({ image }) => image),
      entries.map(({ image }) => image),
    );
    for (const { file } of images) assert.ok(existsSync(join(out, file)), file);
    const made = rows.flatMap(({ search }) => (search as CaptionRow['search'])?.hits ?? []);
    const known = new Set(images.map(({ transform }) => JSON.stringify(transform)));
    for (const hit of made) if (hit.made) assert.ok(known.has(JSON.stringify(hit.made.transform)));
    assert.ok(made.some((hit) => hit.made !== undefined));
  });

  it('writes JSON and tables with the images inside, from which an audit has the same metrics', async () => {
    const out = join(folder, 'tables');
    const one = ['--set', 'rococo.images=mix-0.9', '--set', 'rococo.imageSeeds=1'];
    const metrics: string[] = [];
    const endings = { json: 'json', parquet: 'parquet', arrow: 'arrow', webdataset: 'tar' };
    for (const [form, ending] of Object.entries(endings)) {
      const to = form === 'json' ? [] : ['--to', form];
      const altered = await captious('alter', 'samples/captions.json', '--out', out, ...clip, ...one, ...to);
      assert.equal(altered.code, 0, altered.err);
      const file = join(out, `captions.same-concept.${ending}`);
      const found = JSON.parse((await captious('inspect', file, '--json')).out) as Inspection;
      const inside = form === 'json' ? 0 : 6;
      assert.deepEqual([found.examples, found.images.inside, found.form], [6, inside, 'altered']);
      assert.ok(existsSync(join(out, `captions.images.${form === 'json' ? 'jsonl' : ending}`)));
      const reports = join(folder, form);
      const own = ['--set', 'rococo.captions=file', '--set', 'rococo.images=none', '--out', reports];
      const images = ['--images', 'samples/images'];
      const audit = await captious('audit', file, '--probe', 'rococo', ...clip, ...own, ...images);
      assert.equal(audit.code, 0, audit.err);
      const report = readFileSync(join(reports, 'rococo.clip.report.json'), 'utf8');
      metrics.push(JSON.stringify((JSON.parse(report) as Report).metrics));
    }
    assert.equal(new Set(metrics).size, 1);
    const unknown = await captious('alter', 'samples/captions.json', '--out', out, ...clip, '--to', 'csv');
    assert.equal(unknown.code, 2);
    assert.match(unknown.err, /--to csv/);
  });

  it('rejects captions from the file, and a folder that is missing', async () => {
    const given = await captious(
      'alter',
      'samples/captions.json',
      '--out',
      folder,
      '--set',
      'rococo.captions=file',
    );
    assert.equal(given.code, 2);
    assert.match(given.err, saying('audit.alteredCaptionsFromFile'));
    assert.equal((await captious('alter', 'samples/captions.json')).code, 2);
  });
});
