import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Report } from '../../../src/report/report';
import { captious as run, type Ended } from './captious';

const models = resolve('test/fixtures/models');
const images = join(models, 'pictures');
const fetched = resolve('.cache/models');

/** Entries of `known.json` whose weights may be on this machine. */
const real = ['all-MiniLM-L6-v2', 'gte-small'];
const texts = ['bert-cls', 'bert-dense'];
const duals = [
  ...['clip', 'clip-two-graphs', 'siglip', 'family-siglip-whole', 'family-siglip2-naflex'],
  ...['align', 'alt-clip', 'blip-itc', 'chinese-clip', 'open-clip'].map((name) => `family-${name}`),
  ...['eva02-clip', 'mobileclip-s', 'mobileclip-b', 'xlm-roberta-clip', 'tiny-clip', 'jina-clip'].map(
    (name) => `family-${name}`,
  ),
];
const pairs = ['itm-blip', 'itm-vilt', 'itm-umic', 'itm-lxmert'];

describe('models at the command line', function () {
  this.timeout(120_000);
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'captious-models-'));
    const image = (filename: string, caption: string, negative_caption: string) => ({
      filename,
      caption,
      negative_caption,
    });
    writeFileSync(
      join(folder, 'pairs.json'),
      JSON.stringify({
        0: image('wide.png', 'two dogs play with a red ball', 'two dogs play with a blue ball'),
        1: image('tall.png', 'a black cat', 'a white cat'),
        2: image('small.png', 'a man riding a bicycle', 'a bicycle riding a man'),
      }),
    );
    writeFileSync(
      join(folder, 'triplets.tsv'),
      'filename\tcaption\tsecond positive\tnegative_caption\n' +
        '1.jpg\ta red bus\tthe bus is red\ta blue bus\n2.jpg\ttwo dogs\ta pair of dogs\tthree dogs\n',
    );
  });
  after(() => rmSync(folder, { recursive: true }));

  const captious = (home: string, ...args: string[]): Promise<Ended> => run(join(folder, home), ...args);

  async function audit(probe: string, file: string, evaluator: string): Promise<Report> {
    const { code, out, err } = await captious(
      'home',
      ...['audit', join(folder, file), '--probe', probe, '--evaluator', evaluator],
      ...['--images', images, '--out', join(folder, 'reports'), '--json'],
    );
    assert.equal(code, 0, err);
    const [report] = JSON.parse(out) as Report[];
    return report;
  }

  for (const name of [...real, ...texts])
    it(`${name} is audited`, async function () {
      const path = join(real.includes(name) ? fetched : models, name);
      if (!existsSync(path)) {
        console.log(`      ${name} was not fetched (npm run test:papers fetches it)`);
        this.skip();
      }
      const report = await audit('visla', 'triplets.tsv', path);
      assert.equal(report.evaluator.kind, 'text-encoder');
      assert.equal(report.dataset.examples, 2);
      const t2t = report.metrics.find(({ id, slice }) => id === 'visla.t2t' && slice === undefined)!;
      assert.equal(t2t.n, 2);
      assert.ok(t2t.value !== null);
    });

  for (const name of ['starter', ...duals, 'clipscore:clip', 'pac-s:siglip', ...pairs])
    it(`${name} is audited`, async () => {
      const [metric, base] = name.includes(':') ? name.split(':') : [undefined, name];
      let ref = base === 'starter' ? base : join(models, base);
      if (['itm-umic', 'itm-lxmert'].includes(base)) {
        const said = { kind: 'itm', folder: ref, features: join(ref, 'features') };
        ref = join(folder, `${base}.evaluator.json`);
        writeFileSync(ref, JSON.stringify(said));
      }
      const report = await audit('sugarcrepe', 'pairs.json', metric === undefined ? ref : `${metric}:${ref}`);
      assert.equal(report.evaluator.kind, pairs.includes(name) ? 'pair-scorer' : 'dual-encoder');
      assert.equal(report.dataset.examples, 3);
      assert.deepEqual([report.dataset.leftOut, report.evaluator.precision], [[], 'float32']);
      const accuracy = report.metrics.find(({ id, n }) => id.startsWith('sugarcrepe.') && n === 3)!;
      assert.ok(accuracy.value !== null);
    });

  it('lists installed evaluators with path, size, hash and abilities', async () => {
    mkdirSync(join(folder, 'full', 'models'), { recursive: true });
    const installed = ['bert-cls', 'clip', 'siglip', 'itm-blip'];
    for (const name of installed) symlinkSync(join(models, name), join(folder, 'full', 'models', name));
    const { code, out, err } = await captious('full', 'evaluators', '--json');
    assert.equal(code, 0, err);
    const list = JSON.parse(out) as {
      state: string;
      id: string;
      kind: string;
      path: string;
      size: number;
      sha256: string;
      scores: string[];
      hub?: string;
    }[];
    const here = list.filter(({ state }) => state === 'installed');
    assert.deepEqual(
      here.map(({ id, kind, scores }) => [id, kind, scores.join(' ')]),
      [
        ['starter', 'dual-encoder', 'text-text image-text image-image'],
        ['bert-cls', 'text-encoder', 'text-text'],
        ['clip', 'dual-encoder', 'text-text image-text image-image'],
        ['itm-blip', 'pair-scorer', 'image-text'],
        ['siglip', 'dual-encoder', 'text-text image-text image-image'],
      ],
    );
    for (const { path, size, sha256 } of here) {
      assert.ok(existsSync(path) && size > 100_000);
      assert.match(sha256, /^[0-9a-f]{64}$/);
    }
    const clip = here.find(({ id }) => id === 'clip')!;
    const { evaluator } = await audit('sugarcrepe', 'pairs.json', join(models, 'clip'));
    assert.equal(evaluator.sha256, clip.sha256);
    const known = list.filter(({ state }) => state === 'known');
    assert.ok(known.length >= 12 && known.every(({ hub }) => hub !== undefined));
  });

  it('says that the language models of VS Code exist only inside the editor', async () => {
    const { code, err } = await captious(
      'home',
      ...['audit', join(folder, 'pairs.json'), '--probe', 'sugarcrepe', '--evaluator', 'vscode.lm:gpt-4o'],
    );
    assert.equal(code, 2);
    assert.match(err, /Start the audit in the editor/);
  });
});
