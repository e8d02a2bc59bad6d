import { english } from '../../src/base/english';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBench } from '../../src/bench/createBench';
import type { Evaluator } from '../../src/evaluator/evaluator';
import { openEvaluator } from '../../src/evaluator/open';
import type { Item } from '../../src/protocol/item';
import { needs, python, root } from './support';

const image = join(root, 'samples/images/000000012280.jpg');

describe('reports name common mistakes', function () {
  needs(this, python);
  this.timeout(1_800_000);
  let folder: string;
  let opened: Evaluator | undefined;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'captious-traps-'));
    const made = spawnSync(
      python!,
      [join(__dirname, 'traps.py'), folder, join(root, 'test/fixtures/models')],
      { encoding: 'utf8' },
    );
    assert.equal(made.status, 0, made.stderr);
  });
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
  });
  after(() => folder === undefined || rmSync(folder, { recursive: true, force: true }));

  async function open(ref: string): Promise<Evaluator> {
    opened = await openEvaluator(ref, {
      home: join(folder, 'home'),
      python: { asked: python },
      // OpenAI's form of a checkpoint contains code.
      allow: (consent) => consent.give(),
    });
    return opened;
  }
  const notesOf = ({ info }: Evaluator): string => info.notes.map(english).join('\n');

  it("GELU with OpenAI's weights, and not QuickGELU with them", async () => {
    const at = `pretrained=${join(folder, 'script.pt')}`;
    const gelu = notesOf(await open(`open_clip:ViT-S-32-alt?${at}`));
    assert.match(gelu, /activation is GELU/);
    assert.match(gelu, /OpenAI's weights were trained with QuickGELU/);
    await opened!.close();
    const quick = notesOf(await open(`open_clip:ViT-S-32-alt?${at}&force_quick_gelu=true`));
    assert.match(quick, /activation is QuickGELU/);
    assert.doesNotMatch(quick, /Trap: OpenAI/);
  });

  it('half precision', async () => {
    assert.match(notesOf(await open(`transformers:${folder}/whole?dtype=float16`)), /computes in float16/);
    await opened!.close();
    assert.doesNotMatch(notesOf(await open(`transformers:${folder}/whole`)), /computes in float16/);
  });

  it('captions that the model truncates', async () => {
    const texts = ['a dog', 'a dog and '.repeat(40)];
    for (const ref of [
      `transformers:${folder}/whole`,
      `open_clip:ViT-S-32-alt?pretrained=${folder}/script.pt`,
    ]) {
      const { measureTexts } = await open(ref);
      const sizes = await measureTexts!(texts);
      assert.deepEqual(
        sizes.map(({ cut }) => cut),
        [false, true],
        ref,
      );
      await opened!.close();
    }
  });

  it('pixels that are not normalised', async () => {
    assert.match(notesOf(await open(`transformers:${folder}/unnormalised`)), /does not normalise pixels/);
    await opened!.close();
    assert.doesNotMatch(notesOf(await open(`transformers:${folder}/whole`)), /does not normalise/);
  });

  it('resizing by torchvision instead of Pillow, with other scores, and how to follow Pillow', async () => {
    const pair = {
      left: { kind: 'image', source: { name: image, path: image }, transforms: [] },
      right: { kind: 'text', text: 'an airport' },
    } satisfies { left: Item; right: Item };
    const score = async (ref: string): Promise<number> => {
      const evaluator = await open(ref);
      const bench = createBench();
      const [outcome] = await bench.scores(evaluator, [pair]);
      await bench.close();
      assert.ok(outcome.ok);
      return outcome.value;
    };
    const usual = await score(`transformers:${folder}/whole`);
    assert.match(notesOf(opened!), /Trap: torchvision resizes/);
    await opened!.close();
    const pillow = await score(`transformers:${folder}/whole?processor=pil`);
    assert.match(notesOf(opened!), /resizes with pil/);
    assert.doesNotMatch(notesOf(opened!), /Trap: torchvision/);
    assert.notEqual(usual, pillow);
    assert.ok(Math.abs(usual - pillow) < 0.01, `${usual - pillow}`);
  });
});
