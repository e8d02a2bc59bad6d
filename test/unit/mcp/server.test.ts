import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { serverTools } from '../../../src/assistant/tools';
import { probeIds } from '../../../src/probe/list';
import { captious } from '../cli/captious';
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
      assert.equal(annotations?.readOnlyHint, name !== 'audit');
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
