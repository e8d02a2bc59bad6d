import { english } from '../../../src/base/english';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Evaluator } from '../../../src/evaluator/evaluator';
import oracle from '../../oracle/evaluator/models.json';
import {
  assertClose,
  cleanUp,
  copyOf,
  editJson,
  embedAll,
  open,
  openPath,
  imageItem,
  valueOf,
} from './fixtures';

type Rows = readonly (readonly number[])[];

/** Compares embeddings with transformers' for the same weights. */
async function assertTexts(evaluator: Evaluator, expected: Rows): Promise<void> {
  const rows = await embedAll(evaluator, oracle.texts);
  rows.forEach((row, i) => assertClose(valueOf(row), [...expected[i]]));
}

async function assertImages(
  evaluator: Evaluator,
  expected: Record<string, readonly number[]>,
): Promise<void> {
  const names = Object.keys(expected);
  assert.equal(names.length, 3);
  const rows = await evaluator.embedImages!(names.map((name) => imageItem(name)));
  rows.forEach((row, i) => assertClose(valueOf(row), [...expected[names[i]]]));
}

/** The largest absolute difference between two lists of rows. */
function distance(a: Rows, b: Rows): number {
  return Math.max(...a.flatMap((row, r) => row.map((value, i) => Math.abs(value - b[r][i]))));
}

describe('encoders against transformers', () => {
  afterEach(cleanUp);

  describe('BERT', () => {
    it('pools the first token and normalises if 1_Pooling says so', async () => {
      const evaluator = await open('bert-cls');
      assert.equal(evaluator.info.kind, 'text-encoder');
      assert.deepEqual(evaluator.info.scores, ['text-text']);
      assert.equal(evaluator.info.dimension, 32);
      await assertTexts(evaluator, oracle['bert-cls'].cls);
    });

    const modes = {
      mean: 'pooling_mode_mean_tokens',
      max: 'pooling_mode_max_tokens',
      last: 'pooling_mode_lasttoken',
    } as const;
    for (const [mode, flag] of Object.entries(modes)) {
      it(`pools ${mode} if 1_Pooling says so`, async () => {
        const path = copyOf('bert-cls');
        editJson(join(path, '1_Pooling', 'config.json'), (json) => {
          json.pooling_mode_cls_token = false;
          json[flag] = true;
        });
        await assertTexts(await openPath(path), oracle['bert-cls'][mode as keyof typeof modes]);
      });
    }

    it('pools the mean if the folder does not say, and reports it', async () => {
      const path = copyOf('bert-cls');
      writeFileSync(join(path, 'modules.json'), '[]');
      const evaluator = await openPath(path);
      assert.ok(
        evaluator.info.notes.some((note) =>
          /mean over the tokens, because the folder has no modules/.test(english(note)),
        ),
      );
      const rows = (await embedAll(evaluator, oracle.texts)).map((row) => {
        const value = valueOf(row);
        const norm = Math.hypot(...value);
        return [...value].map((part) => part / norm);
      });
      rows.forEach((row, i) => assertClose(row, oracle['bert-cls'].mean[i]));
    });

    it('adds the default prompt to each text, and excludes it from the mean on request', async () => {
      const path = copyOf('bert-cls');
      writeFileSync(
        join(path, 'config_sentence_transformers.json'),
        JSON.stringify({ prompts: { caption: 'a picture of ' }, default_prompt_name: 'caption' }),
      );
      const prompted = await openPath(path);
      const plain = await open('bert-cls');
      const [row] = await prompted.embedTexts!(['a black cat']);
      const [same] = await plain.embedTexts!(['a picture of a black cat']);
      assert.deepEqual(row, same);

      editJson(join(path, '1_Pooling', 'config.json'), (json) => {
        json.pooling_mode_cls_token = false;
        json.pooling_mode_mean_tokens = true;
      });
      const whole = valueOf((await (await openPath(path)).embedTexts!(['a black cat']))[0]);
      editJson(join(path, '1_Pooling', 'config.json'), (json) => (json.include_prompt = false));
      const rest = valueOf((await (await openPath(path)).embedTexts!(['a black cat']))[0]);
      assert.notDeepEqual(rest, whole);
    });

    it("flags a truncated text, truncated at the reference's position", async () => {
      const evaluator = await open('bert-cls');
      const sizes = await evaluator.measureTexts!(oracle.texts);
      assert.deepEqual(
        sizes.map(({ tokens }) => tokens),
        oracle['bert-cls'].ids.map((ids) => ids.length),
      );
      assert.deepEqual(
        sizes.map(({ cut }) => cut),
        [false, false, false, false, false, false, true],
      );
    });
  });

  describe('CLIP in one graph, quick GELU', () => {
    it('embeds texts and images', async () => {
      const evaluator = await open('clip');
      assert.equal(evaluator.info.kind, 'dual-encoder');
      assert.deepEqual(evaluator.info.scores, ['text-text', 'image-text', 'image-image']);
      await assertTexts(evaluator, oracle.clip.text);
      await assertImages(evaluator, oracle.clip.image);
    });
  });

  describe('CLIP in two graphs, GELU', () => {
    it('embeds texts and images', async () => {
      const evaluator = await open('clip-two-graphs');
      assert.equal(evaluator.info.dimension, 16);
      await assertTexts(evaluator, oracle['clip-two-graphs'].text);
      await assertImages(evaluator, oracle['clip-two-graphs'].image);
    });

    it('activation: the same weights differ by it, and a contradicting folder is reported', async () => {
      assert.ok(distance(oracle.clip.text, oracle['clip-two-graphs'].text) > 0.002);
      assert.ok(!(await open('clip')).info.notes.some((note) => /quick_gelu/.test(english(note))));
      const path = copyOf('clip-two-graphs');
      editJson(join(path, 'config.json'), (json) => {
        (json.text_config as Record<string, unknown>).hidden_act = 'quick_gelu';
      });
      const { notes } = (await openPath(path)).info;
      assert.ok(
        notes.some((note) => /config.json says quick_gelu, but the graph computes gelu/.test(english(note))),
      );
    });

    it('pooling: the end token remains in truncated texts', async () => {
      const evaluator = await open('clip-two-graphs');
      const sizes = await evaluator.measureTexts!(oracle.texts);
      assert.ok(sizes[6].cut && sizes[6].tokens === 24);
      // A truncated text's ids must end with the end token. assertTexts has checked the embedding.
      const end = oracle['clip-two-graphs'].ids[0].at(-1);
      assert.equal(oracle['clip-two-graphs'].ids[6].at(-1), end);
    });

    it('resizing: squashing instead of cropping, or another filter, changes the embedding', async () => {
      const path = copyOf('clip-two-graphs');
      const wide = oracle['clip-two-graphs'].image['wide.png'];
      const changes: ((json: Record<string, unknown>) => void)[] = [
        (json) => {
          json.size = { height: 32, width: 32 };
          json.do_center_crop = false;
        },
        (json) => {
          json.size = { shortest_edge: 32 };
          json.do_center_crop = true;
          json.resample = 2;
        },
      ];
      for (const change of changes) {
        editJson(join(path, 'preprocessor_config.json'), change);
        const [row] = await (await openPath(path)).embedImages!([imageItem('wide.png')]);
        assert.ok(distance([[...valueOf(row)]], [wide]) > 0.001);
      }
    });
  });

  describe('SigLIP', () => {
    it('pads texts to the fixed length and squashes images bilinearly', async () => {
      const evaluator = await open('siglip');
      assert.deepEqual(
        (await evaluator.measureTexts!(oracle.texts)).map(({ tokens }) => tokens),
        oracle.texts.map(() => 20),
      );
      await assertTexts(evaluator, oracle.siglip.text);
      await assertImages(evaluator, oracle.siglip.image);
    });

    it('padding: unpadded texts get other embeddings', async () => {
      const path = copyOf('siglip');
      editJson(join(path, 'config.json'), (json) => (json.model_type = 'clip'));
      writeFileSync(
        join(path, 'captious.json'),
        JSON.stringify({ text: { output: 'pooler_output' }, image: { output: 'pooler_output' } }),
      );
      const evaluator = await openPath(path);
      const [row] = await evaluator.embedTexts!([oracle.texts[2]]);
      assert.ok(distance([[...valueOf(row)]], [oracle.siglip.text[2]]) > 0.01);
    });

    it('reads factor and bias from captious.json', async () => {
      const path = copyOf('siglip');
      const plain = await openPath(path);
      assert.deepEqual(plain.info.scale, { name: 'cosine' });
      assert.ok(plain.info.notes.some((note) => /plain cosines/.test(english(note))));
      const scale = { name: 'sigmoid', factor: 117.3, bias: -12.9 };
      writeFileSync(join(path, 'captious.json'), JSON.stringify({ scale }));
      assert.deepEqual((await openPath(path)).info.scale, scale);
    });
  });

  it('notes that a graph with a fixed text length is slow, and how to export a faster one', async () => {
    const isNoted = async (name: string) =>
      (await open(name)).info.notes.some((note) =>
        /exactly \d+ tokens.*captious convert/.test(english(note)),
      );
    assert.deepEqual([await isNoted('family-open-clip'), await isNoted('clip')], [true, false]);
  });
});
