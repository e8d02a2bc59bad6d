import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSaid, say } from '../../../src/base/say';
import { reportsOn } from '../../../src/report/beside';
import type { Report } from '../../../src/report/report';
import { reportOf } from './reportOf';

const content = 'image\tcaption\n';
const sha256 = createHash('sha256').update(content).digest('hex');

describe('reports next to a dataset', () => {
  let folder: string;
  let dataset: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-beside-'));
    dataset = join(folder, 'triplets.tsv');
    await writeFile(dataset, content);
  });
  after(() => rm(folder, { recursive: true }));

  async function report(name: string, age: number, changes: Partial<Report>): Promise<string> {
    const path = join(folder, `${name}.report.json`);
    await writeFile(path, JSON.stringify(reportOf(changes)));
    await utimes(path, 1e9 - age, 1e9 - age);
    return path;
  }

  const about = (path: string, hash = sha256): Report['dataset'] => ({
    ...reportOf().dataset,
    path,
    sha256: hash,
  });

  it('are on the current version of the file if any is, because copies of reports have the time of copying', async () => {
    const files = [
      await report('of-older-version', 1, { dataset: about(dataset, 'aa'), probe: 'prsm' }),
      await report('of-current-version', 9, { dataset: about(dataset), probe: 'prsm' }),
    ];
    const found = await reportsOn(dataset, files);
    assert.deepEqual(
      found.map(({ path }) => path),
      [files[1]],
    );
  });

  it('are the newest of each probe and evaluator, on this file', async () => {
    const clip = { ...reportOf().evaluator, id: 'clip', name: 'CLIP' };
    const metrics = [{ id: 'visla.t2t', value: 0.5, n: 30 }];
    const files = [
      await report('old', 30, { dataset: about(dataset) }),
      await report('new', 10, { dataset: about(dataset), metrics }),
      await report('other-evaluator', 20, { dataset: about('elsewhere/triplets.tsv'), evaluator: clip }),
      await report('other-probe', 40, { dataset: about(dataset, 'aa'), probe: 'lgip' }),
      await report('other-content', 1, { dataset: about('elsewhere/triplets.tsv', 'aa'), probe: 'choice' }),
      await report('other-file', 1, { dataset: about(join(folder, 'captions.tsv')), probe: 'choice' }),
      await report('without-rows', 2, { dataset: about(dataset), probe: 'long', rowCount: 0 }),
      join(folder, 'missing.report.json'),
    ];
    await writeFile(join(folder, 'broken.report.json'), '{');
    const found = await reportsOn(dataset, [...files, join(folder, 'broken.report.json')]);
    assert.deepEqual(
      found.map(({ path, probe, evaluator, isCurrent }) => [
        path.slice(folder.length + 1).replace('.report.json', ''),
        probe,
        evaluator,
        isCurrent,
      ]),
      [
        ['new', 'visla', 'Tiny', true],
        ['other-evaluator', 'visla', 'CLIP', true],
        ['other-probe', 'lgip', 'Tiny', false],
      ],
    );
    assert.deepEqual(
      findSaid(found[0].sentence, 'visla.captionsHeadline'),
      say('visla.captionsHeadline', 'Tiny', '50 %'),
    );
  });
});
