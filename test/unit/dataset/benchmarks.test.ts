import assert from 'node:assert/strict';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import type { Example } from '../../../src/dataset/example';
import { english } from '../../../src/base/say';
import { readsAsFirst } from '../../../src/dataset/readsAs';
import { openDataset } from '../../../src/dataset/open';
import { readAll, scratchFolder } from './support';

const scratch = scratchFolder();
const count = 6;

type Row = Record<string, unknown> | unknown[];

/** One benchmark: a file in its published form, and the example that each row must become. */
interface Case {
  format: string;
  form: string;
  file: 'csv' | 'tsv' | 'list' | 'lines' | 'object' | 'coco';
  row: (i: number) => Row;
  /** Images, then captions with the image that each is right for. */
  shape: (i: number) => [images: string[], captions: [text: string, rightOf: number][]][];
  /** Columns without which the file does not say what is right; a number is a position. */
  telling: (string | number)[];
  /** A column whose absence breaks one row. */
  breaks: string | number;
  more?: (examples: readonly Example[]) => void;
}

const sentence = (i: number, what: string): string => `The ${what} number ${i} is on the table.`;
const right = (i: number): string => sentence(i, 'red cat');
const wrong = (i: number): string => sentence(i, 'blue dog');
const python = (texts: string[]): string => `[${texts.map((text) => `'${text}'`).join(', ')}]`;
const box = { bbox_x: 10, bbox_y: 20, bbox_w: 30, bbox_h: 40 };
const crossed =
  (first: (i: number) => string, second: (i: number) => string): Case['shape'] =>
  (i) => [
    [
      [first(i), second(i)],
      [
        [right(i), 0],
        [wrong(i), 1],
      ],
    ],
  ];
const pair =
  (image: (i: number) => string): Case['shape'] =>
  (i) => [
    [
      [image(i)],
      [
        [right(i), 0],
        [wrong(i), -1],
      ],
    ],
  ];

const cases: Record<string, Case> = {
  BiVLC: {
    format: 'bivlc',
    form: 'crossed',
    file: 'csv',
    row: (i) => ({
      image: `${i}.jpg`,
      caption: right(i),
      negative_caption: wrong(i),
      negative_image: `${i}_neg.jpg`,
      type: i % 2 ? 'swap' : 'add',
      subtype: 'obj',
    }),
    shape: crossed(
      (i) => `${i}.jpg`,
      (i) => `${i}_neg.jpg`,
    ),
    telling: ['negative_image'],
    breaks: 'caption',
    more: ([{ by, attributes }]) => {
      assert.deepEqual([by, attributes], [{ tag: 'type' }, { type: 'add', subtype: 'obj' }]);
    },
  },
  ColorSwap: {
    format: 'colorswap',
    form: 'crossed',
    file: 'list',
    row: (i) => ({
      id: i,
      caption_1: right(i),
      caption_2: wrong(i),
      image_1: `images/img_${i}_1.png`,
      image_2: `images/img_${i}_2.png`,
      image_source: 'midjourney',
      caption_source: 'human',
    }),
    shape: crossed(
      (i) => `images/img_${i}_1.png`,
      (i) => `images/img_${i}_2.png`,
    ),
    telling: ['image_2', 'image_1', 'caption_2'],
    breaks: 'caption_1',
  },
  EqBen: {
    format: 'eqben',
    form: 'crossed',
    file: 'list',
    row: (i) => ({
      image0: `a/${i}.png`,
      image1: `b/${i}.png`,
      caption0: [right(i), 'x'],
      caption1: wrong(i),
    }),
    shape: crossed(
      (i) => `a/${i}.png`,
      (i) => `b/${i}.png`,
    ),
    telling: ['image1', 'caption1'],
    breaks: 'caption0',
  },
  'Cola, multi-object': {
    format: 'cola',
    form: 'crossed',
    file: 'list',
    row: (i) => [`https://x.org/${i}.jpg`, right(i), `https://x.org/${i}b.jpg`, wrong(i)],
    shape: crossed(
      (i) => `https://x.org/${i}.jpg`,
      (i) => `https://x.org/${i}b.jpg`,
    ),
    telling: [3],
    breaks: 1,
  },
  'NaturalBench-Retrieval': {
    format: 'naturalbench-retrieval',
    form: 'crossed',
    file: 'list',
    row: (i) => ({
      index: i,
      image_0: `${i}_0.jpg`,
      image_1: `${i}_1.jpg`,
      caption_0: right(i),
      caption_1: wrong(i),
    }),
    shape: crossed(
      (i) => `${i}_0.jpg`,
      (i) => `${i}_1.jpg`,
    ),
    telling: ['image_1', 'caption_1'],
    breaks: 'caption_0',
  },
  NaturalBench: {
    format: 'naturalbench',
    form: 'choice',
    file: 'list',
    row: (i) => ({
      Index: i,
      Image_0: `${i}_0.jpg`,
      Image_1: `${i}_1.jpg`,
      Question_0: `Is it ${i}?`,
      Question_1: `Is it not ${i}?`,
      Image_0_Question_0: 'Yes',
      Image_1_Question_0: 'No',
      Image_0_Question_1: 'No',
      Image_1_Question_1: 'Yes',
      Question_Type: 'yes_no',
    }),
    shape: (i) => [
      [
        [`${i}_0.jpg`, `${i}_1.jpg`],
        [
          [`Is it ${i}? Yes`, 0],
          [`Is it ${i}? No`, 1],
        ],
      ],
      [
        [`${i}_0.jpg`, `${i}_1.jpg`],
        [
          [`Is it not ${i}? No`, 0],
          [`Is it not ${i}? Yes`, 1],
        ],
      ],
    ],
    telling: ['Image_0_Question_0', 'Question_1'],
    breaks: 'Image_0',
    more: (examples) => {
      assert.deepEqual(
        examples.slice(0, 3).map(({ groups }) => groups?.item),
        ['0', '0', '1'],
      );
    },
  },
  'ARO, Visual Genome Relation': {
    format: 'aro-relation',
    form: 'choice',
    file: 'list',
    row: (i) => ({
      image_id: i,
      image_path: `${i}.jpg`,
      true_caption: right(i),
      false_caption: wrong(i),
      relation_name: i % 2 ? 'on' : 'under',
      ...box,
    }),
    shape: pair((i) => `${i}.jpg`),
    telling: ['false_caption', 'true_caption'],
    breaks: 'true_caption',
    more: ([{ images, by }]) => {
      assert.deepEqual(images[0].crop, { x: 10, y: 20, width: 30, height: 40 });
      assert.deepEqual(by, { tag: 'relation_name' });
    },
  },
  'ARO, Visual Genome Attribution': {
    format: 'aro-attribution',
    form: 'choice',
    file: 'list',
    row: (i) => ({
      image_path: `${i}.jpg`,
      true_caption: right(i),
      false_caption: wrong(i),
      attributes: ['red', 'blue'],
      ...box,
    }),
    shape: pair((i) => `${i}.jpg`),
    telling: ['false_caption'],
    breaks: 'bbox_w',
    more: ([{ images, by, attributes }]) => {
      assert.deepEqual(images[0].crop?.width, 30);
      assert.deepEqual(
        [by, attributes['attribute pair']],
        [{ tag: 'attribute pair', atLeast: 25 }, 'red_blue'],
      );
    },
  },
  "ARO's orders": {
    format: 'aro-order',
    form: 'choice',
    file: 'list',
    row: (i) => ({ image: `${i}.jpg`, caption_options: [right(i), wrong(i)] }),
    shape: pair((i) => `${i}.jpg`),
    telling: ['caption_options'],
    breaks: 'image',
  },
  "ARO's orders on the hub": {
    format: 'aro-order',
    form: 'choice',
    file: 'lines',
    row: (i) => ({
      images: `${i}.jpg`,
      correct_caption: right(i),
      hard_text_1: wrong(i),
      hard_text_2: 'b',
      hard_text_3: 'c',
      hard_text_4: 'd',
    }),
    shape: (i) => [
      [
        [`${i}.jpg`],
        [
          [right(i), 0],
          [wrong(i), -1],
          ['b', -1],
          ['c', -1],
          ['d', -1],
        ],
      ],
    ],
    telling: ['correct_caption'],
    breaks: 'hard_text_3',
  },
  VALSE: {
    format: 'valse',
    form: 'choice',
    file: 'object',
    row: (i) => ({
      dataset: 'x',
      image_file: `${i}.jpg`,
      linguistic_phenomena: 'plurals',
      caption: right(i),
      foil: wrong(i),
      mturk: { foil: 0, caption: i % 4, other: 0 },
    }),
    shape: pair((i) => `${i}.jpg`),
    telling: ['mturk', 'foil'],
    breaks: 'caption',
    more: (examples) => {
      assert.deepEqual(
        examples.map(({ votes }) => votes),
        [0, 1, 2, 3, 0, 1],
      );
    },
  },
  'VL-CheckList': {
    format: 'vl-checklist',
    form: 'choice',
    file: 'list',
    row: (i) => [`vg/${i}.jpg`, { POS: [right(i), 'another'], NEG: [wrong(i)] }],
    shape: pair((i) => `vg/${i}.jpg`),
    telling: [1],
    breaks: 0,
  },
  "What'sUp A": {
    format: 'whatsup',
    form: 'choice',
    file: 'list',
    row: (i) => ({
      image_path: `data/controlled_images/mug_${['left_of', 'right_of', 'on', 'under'][i % 4]}_table.jpeg`,
      caption_options: [right(i), wrong(i), 'c', 'd'],
    }),
    shape: (i) => [
      [
        [`data/controlled_images/mug_${['left_of', 'right_of', 'on', 'under'][i % 4]}_table.jpeg`],
        [
          [right(i), 0],
          [wrong(i), -1],
          ['c', -1],
          ['d', -1],
        ],
      ],
    ],
    telling: ['caption_options'],
    breaks: 'caption_options',
    more: (examples) => {
      assert.deepEqual(examples[0].groups, { pair: 'mug table beside', set: 'mug table' });
      assert.deepEqual(examples[2].groups?.pair, 'mug table other');
      assert.equal(examples[1].attributes.preposition, 'right_of');
    },
  },
  "What'sUp, COCO-spatial": {
    format: 'whatsup-spatial',
    form: 'choice',
    file: 'list',
    row: (i) => [391895 + i, right(i), wrong(i)],
    shape: pair((i) => `000000${391895 + i}.jpg`),
    telling: [2],
    breaks: 1,
  },
  "What'sUp, GQA-spatial": {
    format: 'whatsup-spatial',
    form: 'choice',
    file: 'list',
    row: (i) => [`23${i}`, `A mug ${i} to the left of a cup`, `A mug ${i} to the right of a cup`],
    shape: (i) => [
      [
        [`23${i}.jpg`],
        [
          [`A mug ${i} to the left of a cup`, 0],
          [`A mug ${i} to the right of a cup`, -1],
        ],
      ],
    ],
    telling: [2],
    breaks: 1,
    more: ([{ attributes }]) => {
      assert.equal(attributes.preposition, 'left');
    },
  },
  'NegBench, multiple choice': {
    format: 'negbench',
    form: 'choice',
    file: 'csv',
    row: (i) => ({
      image_path: `${i}.jpg`,
      correct_answer: i % 4,
      caption_0: `a ${i}`,
      caption_1: `b ${i}`,
      caption_2: `c ${i}`,
      caption_3: `d ${i}`,
      correct_answer_template: 'hybrid',
    }),
    shape: (i) => [
      [
        [`${i}.jpg`],
        [...'abcd'].map((letter, at): [string, number] => [`${letter} ${i}`, at === i % 4 ? 0 : -1]),
      ],
    ],
    telling: ['correct_answer'],
    breaks: 'correct_answer',
  },
  'NegBench, binary': {
    format: 'negbench',
    form: 'choice',
    file: 'csv',
    row: (i) => ({ image_path: `${i}.jpg`, correct_answer: 1, caption_0: wrong(i), caption_1: right(i) }),
    shape: (i) => [
      [
        [`${i}.jpg`],
        [
          [wrong(i), -1],
          [right(i), 0],
        ],
      ],
    ],
    telling: ['correct_answer'],
    breaks: 'image_path',
  },
  CREPE: {
    format: 'crepe',
    form: 'choice',
    file: 'csv',
    row: (i) => ({
      image_id: i,
      x: 1,
      y: 2,
      width: 3,
      height: 4,
      caption: right(i),
      hard_negs: python([wrong(i)]),
    }),
    shape: pair((i) => `${i}.jpg`),
    telling: ['hard_negs'],
    breaks: 'width',
    more: ([{ images }]) => {
      assert.deepEqual(images[0].crop, { x: 1, y: 2, width: 3, height: 4 });
    },
  },
  'CREPE, systematicity': {
    format: 'crepe',
    form: 'choice',
    file: 'csv',
    row: (i) => ({
      image_id: i,
      x: 1,
      y: 2,
      width: 3,
      height: 4,
      caption: right(i),
      valid_hard_negs_atom: python([wrong(i)]),
      valid_hard_negs_comp: i === 1 ? '[]' : python(['another', 'one']),
    }),
    shape: (i) => [
      [
        [`${i}.jpg`],
        [
          [right(i), 0],
          [wrong(i), -1],
        ],
      ],
      ...(i === 1
        ? []
        : ([
            [
              [`${i}.jpg`],
              [
                [right(i), 0],
                ['another', -1],
                ['one', -1],
              ],
            ],
          ] as ReturnType<Case['shape']>)),
    ],
    telling: [],
    breaks: 'image_id',
  },
  'SVO-Probes': {
    format: 'svo-probes',
    form: 'choice',
    file: 'csv',
    row: (i) => ({
      sentence: right(i),
      pos_triplet: 'girl,stand,grass',
      neg_triplet: 'dog,stand,grass',
      pos_url: 'http://x.org/p',
      neg_url: 'http://x.org/n',
      pos_image_id: i,
      neg_image_id: 100 + i,
      subj_neg: i % 2 ? 'True' : 'False',
      verb_neg: i % 2 ? 'False' : 'True',
      obj_neg: 'False',
    }),
    shape: (i) => [[[`${i}.jpg`, `${100 + i}.jpg`], [[right(i), 0]]]],
    telling: ['neg_image_id'],
    breaks: 'sentence',
    more: (examples) => {
      assert.deepEqual(
        examples.slice(0, 2).map(({ attributes }) => attributes.negative),
        ['verb', 'subj'],
      );
    },
  },
  'CC-Neg': {
    format: 'cc-neg',
    form: 'choice',
    file: 'list',
    row: (i) => ({
      image_path: `${i}.jpg`,
      json: { caption: right(i), key: i },
      sop_data: { 'negative-prompt': `Not, ${wrong(i)}` },
    }),
    shape: (i) => [
      [
        [`${i}.jpg`],
        [
          [right(i), 0],
          [`Not ${wrong(i)}`, -1],
        ],
      ],
    ],
    telling: ['sop_data'],
    breaks: 'json',
  },
  'NegCLIP training': {
    format: 'negclip',
    form: 'choice',
    file: 'tsv',
    row: (i) => ({
      filepath: `${i}.jpg`,
      title: right(i),
      neg_caption: python([wrong(i)]),
      neg_image: '[1, 2]',
    }),
    shape: pair((i) => `${i}.jpg`),
    telling: ['neg_caption'],
    breaks: 'title',
  },
  'FOIL-COCO': {
    format: 'foil',
    form: 'choice',
    file: 'coco',
    row: (i) => ({
      id: i,
      image_id: i >> 1,
      caption: i % 2 ? wrong(i >> 1) : right(i >> 1),
      foil: i % 2 === 1,
      foil_id: i >> 1,
      target_word: 'cat',
      foil_word: i % 2 ? 'dog' : 'ORIG',
    }),
    shape: (i) => (i % 2 ? [] : pair((at) => `${at}.jpg`)(i >> 1)),
    telling: ['foil', 'foil_id'],
    breaks: 'caption',
  },
  'SugarCrepe++': {
    format: 'sugarcrepe++',
    form: 'triplet',
    file: 'list',
    row: (i) => ({
      id: i,
      filename: `${i}.jpg`,
      caption: right(i),
      caption2: sentence(i, 'cat, which is red,'),
      negative_caption: wrong(i),
    }),
    shape: (i) => [
      [
        [`${i}.jpg`],
        [
          [right(i), 0],
          [sentence(i, 'cat, which is red,'), 0],
          [wrong(i), -1],
        ],
      ],
    ],
    telling: ['caption2', 'negative_caption'],
    breaks: 'caption2',
  },
};

/** Writes the rows as their file; returns the text of each row. */
function write({ file }: Case, rows: readonly Row[]): string {
  const json = rows.map((row) => JSON.stringify(row));
  switch (file) {
    case 'list':
      return `[\n${json.join(',\n')}\n]\n`;
    case 'lines':
      return `${json.join('\n')}\n`;
    case 'object':
      return `{\n${json.map((row, i) => `"key_${i}": ${row}`).join(',\n')}\n}\n`;
    case 'coco': {
      const images = [0, 1, 2].map((id) =>
        JSON.stringify({ id, file_name: `${id}.jpg`, height: 4, width: 4 }),
      );
      return `{"info": {}, "images": [\n${images.join(',\n')}\n],\n"annotations": [\n${json.join(',\n')}\n]}\n`;
    }
    case 'csv':
    case 'tsv': {
      const [delimiter, quoted] = file === 'csv' ? [',', /[",\n]/] : ['\t', /[\t\n]/];
      const cell = (value: unknown): string => {
        const text = value === undefined ? '' : String(value);
        return quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
      };
      const names = Object.keys(rows[0]);
      const lines = rows.map((row) =>
        names.map((name) => cell((row as Record<string, unknown>)[name])).join(delimiter),
      );
      return `${[names.join(delimiter), ...lines].join('\n')}\n`;
    }
  }
}

function shapesOf(examples: readonly Example[]): unknown {
  return examples.map(({ images, captions }) => [
    images.map(({ name }) => name),
    captions.map(({ text, role, image }) => [text, role === 'caption' ? image : -1]),
  ]);
}

function without(row: Row, column: string | number, instead?: unknown): Row {
  if (Array.isArray(row)) return row.map((value, i) => (i === column ? instead : value) as unknown);
  return { ...row, [column]: instead };
}

function renamed(row: Row, column: string | number): Row {
  if (Array.isArray(row)) return row.filter((_, i) => i !== column);
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name === column ? 'zzz' : name, value as unknown]),
  );
}

describe('benchmarks', () => {
  for (const [name, spec] of Object.entries(cases)) {
    describe(name, () => {
      const rows = Array.from({ length: count }, (_, i) => spec.row(i));
      const expected = rows.flatMap((_, i) => spec.shape(i));
      const published = write(spec, rows);

      it('is read as its authors do', async () => {
        const { dataset, examples, problems } = await readAll(scratch.write('file.bin', published));
        assert.deepEqual([dataset.format, dataset.form], [spec.format, spec.form]);
        assert.deepEqual(shapesOf(examples), expected);
        assert.deepEqual(
          problems.filter(({ severity }) => severity === 'error'),
          [],
        );
        assert.equal(new Set(examples.map(({ id }) => id)).size, examples.length);
        for (const [column] of dataset.reads)
          assert.ok(dataset.columns.includes(column) || column === 'file_name', column);
        spec.more?.(examples);
      });

      it('reads the same with a byte order mark and with CRLF', async () => {
        for (const text of [`\ufeff${published}`, published.replaceAll('\n', '\r\n')]) {
          const { dataset, examples } = await readAll(scratch.write('file.bin', text));
          assert.deepEqual([dataset.format, shapesOf(examples)], [spec.format, expected]);
        }
      });

      it('keeps whole rows when truncated', async () => {
        const cut = published.slice(0, Math.floor(published.length * 0.8));
        const { dataset, examples } = await readAll(scratch.write('file.bin', cut));
        assert.equal(dataset.format, spec.format);
        assert.ok(examples.length > 0 && examples.length < expected.length, String(examples.length));
        const whole = new Set((expected as unknown[]).map((shape) => JSON.stringify(shape)));
        const known = (shapesOf(examples) as unknown[]).filter((shape) => whole.has(JSON.stringify(shape)));
        // In a table, the last row may end within its last cell.
        assert.ok(known.length >= examples.length - 1);
      });

      it('names a bad row and keeps the others', async () => {
        const bad = rows.map((row, i) => (i === 2 ? without(row, spec.breaks, '') : row));
        const { dataset, examples, problems } = await readAll(scratch.write('file.bin', write(spec, bad)));
        assert.equal(dataset.format, spec.format);
        const lost = spec.shape(2).length;
        assert.equal(examples.length, expected.length - lost);
        const errors = problems.filter(({ severity }) => severity === 'error');
        assert.ok(errors.length > 0);
        assert.ok(errors.every(({ place }) => place !== undefined));
      });

      for (const column of spec.telling)
        it(`asks a question if "${column}" has another name`, async () => {
          const path = scratch.write(
            'file.bin',
            write(
              spec,
              rows.map((row) => renamed(row, column)),
            ),
          );
          await assert.rejects(openDataset(path), (error) => {
            assert.ok(error instanceof CaptiousError);
            assert.ok(error.remedy);
            assert.ok(error.message.length < 400, error.message);
            return true;
          });
        });
    });
  }
});

describe('MMVP-VLM', () => {
  const header = 'Question ID,Type,Statement\n';
  const row = (id: number): string => `${id},State and Condition,the flower is ${id}\n`;

  it("joins two rows to a pair, and adds the authors' words to each statement", async () => {
    const { dataset, examples, problems } = await readAll(
      scratch.write('Questions.csv', header + [1, 2, 3, 4].map(row).join('')),
    );
    assert.deepEqual([dataset.format, problems], ['mmvp-vlm', []]);
    assert.deepEqual(shapesOf(examples), [
      [
        ['State and Condition/1.jpg', 'State and Condition/2.jpg'],
        [
          ['a photo of the flower is 1', 0],
          ['a photo of the flower is 2', 1],
        ],
      ],
      [
        ['State and Condition/3.jpg', 'State and Condition/4.jpg'],
        [
          ['a photo of the flower is 3', 0],
          ['a photo of the flower is 4', 1],
        ],
      ],
    ]);
  });

  it('names a row without its partner, and continues with the next pair', async () => {
    const { examples, problems } = await readAll(
      scratch.write('Questions.csv', header + [1, 3, 4, 5].map(row).join('')),
    );
    assert.deepEqual(
      examples.map(({ id }) => id),
      ['3'],
    );
    assert.deepEqual(
      problems.map(({ place }) => place?.line),
      [2, 5],
    );
  });
});

describe('files that look like a benchmark', () => {
  it("asks a question about EqBen's randomized pairs", async () => {
    const path = scratch.write(
      'ann_json_finegrained_random.json',
      JSON.stringify([{ image: 'eqbenag/a/1.png', caption: right(1) }]),
    );
    await assert.rejects(openDataset(path), /randomized pairs/);
  });

  it('finds FOIL annotations after many images', async () => {
    const spec = cases['FOIL-COCO'];
    const images = Array.from({ length: 3000 }, (_, id) => ({
      id,
      file_name: `${id}.jpg`,
      url: 'x'.repeat(60),
    }));
    const annotations = Array.from({ length: count }, (_, i) => spec.row(i));
    const path = scratch.write('foil.json', JSON.stringify({ images, annotations }));
    const { dataset, examples } = await readAll(path);
    assert.deepEqual([dataset.format, examples.length], ['foil', count / 2]);
  });
});

describe('rated captions', () => {
  it('keeps ratings and references of Polaris, in JSON and in CSV with Python lists', async () => {
    const row = { refs: ['A cat.', "It's a cat."], cand: 'A dog.', img: 'a.jpg', human_score: 0.25 };
    const csv = `imgid,mt,refs,score\na.jpg,A dog.,"['A cat.', ""It's a cat.""]",0.25\n`;
    for (const path of [scratch.write('p.jsonl', `${JSON.stringify(row)}\n`), scratch.write('p.csv', csv)]) {
      const { dataset, examples } = await readAll(path);
      assert.deepEqual([dataset.format, dataset.form], ['polaris', 'rating']);
      const [{ captions, references, images }] = examples;
      assert.deepEqual([images[0].name, references], ['a.jpg', ['A cat.', "It's a cat."]]);
      assert.deepEqual(
        [captions[0].text, captions[0].role, captions[0].ratings],
        ['A dog.', 'candidate', [0.25]],
      );
    }
  });

  it("joins three experts' ratings of one candidate in Flickr8k-Expert", async () => {
    const judged = (caption: string, ...ratings: number[]) =>
      ratings.map((rating) => ({ image_id: 'a', image_path: 'a.jpg', caption, rating }));
    const path = scratch.write(
      'flickr8k.json',
      JSON.stringify({
        a: {
          image_id: 'a',
          image_path: 'a.jpg',
          ground_truth: ['A cat.', 'The cat.'],
          human_judgement: [...judged('A dog.', 1, 1, 2), ...judged('A kitten.', 4, 4, 3)],
        },
      }),
    );
    const { dataset, examples } = await readAll(path);
    assert.deepEqual([dataset.form, examples.length], ['preference', 1]);
    const [{ captions, preferred, references }] = examples;
    assert.deepEqual(
      captions.map(({ ratings }) => ratings),
      [
        [1, 1, 2],
        [4, 4, 3],
      ],
    );
    assert.deepEqual([preferred, references], [1, ['A cat.', 'The cat.']]);
  });

  it('reads the winner of CapArena as a source', async () => {
    const row = (winner: string) => ({
      img: 'a.jpg',
      caption1: 'One.',
      caption2: 'Two.',
      source1: 'GPT-4o',
      source2: 'human',
      winner,
      ref: 'A reference.',
      cluster: 'level 1',
    });
    const path = scratch.write('caparena.json', JSON.stringify(['GPT-4o', 'human', 'equal'].map(row)));
    const { dataset, examples } = await readAll(path);
    assert.equal(dataset.format, 'caparena');
    assert.deepEqual(
      examples.map(({ preferred }) => preferred),
      [0, 1, null],
    );
    assert.deepEqual([examples[0].references, examples[0].attributes.cluster], [['A reference.'], 'level 1']);
  });

  it('reads a table of candidates with one rating each', async () => {
    const { dataset, examples } = await readAll(
      scratch.write('r.csv', 'image,caption,rating\na.jpg,A cat.,4\n'),
    );
    assert.deepEqual([dataset.form, examples[0].captions[0].ratings], ['rating', [4]]);
  });
});

describe('the recognised format', () => {
  it('is one line: the benchmark, its options, and how many are right', async () => {
    for (const [name, words] of [
      ['NegBench, multiple choice', 'NegBench MCQ, 4 options, 1 right'],
      ['BiVLC', 'BiVLC, two images and two captions, 2 images, captions: 2, right: 2'],
      ['SugarCrepe++', 'SugarCrepe++, two captions that say the same and a wrong one, 3 options, 2 right'],
    ]) {
      const spec = cases[name];
      const text = write(
        spec,
        [0, 1, 4, 5].map((i) => spec.row(name.startsWith('NegBench') ? 0 : i)),
      );
      const { dataset, examples } = await readAll(scratch.write('file.bin', text));
      assert.equal(english(readsAsFirst(dataset, examples)), words);
    }
  });
});

describe("benchmarks in the hub's form", () => {
  it('are read with embedded images', async () => {
    const folder = join('test', 'fixtures', 'dataset');
    const { dataset, examples } = await readAll(join(folder, 'bivlc.parquet'));
    assert.deepEqual([dataset.format, examples.length], ['bivlc', 4]);
    for (const { images, captions } of examples) {
      assert.ok(images.length === 2 && images.every(({ bytes }) => bytes !== undefined && bytes.length > 0));
      assert.deepEqual(
        captions.map(({ image }) => image),
        [0, 1],
      );
    }
    const natural = await readAll(join(folder, 'naturalbench.parquet'));
    assert.deepEqual([natural.dataset.format, natural.examples.length], ['naturalbench', 4]);
    const polaris = await readAll(join(folder, 'polaris.parquet'));
    assert.deepEqual([polaris.dataset.format, polaris.examples[1].references], ['polaris', ['A 1.', 'B 1.']]);
  });
});
