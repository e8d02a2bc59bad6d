import { english } from '../../../src/base/english';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Reader } from '../../../src/process/readerClient';
import { type Ended, captious as run } from '../../unit/cli/captious';
import { saying } from '../../sentence';

const clip = resolve('test/fixtures/models/clip');

describe('consent on the command line', function () {
  this.timeout(120_000);
  let folder: string;
  let remote: string;
  let few: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-consent-'));
    remote = join(folder, 'remote.evaluator.json');
    const file = {
      kind: 'remote',
      endpoint: 'http://nowhere.invalid:9',
      folder: clip,
      text: 't',
      image: 'i',
    };
    await writeFile(remote, JSON.stringify(file));
    few = join(folder, 'few.jsonl');
    const lines = (await readFile('samples/captions.jsonl', 'utf8')).split('\n');
    // An image has five captions.
    await writeFile(few, lines.filter((_, i) => i % 5 === 0 && i < 40).join('\n'));
  });
  after(() => rm(folder, { recursive: true }));

  /** Checks that the run fails and that its remedy --yes works. Later runs need no option. */
  async function needsYes(home: string, args: readonly string[]): Promise<void> {
    const captious = (...more: string[]): Promise<Ended> => run(join(folder, home), ...args, ...more);
    const refused = await captious();
    assert.equal(refused.code, 2, refused.err);
    assert.match(refused.err, saying('remote.consentMissing'));
    assert.match(refused.err, /--yes/);
    for (const more of [['--yes'], []]) {
      const { code, err } = await captious(...more);
      assert.doesNotMatch(err, saying('remote.consentMissing'));
      assert.doesNotMatch(err, /Unknown option/);
      assert.match(err, /nowhere\.invalid/);
      assert.notEqual(code, 0);
      assert.notEqual(code, 70);
    }
  }

  it('is requested by audit, repair and flips, which accept --yes', async () => {
    const out = join(folder, 'out');
    const scoring = ['--evaluator', remote, '--images', 'samples/images'];
    await needsYes('a', ['audit', few, '--probe', 'lgip', ...scoring, '--out', out]);
    await needsYes('b', ['repair', few, ...scoring, '--out', out]);
    await needsYes('c', ['flips', few, few, ...scoring]);
  });

  it("is requested by calibrate, which accepts only the report's own evaluator", async () => {
    const out = join(folder, 'reports');
    const images = ['--images', 'samples/images'];
    const audit = ['audit', few, ...images, '--no-spread', '--probe', 'invariance', '--evaluator', clip];
    const made = await run(join(folder, 'd'), ...audit, '--out', out);
    assert.equal(made.code, 0, made.err);
    const path = join(out, 'invariance.clip.report.json');
    const report = JSON.parse(await readFile(path, 'utf8')) as { evaluator: object };
    const preferences = join(folder, 'preferences.jsonl');
    const [first] = (await readFile('samples/preferences.jsonl', 'utf8')).split('\n');
    await writeFile(preferences, first);
    const naming = async (evaluator: string): Promise<string[]> => {
      const forged = { ...report, evaluator: { ...report.evaluator, path: evaluator } };
      await writeFile(path, JSON.stringify(forged));
      const saved = join(folder, 'c.evaluator.json');
      return ['calibrate', path, '--out', saved, '--files', '0', '--preferences', preferences, ...images];
    };
    await needsYes('d', await naming(remote));
    const other = await run(join(folder, 'd'), ...(await naming(resolve('test/fixtures/models/siglip'))));
    assert.equal(other.code, 2, other.err);
    assert.match(other.err, /differs from the one in the report/);
    const code = join(folder, 'code.py');
    const ran = join(folder, 'ran');
    await writeFile(code, `open(${JSON.stringify(ran)}, 'w')\ndef score(*given): return 0.5\n`);
    const refused = await run(join(folder, 'd'), ...(await naming(`python:${code}:score`)));
    assert.equal(refused.code, 2, refused.err);
    assert.match(refused.err, /consent|no Python|interpreter/i);
    assert.ok(!existsSync(ran), 'code that a report names was run');
    const own = await run(join(folder, 'd'), ...(await naming(clip)));
    assert.equal(own.code, 0, own.err);
  });

  it('is not requested in the workshop, which names the command that asks', async () => {
    const reader = new Reader(resolve('dist/reader.js'), {
      home: () => join(folder, 'e'),
      isTrusted: () => true,
      allowed: () => Promise.resolve({ evaluators: [], own: [], workspace: [] }),
      needTrust: () => undefined,
    });
    try {
      const texts = { caption: 'a cat', second: 'one cat', negative: 'a dog' };
      const { problem } = await reader.ask('read', { texts, evaluator: remote, home: join(folder, 'e') });
      assert.match(english(problem ?? ''), saying('service.consentMissing'));
      assert.match(english(problem ?? ''), saying('service.auditToAllowRequests'));
      assert.doesNotMatch(english(problem ?? ''), /--yes/);
    } finally {
      reader.dispose();
    }
  });
});
