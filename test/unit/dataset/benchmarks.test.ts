import assert from 'node:assert/strict';
import { join } from 'node:path';
import { inARow, say } from '../../../src/base/say';
import { readsAsFirst } from '../../../src/dataset/readsAs';
import { openDataset } from '../../../src/dataset/open';
import {
  box,
  type Case,
  crossed,
  describePublished,
  pair,
  python,
  right,
  sentence,
  shapesOf,
  write,
  wrong,
} from './published';
import { assertAsks, readAll, scratchFolder } from './support';

const scratch = scratchFolder();

const twoRightOneWrong: Case['shape'] = (i) => [
  [
    [`${i}.jpg`],
    [
      [right(i), 0],
      [sentence(i, 'cat, which is red,'), 0],
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
      assert.deepEqual(
        [by, attributes],
        [
          { tag: 'type', within: 'subtype' },
          { type: 'add', subtype: 'obj' },
        ],
      );
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
    telling: ['false_caption', 'true_caption', 'bbox_y'],
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
    telling: ['false_caption', 'attributes', 'bbox_w'],
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
  'NegBench, retrieval': {
    format: 'negbench-retrieval',
    form: 'captions',
    file: 'csv',
    row: (i) => ({
      filepath: `${i}.jpg`,
      image_id: i,
      captions: python([right(i), `${right(i)} It isn't a dog.`]),
    }),
    shape: (i) => [
      [
        [`${i}.jpg`],
        [
          [right(i), 0],
          [`${right(i)} It isn't a dog.`, 0],
        ],
      ],
    ],
    telling: ['captions', 'filepath'],
    breaks: 'captions',
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
    telling: ['valid_hard_negs_atom', 'valid_hard_negs_comp'],
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
  "FOIL-COCO, pairs by COCO's id": {
    format: 'foil',
    form: 'choice',
    file: 'coco',
    row: (i) => ({
      id: 700 + (i >> 1),
      image_id: i >> 1,
      caption: i % 2 ? wrong(i >> 1) : right(i >> 1),
      foil: i % 2 === 1,
      foil_id: i,
      target_word: i % 2 ? 'cat' : 'ORIG',
      foil_word: i % 2 ? 'dog' : 'ORIG',
    }),
    shape: (i) => (i % 2 ? [] : pair((at) => `${at}.jpg`)(i >> 1)),
    telling: ['foil', 'foil_id'],
    breaks: 'caption',
    more: ([{ attributes }]) => {
      assert.deepEqual(attributes, { target_word: 'cat', foil_word: 'dog' });
    },
  },
  SugarCrepe: {
    format: 'sugarcrepe',
    form: 'pair',
    file: 'object',
    row: (i) => ({ filename: `${i}.jpg`, caption: right(i), negative_caption: wrong(i) }),
    shape: pair((i) => `${i}.jpg`),
    telling: ['negative_caption', 'caption'],
    breaks: 'negative_caption',
  },
  Winoground: {
    format: 'winoground',
    form: 'crossed',
    file: 'lines',
    row: (i) => ({
      id: i,
      image_0: `ex_${i}_img_0`,
      image_1: `ex_${i}_img_1`,
      caption_0: right(i),
      caption_1: wrong(i),
      tag: 'Object',
      secondary_tag: '',
      num_main_preds: 1,
      collapsed_tag: 'Object',
    }),
    shape: crossed(
      (i) => `ex_${i}_img_0`,
      (i) => `ex_${i}_img_1`,
    ),
    telling: ['image_1', 'caption_1', 'caption_0'],
    breaks: 'caption_0',
  },
  VSR: {
    format: 'vsr',
    form: 'pair',
    file: 'lines',
    row: (i) => ({
      image: `${i}.jpg`,
      image_link: `http://images.cocodataset.org/train2017/${i}.jpg`,
      caption: i % 2 ? right(i) : wrong(i),
      label: i % 2,
      relation: 'on',
      annotator_id: 3,
      vote_true_validator_id: [2],
      vote_false_validator_id: [],
    }),
    shape: (i) => [[[`${i}.jpg`], [[i % 2 ? right(i) : wrong(i), i % 2 ? 0 : -1]]]],
    telling: ['label'],
    breaks: 'label',
  },
  'MMVP-VLM': {
    format: 'mmvp-vlm',
    form: 'crossed',
    file: 'csv',
    row: (i) => ({
      'Question ID': i + 1,
      Type: 'State and Condition',
      Statement: i % 2 ? 'the blue dog, asleep' : 'the red cat, awake',
    }),
    shape: (i) =>
      i % 2
        ? []
        : [
            [
              [`State and Condition/${i + 1}.jpg`, `State and Condition/${i + 2}.jpg`],
              [
                ['a photo of the red cat, awake', 0],
                ['a photo of the blue dog, asleep', 1],
              ],
            ],
          ],
    telling: ['Question ID', 'Type', 'Statement'],
    breaks: 'Statement',
    more: ([{ by }]) => {
      assert.deepEqual(by, { tag: 'Type' });
    },
  },
  VISLA: {
    format: 'visla',
    form: 'triplet',
    file: 'tsv',
    row: (i) => ({
      filename: `${i}.jpg`,
      caption: right(i),
      'second positive': sentence(i, 'cat, which is red,'),
      negative_caption: wrong(i),
    }),
    shape: twoRightOneWrong,
    telling: ['second positive', 'negative_caption'],
    breaks: 'negative_caption',
  },
  "BiVLC's decisions": {
    format: 'bivlc-decisions',
    form: 'decisions',
    file: 'csv',
    row: (i) => ({
      image: '<PIL.JpegImagePlugin.JpegImageFile image mode=RGB size=500x332 at 0x7F832CC64550>',
      caption: right(i),
      negative_caption: wrong(i),
      negative_image: '<PIL.JpegImagePlugin.JpegImageFile image mode=RGB size=512x512 at 0x7F832CC649A0>',
      type: i % 2 ? 'swap' : 'add',
      subtype: 'obj',
      text_score_i0: 'True',
      text_score_i1: i % 2 ? 'False' : 'True',
      image_score_c0: 'False',
      image_score_c1: 'True',
    }),
    shape: crossed(
      () => 'image',
      () => 'negative_image',
    ),
    telling: ['image_score_c0', 'text_score_i1'],
    breaks: 'text_score_i0',
    more: (examples) => {
      assert.deepEqual(
        examples.slice(0, 2).map(({ decisions }) => decisions),
        [
          { text: [true, true], image: [false, true] },
          { text: [true, false], image: [false, true] },
        ],
      );
    },
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
    shape: twoRightOneWrong,
    telling: ['caption2', 'negative_caption'],
    breaks: 'caption2',
  },
};

describe('benchmarks', () => {
  for (const [name, spec] of Object.entries(cases)) describePublished(name, spec);
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

  it('joins no rows of two pairs if the first row is missing', async () => {
    const { examples, problems } = await readAll(
      scratch.write('Questions.csv', header + [2, 3, 4].map(row).join('')),
    );
    assert.deepEqual(
      examples.map(({ id }) => id),
      ['3'],
    );
    assert.deepEqual(problems.length, 1);
    assert.deepEqual(problems[0].message, say('dataset.firstOfPairMissing'));
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
    await assert.rejects(openDataset(path), { what: say('dataset.eqbenRandomised') });
  });

  it('makes an example of each foil, with the other captions of the image as references', async () => {
    const annotation = (id: number, caption: string, foil: boolean, foil_id: number) => ({
      id,
      image_id: 5,
      caption,
      foil,
      foil_id,
    });
    const annotations = [
      annotation(1, 'A cat.', false, 10),
      annotation(1, 'A dog.', true, 11),
      annotation(1, 'A cow.', true, 12),
      annotation(2, 'The cat.', false, 13),
      annotation(2, 'The pig.', true, 14),
    ];
    const path = scratch.write(
      'foil.json',
      JSON.stringify({ images: [{ id: 5, file_name: '5.jpg' }], annotations }),
    );
    const { examples } = await readAll(path);
    assert.deepEqual(
      examples.map(({ captions, references }) => [captions.map(({ text }) => text), references]),
      [
        [['A cat.', 'A dog.'], ['The cat.']],
        [['A cat.', 'A cow.'], ['The cat.']],
        [['The cat.', 'The pig.'], ['A cat.']],
      ],
    );
  });

  it('finds FOIL annotations after many images', async () => {
    const spec = cases['FOIL-COCO'];
    const images = Array.from({ length: 3000 }, (_, id) => ({
      id,
      file_name: `${id}.jpg`,
      url: 'x'.repeat(60),
    }));
    const annotations = Array.from({ length: 6 }, (_, i) => spec.row(i));
    const path = scratch.write('foil.json', JSON.stringify({ images, annotations }));
    const { dataset, examples } = await readAll(path);
    assert.deepEqual([dataset.format, examples.length], ['foil', 3]);
  });
});

describe('the recognised format', () => {
  it('is one line: the benchmark, its options, and how many are right', async () => {
    for (const [name, words] of [
      ['NegBench, multiple choice', say('dataset.readAsOptions', 'NegBench MCQ', 4, 1)],
      ['BiVLC', say('dataset.readAsGrid', inARow(['BiVLC', say('dataset.readsGrid')], ', '), 2, 2, 2)],
      [
        'SugarCrepe++',
        say('dataset.readAsOptions', inARow(['SugarCrepe++', say('dataset.readsTriplets')], ', '), 3, 2),
      ],
    ] as const) {
      const spec = cases[name];
      const text = write(
        spec,
        [0, 1, 4, 5].map((i) => spec.row(name.startsWith('NegBench') ? 0 : i)),
      );
      const { dataset, examples } = await readAll(scratch.write('file.bin', text));
      assert.deepEqual(readsAsFirst(dataset, examples), words);
    }
  });
});

describe('a list of labels of which one is right', () => {
  it('asks a question whose remedy reads each label correctly', async () => {
    const [{ dataset, examples }] = await assertAsks(
      join('test', 'fixtures', 'dataset', 'labels.parquet'),
      /tested_labels/,
    );
    assert.equal(dataset.form, 'choice');
    assert.deepEqual(
      examples.map(({ captions }) => captions.map(({ role, text }) => [role, text.split(' ')[1]])),
      [0, 1, 2, 3].map((i) => {
        const labels = [
          ['caption', 'red'],
          ['negative', 'blue'],
        ];
        return i % 2 ? labels.toReversed() : labels;
      }),
    );
  });

  it('may be answered by a number from 1', async () => {
    const path = scratch.write(
      'numbers.jsonl',
      [1, 2]
        .map((choice) =>
          JSON.stringify({
            image: `${choice}.jpg`,
            labels: ['A red cat sits here.', 'A blue dog sits here.'],
            choice,
          }),
        )
        .join('\n'),
    );
    const [{ examples }] = await assertAsks(path, /labels/);
    assert.deepEqual(
      examples.map(({ captions }) => captions.map(({ role }) => role)),
      [
        ['caption', 'negative'],
        ['negative', 'caption'],
      ],
    );
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
    const colorswap = await readAll(join(folder, 'colorswap.parquet'));
    assert.deepEqual([colorswap.dataset.format, colorswap.examples.length], ['colorswap', 2]);
    for (const { images } of colorswap.examples)
      assert.deepEqual(
        images.map(({ bytes }) => bytes !== undefined && bytes.length > 0),
        [true, true],
      );
    const nebula = await readAll(join(folder, 'nebula.parquet'));
    const [{ images: nebulaImages, references, captions }] = nebula.examples;
    assert.deepEqual([nebula.dataset.format, references], ['polaris', ['A 0.', 'B 0.']]);
    assert.ok(nebulaImages[0].bytes !== undefined);
    assert.deepEqual([captions[0].text, captions[0].ratings], ['C 0.', [0]]);
    const polaris = await readAll(join(folder, 'polaris.parquet'));
    assert.deepEqual([polaris.dataset.format, polaris.examples[1].references], ['polaris', ['A 1.', 'B 1.']]);
  });
});
