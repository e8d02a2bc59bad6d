import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { serverTools } from '../../../src/assistant/tools';
import { probeIds } from '../../../src/probe/list';
import { captious } from '../../unit/cli/captious';
import { Assistant, removeFolder, temporaryFolder } from './client';

interface Audited {
  reports: { path: string; probe: string; metrics: { id: string; value: number | null }[] }[];
}

describe('the MCP server', function () {
  this.timeout(300_000);
  const base = temporaryFolder();
  const data = join(base, 'data');
  const home = join(base, 'home');
  let assistant: Assistant;
  let audited: Audited;
  const progress: Progress[] = [];

  before(async () => {
    cpSync('samples', data, { recursive: true });
    assistant = await Assistant.of(home, data);
    audited = await assistant.ask(
      'audit',
      { file: 'triplets.tsv', probes: ['visla'] },
      { onprogress: (one) => progress.push(one) },
    );
  });
  after(async () => {
    await assistant.close();
    removeFolder(base);
  });

  it('lists its tools with what they do and take', async () => {
    const { tools } = await assistant.sdk.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      Object.keys(serverTools),
    );
    for (const { name, description, inputSchema, annotations } of tools) {
      assert.ok(description !== undefined && description.length > 20);
      assert.equal(inputSchema.additionalProperties, false);
      assert.equal(annotations?.readOnlyHint, name !== 'audit' && name !== 'benchmark');
    }
    assert.deepEqual(tools.find(({ name }) => name === 'audit')?.inputSchema.required, ['file']);
  });

  it('inspects a dataset', async () => {
    const found = await assistant.ask<{ format: string; examples: number; images: { found: number } }>(
      'inspect',
      { file: 'captions.json' },
    );
    assert.equal(found.format, 'coco');
    assert.equal(found.examples, 48);
    assert.equal(found.images.found, 48);
  });

  it('lists the probes, and one with its options', async () => {
    const { probes } = await assistant.ask<{ probes: { id: string }[] }>('probes');
    assert.deepEqual(
      probes.map(({ id }) => id),
      [...probeIds],
    );
    const one = await assistant.ask<{ probes: { options: { key: string }[] }[] }>('probes', { id: 'lgip' });
    assert.ok(one.probes[0].options.some(({ key }) => key === 'asInPaper'));
  });

  it('audits with progress, and writes the report into the folder', () => {
    const [{ path, probe, metrics }] = audited.reports;
    assert.equal(probe, 'visla');
    assert.ok(path.startsWith(join(realpathSync(data), 'captious-reports')));
    const report = JSON.parse(readFileSync(path, 'utf8')) as Audited['reports'][0];
    const value = (from: Audited['reports'][0]) => from.metrics.find(({ id }) => id === 'visla.t2t')?.value;
    assert.equal(value({ path, probe, metrics }), value(report));
    assert.ok(progress.length > 1);
    for (const [i, { progress: done, total }] of progress.entries()) {
      assert.ok(i === 0 || done > progress[i - 1].progress);
      assert.ok(total === 1 && done <= total);
    }
  });

  it('checks a benchmark with progress, beside another file, and writes the report into the folder', async () => {
    const told: Progress[] = [];
    const found = await assistant.ask<Audited['reports'][0]>(
      'benchmark',
      { file: 'sugarcrepe.json', against: ['sugarcrepe.json'] },
      { onprogress: (one) => told.push(one) },
    );
    assert.equal(
      found.path,
      join(realpathSync(data), 'captious-reports/benchmark-sugarcrepe/benchmark.blind.report.json'),
    );
    const value = (id: string) => found.metrics.find((metric) => metric.id === id)?.value;
    // Every item of the file is in the file.
    assert.equal(value('benchmark.leaks'), 24);
    assert.ok(value('benchmark.orderBlind.ceiling')! < 1);
    assert.ok(told.length > 0);
    const { total } = await assistant.ask<{ total: number }>('worst', { report: found.path });
    assert.equal(total, 24);
  });

  it('says why examples were left out', async () => {
    const { leftOut, reasons } = await assistant.ask<{ leftOut: number; reasons: object[] }>('benchmark', {
      file: 'captions.json',
    });
    assert.equal(leftOut, 48);
    assert.deepEqual(
      reasons.map((reason) => 'count' in reason && reason.count),
      [48],
    );
  });

  it('returns the worst rows, and later ones', async () => {
    const { path: report } = audited.reports[0];
    const page = (offset: number) =>
      assistant.ask<{ total: number; rows: { line: number; delta: number; verdict: string }[] }>('worst', {
        ...{ report, count: 3, offset },
      });
    const [first, second] = [await page(0), await page(3)];
    assert.equal(first.total, 32);
    assert.equal(first.rows[0].verdict, 'wrong');
    const deltas = [...first.rows, ...second.rows].map(({ delta }) => delta);
    assert.deepEqual(
      deltas,
      deltas.toSorted((a, b) => a - b),
    );
  });

  it('explains an example by its line', async () => {
    const { path: report } = audited.reports[0];
    const { rows } = await assistant.ask<{ rows: { line: number; after: string; score: number }[] }>(
      'worst',
      {
        ...{ report, count: 1 },
      },
    );
    const [{ line, after }] = rows;
    const found = await assistant.ask<{ line: number; captions: { text: string; against?: string }[] }>(
      'explain',
      { report, line },
    );
    assert.equal(found.line, line);
    assert.ok(found.captions.some(({ text }) => text === after));
    assert.equal('influence' in found, false);
    assert.ok((await assistant.call('explain', { report, line: 1 })).isError);
  });

  it('explains the score of an example if an evaluator is named', async () => {
    const { path: report } = audited.reports[0];
    cpSync('test/fixtures/models/clip', join(data, 'models/clip'), { recursive: true });
    const { influence, captions } = await assistant.ask<{
      influence: {
        caption: string;
        score: number;
        base: number;
        sum: number;
        words: { word: string; influence: number }[];
        regions: { influences: number[][] };
      };
      captions: { text: string }[];
    }>('explain', { report, line: 4, evaluator: 'models/clip' });
    assert.ok(captions.some(({ text }) => text === influence.caption));
    assert.ok(Math.abs(influence.sum - (influence.score - influence.base)) < 1e-9);
    assert.ok(influence.words.every(({ word }) => influence.caption.includes(word)));
    assert.deepEqual(
      influence.regions.influences.map(({ length }) => length),
      [7, 7, 7, 7, 7, 7, 7],
    );
    const objects = { report, line: 4, evaluator: 'models/clip', regions: 'objects' };
    const hidden = await assistant.ask<{
      influence: { regions?: object; objects: { found: { name: string; influence: number }[] } };
    }>('explain', objects);
    assert.equal(hidden.influence.regions, undefined);
    assert.ok(hidden.influence.objects.found.length > 0);
    assert.ok(hidden.influence.objects.found.every(({ name }) => name !== ''));
    const refused = await assistant.call('explain', { report, line: 4, evaluator: 'python:./x.py' });
    assert.ok(refused.isError);
  });

  it('keeps the reports of the whole file when it tries a few examples', async () => {
    const before = readFileSync(audited.reports[0].path, 'utf8');
    const { reports } = await assistant.ask<Audited>('audit', {
      ...{ file: 'triplets.tsv', probes: ['visla'], limit: 3 },
    });
    assert.notEqual(reports[0].path, audited.reports[0].path);
    assert.equal(readFileSync(audited.reports[0].path, 'utf8'), before);
  });

  it('audits a model folder inside the folders, by its path', async () => {
    cpSync('test/fixtures/models/bert-cls', join(data, 'models/bert-cls'), { recursive: true });
    const { reports } = await assistant.ask<Audited>('audit', {
      ...{ file: 'triplets.tsv', probes: ['visla'], limit: 2, evaluators: ['models/bert-cls'] },
    });
    assert.match(reports[0].path, /visla\.bert-cls\.report\.json$/);
  });

  it('needs permission for an evaluator that contacts a server, also if it is installed', async () => {
    const judge = { kind: 'judge', endpoint: 'http://127.0.0.1:9/v1', model: 'any' };
    mkdirSync(join(home, 'models'), { recursive: true });
    writeFileSync(join(home, 'models', 'judge.evaluator.json'), JSON.stringify(judge));
    const input = { file: 'triplets.tsv', probes: ['visla'], limit: 2, evaluators: ['judge'] };
    const state = async (of: Assistant): Promise<string | undefined> => {
      const { evaluators } = await of.ask<{ evaluators: { id: string; state: string }[] }>('evaluators');
      return evaluators.find(({ id }) => id === 'judge')?.state;
    };
    const refused = await assistant.call('audit', input);
    assert.ok(refused.isError && refused.text.includes('--allow-evaluator'));
    assert.equal(await state(assistant), 'needs --allow-evaluator');
    const allowing = await Assistant.of(home, data, '--allow-evaluator', 'judge');
    try {
      assert.equal(await state(allowing), 'ready');
      const { text, isError } = await allowing.call('audit', input);
      assert.ok(isError && !text.includes('--allow-evaluator'), text);
    } finally {
      await allowing.close();
    }
    assert.equal((await captious(home, 'mcp', data, '--allow-evaluator', 'no-such-evaluator')).code, 2);
  });

  it('compares two reports', async () => {
    const { reports } = await assistant.ask<Audited>('audit', {
      ...{ file: 'triplets.tsv', probes: ['visla'], evaluators: ['clipscore:starter'], out: 'other' },
    });
    const found = await assistant.ask<{ probe: string; pairs: { n: number }[] }>('compare', {
      ...{ report: audited.reports[0].path, other: reports[0].path },
    });
    assert.equal(found.probe, 'visla');
    assert.ok(found.pairs.some(({ n }) => n === 32));
  });

  it('has reports as resources', async () => {
    const { resources } = await assistant.sdk.listResources();
    const uri = pathToFileURL(audited.reports[0].path).href;
    assert.ok(resources.some((one) => one.uri === uri && one.name === 'visla.starter'));
    const { contents } = await assistant.sdk.readResource({ uri });
    const [{ text }] = contents as { text: string }[];
    assert.equal((JSON.parse(text) as { probe: string }).probe, 'visla');
    await assert.rejects(assistant.sdk.readResource({ uri: 'file:///etc/passwd' }));
    await assert.rejects(
      assistant.sdk.readResource({ uri: pathToFileURL(join(data, 'captions.json')).href }),
    );
    await assert.rejects(assistant.sdk.readResource({ uri: 'https://example.org/visla.report.json' }));
  });

  it('cancels an audit, which writes no report and leaves the server free', async () => {
    const stop = new AbortController();
    const call = assistant.call(
      'audit',
      { file: 'captions.json', probes: ['lgip'], out: 'cancelled' },
      { signal: stop.signal, onprogress: () => stop.abort() },
    );
    await assert.rejects(call);
    const { reports } = await assistant.ask<Audited>('audit', {
      ...{ file: 'triplets.tsv', probes: ['visla'], limit: 2, out: 'after' },
    });
    assert.equal(reports.length, 1);
    const left = existsSync(join(data, 'cancelled')) ? readdirSync(join(data, 'cancelled')) : [];
    assert.deepEqual(
      left.filter((name) => name.endsWith('report.json')),
      [],
    );
  });

  it('lists the evaluators, and says which ones the user must allow', async () => {
    const { evaluators } = await assistant.ask<{ evaluators: { id: string; state: string }[] }>('evaluators');
    assert.ok(evaluators.some(({ id, state }) => id === 'starter' && state === 'ready'));
  });

  it('needs a folder that exists', async () => {
    assert.equal((await captious(home, 'mcp')).code, 2);
    assert.equal((await captious(home, 'mcp', join(base, 'nowhere'))).code, 2);
    assert.equal((await captious(home, 'mcp', join(data, 'captions.json'))).code, 2);
  });

  it('prints nothing but messages, and ends when its client leaves', async () => {
    const { code, out } = await captious(home, 'mcp', data);
    assert.equal(code, 0);
    assert.equal(out, '');
  });
});
