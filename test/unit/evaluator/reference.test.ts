import assert from 'node:assert/strict';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import type { EditorModels } from '../../../src/evaluator/judge/editorModels';
import { openEvaluator, previewEvaluator } from '../../../src/evaluator/open';
import { parseReference, referencesTo } from '../../../src/evaluator/reference';
import { cleanUp, copyOf, modelsPath, open, scratch } from './fixtures';
import { models, OipServer } from './oipServer';
import { sentence } from '../../sentence';

const clip = join(modelsPath, 'clip');
const bert = join(modelsPath, 'bert-cls');
const judge = { kind: 'judge', endpoint: 'http://127.0.0.1:1/v1', model: 'eye' };
const editor: EditorModels = {
  find: (name) =>
    Promise.resolve({ id: name, vendor: 'them', family: 'eyes', version: '1', name: 'Their Eye' }),
  ask: () => Promise.reject(new Error('not available here')),
};

/** The id and scores, or the error, as comparable text. */
async function outcomeOf(
  promise: Promise<{ id: string; scores: readonly string[] }>,
): Promise<[string, ...string[]]> {
  try {
    const { id, scores } = await promise;
    return [id, ...scores];
  } catch (error) {
    assert.ok(error instanceof CaptiousError, String(error));
    return [`${error.kind}: ${error.describe()}`];
  }
}

describe('a reference', () => {
  let home: string;
  let folder: string;
  let server: OipServer;

  beforeEach(async () => {
    [home, folder] = [scratch(), scratch()];
    mkdirSync(join(home, 'models', 'owner'), { recursive: true });
    cpSync(clip, join(home, 'models', 'clip'), { recursive: true });
    symlinkSync(bert, join(home, 'models', 'owner', 'bert'));
    cpSync(clip, join(folder, 'near'), { recursive: true });
    server = await new OipServer(models).start();
  });
  afterEach(async () => {
    await server.stop();
    await cleanUp();
  });

  const write = (said: unknown, name: string, where = folder): string => {
    const path = join(where, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, JSON.stringify(said));
    return path;
  };
  const open_ = async (ref: string, more: object = {}) => {
    const evaluator = await openEvaluator(ref, { home, ...more });
    await evaluator.close();
    return evaluator.info;
  };

  it('means the same when opened and previewed, or fails alike', async () => {
    const remote = copyOf('clip-two-graphs');
    const far = { kind: 'remote', endpoint: server.url, folder: remote, text: 'clip_text' };
    const { sha256 } = (await open('clip')).info;
    const families = [{ name: 'words', weight: 1, shift: 0, words: ['red'] }];
    write({ kind: 'cosine', encoder: 'clip' }, 'models/mine.evaluator.json', home);
    write({ kind: 'pac-s', encoder: '../clip', name: 'Steady' }, 'models/steady/evaluator.json', home);
    const inner = write({ kind: 'clipscore', encoder: './near' }, 'inner.evaluator.json');
    const judged = write({ ...judge, name: 'Eye' }, 'judged.evaluator.json');
    const query = `folder=${encodeURIComponent(remote)}&text=clip_text`;
    const references = [
      ...['starter', 'clip', 'owner/bert', 'mine', 'steady', clip, bert, join(home, 'models', 'steady')],
      ...['clipscore:starter', 'pac-s:clip', `cosine:${clip}`, 'cosine:mine', 'pac-s:clipscore:clip'],
      ...['clipscore:owner/bert', `cosine:${judged}`, `pac-s:${inner}`, inner, judged],
      ...[`oip+${server.url}?${query}`, `oip+${server.url}?${query}&image=clip_vision`],
      ...[`oip+${server.url}?text=clip_text`, `oip+${server.url}?${query}&colour=red`, 'oip+http://['],
      ...[`oip+${server.url}?folder=nowhere&text=clip_text`, 'oip+ftp://x', 'vscode.lm:eye', 'missing', ''],
      ...['cosine:', 'cosine:missing', '../missing', write({}, 'plain.txt'), 'a\0b', 'x'.repeat(5000)],
      write({ kind: 'cosine', encoder: 'clipscore:starter' }, 'of-metric.evaluator.json'),
      write({ kind: 'cosine', encoder: 'clipscore:./near' }, 'of-near.evaluator.json'),
      write({ kind: 'clipscore', encoder: 'pac-s:./inner.evaluator.json' }, 'of-file.json'),
      write({ kind: 'cosine', encoder: bert }, 'of-words.evaluator.json'),
      write({ kind: 'cosine', encoder: './judged.evaluator.json' }, 'of-judge.evaluator.json'),
      write({ kind: 'siglip', encoder: 'clip', factor: 10, bias: -1 }, 'siglip.evaluator.json'),
      write({ kind: 'siglip', encoder: 'owner/bert', factor: 10, bias: -1 }, 'no-siglip.evaluator.json'),
      write({ kind: 'calibrated', encoder: 'clip', estimator: 'signed', lambda: 1, families }, 'cal.json'),
      write({ kind: 'cosine', encoder: './cal.json' }, 'of-calibrated.json'),
      write(
        { kind: 'repaired', encoder: 'clip', encoderSha256: sha256, text: 't', image: 'i' },
        'no-map.json',
      ),
      write(
        { kind: 'repaired', encoder: 'clip', encoderSha256: 'other', text: 't', image: 'i' },
        'other.json',
      ),
      write({ kind: 'itm', folder: join(modelsPath, 'itm-blip') }, 'itm.evaluator.json'),
      write({ kind: 'itm', folder: './near' }, 'no-itm.evaluator.json'),
      write({ kind: 'itm', folder: inner }, 'file-for-folder.json'),
      write({ ...judge, concurrency: 65 }, 'crowded.evaluator.json'),
      write({ ...judge, endpoint: 'ftp://x' }, 'ftp.evaluator.json'),
      write({ ...judge, endpoint: 'vscode.lm' }, 'editor.evaluator.json'),
      write({ ...judge, kind: 'fleur', endpoint: 'vscode.lm' }, 'editor-fleur.evaluator.json'),
      write({ ...far }, 'far.evaluator.json'),
      write({ ...far, image: 'clip_vision' }, 'far-images.evaluator.json'),
      write({ ...far, batch: 0 }, 'far-batch.evaluator.json'),
      write({ ...far, endpoint: 'nowhere' }, 'far-nowhere.evaluator.json'),
      write({ kind: 'cosine', encoder: './far-images.evaluator.json' }, 'of-far.evaluator.json'),
      write({ kind: 'cosine', encoder: './far.evaluator.json' }, 'of-far-words.evaluator.json'),
      write({ kind: 'nothing' }, 'kind.evaluator.json'),
      write({ kind: 'cosine', encoder: 'clip', weight: 2 }, 'key.evaluator.json'),
      write({ kind: 'pac-s', encoder: 'clip', weight: 0 }, 'weight.evaluator.json'),
      write([], 'list.evaluator.json'),
      write({ kind: 'cosine', encoder: './self.json' }, 'self.json'),
      write({ kind: 'cosine', encoder: 'clipscore:./b.json' }, 'a.json'),
      write({ kind: 'cosine', encoder: './a.json' }, 'b.json'),
    ];
    let good = 0;
    for (const ref of references) {
      const opened = await outcomeOf(open_(ref));
      assert.deepEqual(await outcomeOf(previewEvaluator(ref, { home })), opened, ref);
      if (opened.length > 1) good++;
    }
    assert.ok(good >= 25, `${good} can be opened`);
    for (const ref of ['vscode.lm:eye', join(folder, 'editor.evaluator.json')])
      assert.deepEqual(
        await outcomeOf(previewEvaluator(ref, { home, insideEditor: true })),
        await outcomeOf(open_(ref, { editor })),
      );
  });

  it('contacts no server for a preview', async () => {
    const query = `folder=${encodeURIComponent(clip)}&text=clip_text`;
    const found = await previewEvaluator(`oip+${server.url}?${query}`, { home });
    assert.equal(found.remote, true);
    assert.deepEqual(server.requests, []);
  });

  it('names the same evaluator from any folder', () => {
    const absolute = (ref: string): string => parseReference(ref, { home }).absolute;
    const relative = join('test', 'fixtures', 'models', 'clip');
    assert.equal(absolute('clipscore:starter'), 'clipscore:starter');
    assert.equal(absolute(`cosine:${relative}`), `cosine:${resolve(relative)}`);
    assert.equal(absolute('owner/bert'), 'owner/bert');
    const remote = absolute(`oip+http://localhost:1?folder=${relative}&text=t`);
    assert.deepEqual(parseReference(remote, { home }), parseReference(absolute(remote), { home }));
    assert.match(decodeURIComponent(remote), new RegExp(`folder=/.*${relative}`));
  });

  it("is matched by id among the user's own evaluators, and never parsed as a path", () => {
    const near = join(folder, 'near');
    assert.deepEqual(referencesTo('clipscore:clip', home, []), ['clipscore:clip']);
    assert.deepEqual(referencesTo('near', home, [`cosine:${near}`]), [near]);
    assert.deepEqual(referencesTo('pac-s:near', home, [`cosine:${near}`, near]), [`pac-s:${near}`]);
    const strange = [
      near,
      `cosine:${near}`,
      `oip+${server.url}?folder=${near}&text=t`,
      'vscode.lm:eye',
      '../clip',
    ];
    for (const id of [...strange, '', '\0', 'cosine:'.repeat(30_000)])
      assert.deepEqual(referencesTo(id, home, [near]), [], id.slice(0, 80));
  });

  it('prefers an installed evaluator to one in the current folder', () => {
    assert.equal(parseReference('clip', { home }).type, 'installed');
    assert.equal(parseReference('starter', { home }).type, 'starter');
  });

  it('ends with an error if thousands of files name one another', async () => {
    for (let i = 0; i < 3000; i++)
      write({ kind: 'cosine', encoder: i === 2999 ? 'clip' : `./${i + 1}.json` }, `${i}.json`);
    for (const [ref, [kind, deep]] of [
      [join(folder, '0.json'), ['evaluator: ', sentence('evaluator.fileChainTooLong', 32)]],
      [`${'cosine:'.repeat(30_000)}clip`, ['usage: ', sentence('evaluator.metricChainTooLong', 32)]],
    ] as const) {
      for (const opening of [open_(ref), previewEvaluator(ref, { home })]) {
        const [outcome] = await outcomeOf(opening);
        assert.ok(outcome.startsWith(kind) && outcome.includes(deep), outcome);
      }
    }
    assert.equal((await outcomeOf(open_(join(folder, '2990.json'))))[0], '2990');
  });
});
