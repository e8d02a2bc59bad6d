import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CaptiousError } from '../../src/base/errors';
import { JudgeMemory } from '../../src/evaluator/judge/judgeMemory';

const endpoint = 'https://judge.example/v1';
const file = (consents: string): string => `{"consents":${consents},"canaries":{}}`;
const valid = file(`{"${endpoint}":"2026-11-27"}`);

/** Files that hold no consent to the endpoint, whatever they look like. */
const damaged: Record<string, string | Buffer> = {
  ...{
    empty: '',
    blank: ' \n',
    null: 'null',
    list: '[]',
    object: '{}',
    number: '1',
    string: `"${endpoint}"`,
  },
  ...{ list1: file(`["${endpoint}"]`), text: file(`"${endpoint}"`), nothing: file('null'), none: file('{}') },
  ...{
    number1: file(`{"${endpoint}":1}`),
    flag: file(`{"${endpoint}":true}`),
    nested: file(`{"${endpoint}":{"at":"2026"}}`),
  },
  ...{
    withoutCanaries: `{"consents":{"${endpoint}":"2026"}}`,
    canary: `{"consents":{},"canaries":{"${endpoint}":"x"}}`,
  },
  ...{
    truncated: valid.slice(0, -1),
    half: valid.slice(0, 30),
    twice: valid + valid,
    more: `${valid}x`,
    comma: valid.replace('}', ',}'),
  },
  ...{ comment: `// ${valid}`, zero: `\0${valid}`, random: Buffer.from([0xff, 0xfe, 0, 1, 2, 3]) },
  ...{
    utf16: Buffer.from(valid, 'utf16le'),
    half16: Buffer.from(`\ufeff${valid}`, 'utf16le').subarray(0, 41),
  },
  ...{
    deep: '['.repeat(100_000),
    deepObject: `{"consents":${'{"a":'.repeat(50_000)}`,
    long: ' '.repeat(70_000_000),
  },
  ...{
    prototype: file(`{"__proto__":{"${endpoint}":"2026"}}`),
    prototypes: `{"__proto__":{"consents":{"${endpoint}":"2026"}},"consents":{},"canaries":{}}`,
    constructor: file(`{"constructor":{"${endpoint}":"2026"}}`),
    later: `{"consents":{"${endpoint}":"2026"},"consents":{},"canaries":{}}`,
  },
  ...Object.fromEntries(
    [
      ...[
        `${endpoint}/`,
        ` ${endpoint}`,
        `${endpoint}\\n`,
        endpoint.toUpperCase(),
        `${endpoint}?a`,
        `${endpoint}#`,
      ],
      ...[
        'https://judge.example/v',
        'https://judge.example/v10',
        'http://judge.example/v1',
        'https://judge.example:443/v1',
      ],
      ...['https://jud\u200bge.example/v1', 'https://j\u0443dge.example/v1', 'https://judge.example./v1'],
      ...['https://judge.example%2fv1', '*', 'https://*', '', 'judge.example', `python x.py ${endpoint}`],
    ].map((name) => [`the name ${JSON.stringify(name)}`, file(`{${JSON.stringify(name)}:"2026"}`)]),
  ),
};

describe('the file of consents', function () {
  this.timeout(60_000);
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'captious-consents-'))));
  after(() => rmSync(folder, { recursive: true }));

  function home(): { path: string; memory: JudgeMemory } {
    const own = mkdtempSync(join(folder, 'home-'));
    return { path: join(own, 'judges-1.json'), memory: new JudgeMemory(own) };
  }

  async function asksOnce(memory: JudgeMemory): Promise<void> {
    assert.equal(await memory.consented(endpoint), false);
    await memory.consent(endpoint);
    assert.equal(await memory.consented(endpoint), true);
    assert.equal(await memory.consented('https://other.example'), false);
    assert.equal(await memory.consented('__proto__'), false);
  }

  for (const [name, content] of Object.entries(damaged))
    it(`gives no consent if it is damaged or names another: ${name}`, async () => {
      const { path, memory } = home();
      writeFileSync(path, content);
      await asksOnce(memory);
    });

  it('gives consent if it is valid', async () => {
    const { path, memory } = home();
    writeFileSync(path, valid);
    assert.equal(await memory.consented(endpoint), true);
  });

  for (const target of ['missing', 'itself', 'folder', '/dev/zero', '/dev/null', 'pipe'])
    it(`gives no consent if it is a link to another thing, which stays as it is: ${target}`, async () => {
      const { path, memory } = home();
      const other = target.startsWith('/') ? target : `${path}.${target}`;
      if (target === 'folder') mkdirSync(other);
      if (target === 'pipe') execFileSync('mkfifo', [other]);
      symlinkSync(target === 'itself' ? path : other, path);
      await asksOnce(memory);
      if (target === 'folder') assert.ok(statSync(other).isDirectory());
    });

  it('replaces a link, and writes nothing through it', async () => {
    const { path, memory } = home();
    writeFileSync(`${path}.other`, 'precious');
    symlinkSync(`${path}.other`, path);
    await asksOnce(memory);
    assert.equal(readFileSync(`${path}.other`, 'utf8'), 'precious');
  });

  it('is an error with its name if a folder has its place', async () => {
    const { path, memory } = home();
    mkdirSync(path);
    assert.equal(await memory.consented(endpoint), false);
    await assert.rejects(
      memory.consent(endpoint),
      (error) => error instanceof CaptiousError || 'code' in (error as object),
    );
    assert.equal(await memory.consented(endpoint), false);
  });

  it('can be read by its owner only', async () => {
    const { path, memory } = home();
    writeFileSync(path, valid, { mode: 0o666 });
    await memory.consent('https://other.example');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(await memory.consented(endpoint), true);
  });

  it('keeps every consent while it is damaged and written at once', async () => {
    const { path, memory } = home();
    await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        if (i === 20) writeFileSync(path, valid.slice(0, 12));
        await memory.consent(`https://${i}.example`);
      }),
    );
    assert.equal(await memory.consented('https://39.example'), true);
    assert.equal(await memory.consented(endpoint), false);
    assert.doesNotThrow(() => JSON.parse(readFileSync(path, 'utf8')) as unknown);
  });
});
