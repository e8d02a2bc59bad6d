import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  arranged,
  evaluatorNames,
  isRepeated,
  newestOfProbes,
  RecordStore,
  type RunRecord,
  titleOf,
} from '../../../../src/editor/runs/runRecord';

describe('the names of a run’s evaluators', () => {
  it('have no folders, endings or arguments', () => {
    for (const [evaluator, name] of [
      ['starter', 'starter'],
      ['/home/me/judge.evaluator.json', 'judge'],
      ['/models/clip', 'clip'],
      ['python:/home/me/my_metric.py:Evaluator?device=cuda', 'my_metric'],
      ['open_clip:ViT-B-32?pretrained=%2Fhome%2Fme%2Fx.pt', 'open_clip:ViT-B-32:x.pt'],
      ['open_clip:ViT-B-32?pretrained=/home/me/x.pt', 'open_clip:ViT-B-32:x.pt'],
      ['clipscore:open_clip:ViT-B-32?pretrained=%2Fhome%2Fme%2Fx.pt', 'clipscore:open_clip:ViT-B-32:x.pt'],
      ['python:', 'python:'],
    ])
      assert.equal(evaluatorNames([{ evaluators: [evaluator] }]), name);
    assert.equal(evaluatorNames([{ evaluators: ['a', 'b'] }, { evaluators: ['a'] }]), 'a ⇄ b');
    assert.equal(evaluatorNames([{ evaluators: ['a', 'b', 'c', 'd', 'e'] }]), 'a ⇄ b ⇄ c +2');
    assert.equal(
      evaluatorNames([{ evaluators: ['/old/clip', '/new/clip', 'b'] }]),
      'old/clip ⇄ new/clip ⇄ b',
    );
  });
});

describe('the title of a run’s probe', () => {
  it('is known before the probe has started', () => {
    assert.equal(titleOf({ titles: [] }, 'rococo'), 'RoCOCO');
    assert.equal(titleOf({ titles: [{ id: 'mine', title: 'My probe', question: '' }] }, 'mine'), 'My probe');
  });
});

describe('the newest runs of a dataset', () => {
  it('are one for each probe that has a report, newest first', () => {
    const run = (id: string, more: Partial<RunRecord>): RunRecord => ({
      ...{ id, dataset: 'a.json', probes: ['lgip'], titles: [], evaluators: ['starter'], images: [] },
      ...{ state: 'done' as const, createdAt: 1, reports: ['lgip.starter.report.json'], ...more },
    });
    const reports = ['visla.starter.report.json', 'prsm.starter.report.json'];
    const records = [
      run('running', { state: 'running' }),
      // One of its evaluators failed after the report of another one was written.
      run('failed', { state: 'failed', probes: ['sugarcrepe'], reports: ['sugarcrepe.starter.report.json'] }),
      run('without reports', { state: 'failed', reports: [] }),
      run('other', { dataset: 'b.json' }),
      // The probe `choice` failed, so this run has no report of it.
      run('newest', { probes: ['visla', 'choice', 'prsm'], reports }),
      run('middle', {}),
      run('oldest', { probes: ['visla', 'lgip'], reports: [...reports, 'lgip.clip.report.json'] }),
    ];
    assert.deepEqual(
      newestOfProbes(records, 'a.json').map(({ probe, record }) => [probe, record.id]),
      [
        ['sugarcrepe', 'failed'],
        ['visla', 'newest'],
        ['prsm', 'newest'],
        ['lgip', 'middle'],
      ],
    );
    assert.deepEqual(newestOfProbes(records, 'c.json'), []);
  });
});

describe('a deleted run', () => {
  it('is in the trash until it is restored or the trash is emptied', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'captious-trash-'));
    try {
      const store = new RecordStore(folder);
      const record: RunRecord = {
        ...{ id: 'one', dataset: 'a.json', probes: ['lgip'], titles: [], evaluators: ['starter'] },
        ...{ images: [], state: 'done' as const, createdAt: 1, reports: [] },
      };
      const broken: string[] = [];
      const loaded = async () => (await store.load((path) => broken.push(path))).map(({ id }) => id);
      await store.save(record);
      await store.discard('one');
      assert.deepEqual(await loaded(), []);
      assert.deepEqual(await store.restore('one'), record);
      assert.deepEqual(await loaded(), ['one']);
      await store.discard('one');
      await store.emptyTrash();
      await assert.rejects(store.restore('one'), { code: 'ENOENT' });
      assert.deepEqual(broken, []);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('runs that only their date tells apart', () => {
  it('have the same dataset, probes and evaluators', () => {
    const run = (id: string, dataset = 'a.json', evaluators = ['starter']) => ({
      ...{ id, dataset, evaluators },
      probes: ['lgip'],
    });
    const first = run('1');
    assert.equal(isRepeated(first, [first, run('2', 'b.json'), run('3', 'a.json', ['other'])]), false);
    assert.equal(isRepeated(first, [first, run('4')]), true);
  });
});

describe('the arrangement of runs', () => {
  const run = (id: string, dataset: string, ...probes: string[]) => ({ id, dataset, probes });
  // Newest first.
  const records = [
    run('5', '/w/b.tsv', 'visla'),
    run('4', '/w/a10.tsv', 'lgip', 'visla'),
    run('3', '/w/a9.tsv', 'lgip'),
    run('2', '/w/b.tsv', 'choice'),
  ];
  const shown = (group: 'dataset' | 'probe', sort: 'newest' | 'name') =>
    arranged(
      records,
      { group, sort },
      { group: (key) => key, run: ({ probes, id }) => `${probes.join()} ${id}` },
    ).map(({ key, records: own }) => [key, ...own.map(({ id }) => id)].join(' '));

  it('is by dataset or by probe, in which a run with several probes is several times', () => {
    assert.deepEqual(shown('dataset', 'newest'), ['/w/b.tsv 5 2', '/w/a10.tsv 4', '/w/a9.tsv 3']);
    assert.deepEqual(shown('probe', 'newest'), ['visla 5 4', 'lgip 4 3', 'choice 2']);
  });

  it('sorts groups and runs by name, and numbers in names by value', () => {
    assert.deepEqual(shown('dataset', 'name'), ['/w/a9.tsv 3', '/w/a10.tsv 4', '/w/b.tsv 2 5']);
    assert.deepEqual(shown('probe', 'name'), ['choice 2', 'lgip 3 4', 'visla 4 5']);
  });

  it('leaves the given runs in their order', () => {
    shown('dataset', 'name');
    assert.deepEqual(
      records.map(({ id }) => id),
      ['5', '4', '3', '2'],
    );
  });
});
