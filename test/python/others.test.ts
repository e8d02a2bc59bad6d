import { english } from '../../src/base/english';
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createBench } from '../../src/bench/createBench';
import { openEvaluator } from '../../src/evaluator/open';
import type { Item, Want } from '../../src/protocol/item';
import { captious } from '../unit/cli/captious';
import { needs, python, root } from './support';

const samples = join(root, 'samples');

describe('the other adapters against plain loops', function () {
  needs(this, python);
  this.timeout(1_800_000);
  let folder: string;
  let expected: Record<string, number[]>;
  let pairs: { image: string; text: string }[];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'captious-others-'));
    const lines = readFileSync(join(samples, 'captions.jsonl'), 'utf8').trim().split('\n');
    pairs = lines.slice(0, 40).map((line) => {
      const { image, caption } = JSON.parse(line) as { image: string; caption: string };
      return { image: join(samples, 'images', image), text: caption };
    });
    writeFileSync(join(folder, 'pairs.json'), JSON.stringify(pairs));
    const args = [folder, join(root, 'test/fixtures/models'), join(folder, 'pairs.json')];
    const made = spawnSync(python!, [join(__dirname, 'others.py'), ...args], { encoding: 'utf8' });
    assert.equal(made.status, 0, made.stderr);
    expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as typeof expected;
  });
  after(() => folder === undefined || rmSync(folder, { recursive: true, force: true }));

  const image = (path: string): Item => ({ kind: 'image', source: { name: path, path }, transforms: [] });
  const text = (words: string): Item => ({ kind: 'text', text: words });
  const ofPairs = (): Want[] => pairs.map((pair) => ({ left: image(pair.image), right: text(pair.text) }));
  const ofTexts = (): Want[] =>
    pairs.slice(1).map((pair, i) => ({ left: text(pairs[i].text), right: text(pair.text) }));

  for (const [name, ref, wants, tolerance] of [
    ['sentence-transformers', (at: string) => `sentence-transformers:${at}/sbert`, ofTexts, 1e-6],
    ['pac-s', (at: string) => `pac-s:open_clip:${at}/pac`, ofPairs, 1e-6],
    [
      'pac-s of a .pth',
      (at: string) => `pac-s:open_clip:ViT-S-32-alt?pretrained=${at}/pac.pth`,
      ofPairs,
      1e-6,
    ],
    ['vilt', (at: string) => `transformers:${at}/vilt`, ofPairs, 1e-6],
    ['chinese-clip', (at: string) => `transformers:${at}/chinese-clip`, ofPairs, 1e-6],
    // The adapters pad batches. The expected scores were computed for one pair at a time, without padding.
    ['vqascore', (at: string) => `vqascore:${at}/vlm`, ofPairs, 1e-6],
    ['likelihood', (at: string) => `likelihood:${at}/vlm`, ofPairs, 1e-4],
  ] as const)
    it(`${name}: has every score within ${tolerance}`, async () => {
      const evaluator = await openEvaluator(ref(folder), {
        home: join(folder, 'home'),
        python: { asked: python },
      });
      const bench = createBench();
      try {
        const scores = await bench.scores(evaluator, wants());
        const off = scores.map((outcome, i) => {
          assert.ok(outcome.ok, english(outcome.ok ? '' : outcome.problem));
          return Math.abs(outcome.value - expected[name][i]);
        });
        const spread = Math.max(...expected[name]) - Math.min(...expected[name]);
        console.log(
          `      at most ${Math.max(...off).toExponential(1)} apart; they spread over ${spread.toExponential(1)}`,
        );
        assert.ok(spread > 100 * Math.max(...off), 'the scores differ from each other');
        assert.ok(Math.max(...off) <= tolerance);
      } finally {
        await bench.close();
        await evaluator.close();
      }
    });

  describe('the same model behind an endpoint', () => {
    let server: ChildProcess;
    let endpoint: string;

    before(async () => {
      server = spawn(python!, [join(__dirname, 'served.py'), join(folder, 'vlm')], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const lines = createInterface({ input: server.stdout! })[Symbol.asyncIterator]();
      endpoint = (await lines.next()).value as string;
    });
    after(() => server?.kill());

    for (const [kind, more] of [
      ['vqascore', { alternatives: 2000 }],
      ['likelihood', {}],
    ] as const)
      it(`${kind}: has every score within 1e-4`, async () => {
        const file = join(folder, `${kind}.evaluator.json`);
        // PNG, the default format, is lossless. No sample image is larger than `side`, so none is resized.
        const said = { kind, endpoint, model: 'vlm', image: { side: 8192 }, ...more };
        writeFileSync(file, JSON.stringify(said));
        const evaluator = await openEvaluator(file, { home: join(folder, 'home') });
        try {
          await evaluator.consent!.give();
          const outcomes = await evaluator.scorePairs!(
            pairs.map(({ image: path, text }) => ({
              image: { kind: 'image', source: { name: path, path }, transforms: [] },
              text,
            })),
          );
          const off = outcomes.map((outcome, i) => {
            assert.ok(outcome.ok, english(outcome.ok ? '' : outcome.problem));
            return Math.abs(outcome.value - expected[kind][i]);
          });
          console.log(`      at most ${Math.max(...off).toExponential(1)} apart`);
          assert.ok(Math.max(...off) <= 1e-4);
        } finally {
          await evaluator.close();
        }
      });
  });
});

describe('embed.py of docs/evaluators.md', function () {
  needs(this, python);
  this.timeout(600_000);

  it('writes the rows that its evaluator file reads', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'captious-embed-'));
    try {
      const home = join(folder, 'home');
      const [, script] = /```python\n(# embed\.py[^]*?)```/.exec(
        readFileSync(join(root, 'docs', 'evaluators.md'), 'utf8'),
      )!;
      writeFileSync(join(folder, 'embed.py'), script);
      writeFileSync(
        join(folder, 'my_model.py'),
        `import zlib
rows = lambda items: [[float(1 + zlib.crc32(item) % (7 + i)) for i in range(8)] for item in items]
embed_images = lambda paths: rows(open(path, "rb").read() for path in paths)
embed_texts = lambda texts: rows(text.encode() for text in texts)
`,
      );
      const dataset = join(samples, 'captions.json');
      const listed = await captious(
        ...[home, 'embeddings', dataset, '--probe', 'prsm', '--limit', '5', '--out', folder],
      );
      assert.equal(listed.code, 0, listed.err);
      const ran = spawnSync(python!, ['embed.py', 'captions'], { cwd: folder, encoding: 'utf8' });
      assert.equal(ran.status, 0, ran.stderr);
      const evaluator = join(folder, 'captions.evaluator.json');
      const audited = await captious(
        ...[
          home,
          'audit',
          dataset,
          '--probe',
          'prsm',
          '--limit',
          '5',
          '--evaluator',
          evaluator,
          '--out',
          folder,
        ],
      );
      assert.equal(audited.code, 0, audited.err);
      assert.match(audited.out, /prsm\./);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
