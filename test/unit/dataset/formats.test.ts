import assert from 'node:assert/strict';
import { CaptiousError } from '../../../src/base/errors';
import { say } from '../../../src/base/say';
import type { Example } from '../../../src/dataset/example';
import { parseFieldMap } from '../../../src/dataset/fields/fields';
import { openDataset } from '../../../src/dataset/open';
import { checkPlaces, decodeCell, decodeJson, readAll, scratchFolder } from './support';
import { saying } from '../../sentence';

const scratch = scratchFolder();

/** The parts of an example that its format determines. */
function essence({ images, captions, preferred, attributes, id, form }: Example): unknown {
  return {
    id,
    form,
    images: images.map(({ name }) => name),
    captions: captions.map(({ text, role, image, field }) => [text, role, image, field]),
    ...(preferred === undefined ? {} : { preferred }),
    attributes,
  };
}

interface Case {
  format: string;
  content: string;
  examples: unknown[];
  problems?: string[];
  map?: string;
}

const karpathyImage = {
  filepath: 'val2014',
  sentids: [7, 8],
  filename: 'COCO_val2014_000000391895.jpg',
  imgid: 0,
  split: 'test',
  sentences: [
    { tokens: ['a', 'man'], raw: 'A man with a red helmet.', imgid: 0, sentid: 7 },
    { tokens: ['man'], raw: 'Man riding.', imgid: 0, sentid: 8 },
  ],
  cocoid: 391895,
};

const cocoImages = [
  { id: 2, file_name: 'b.jpg', height: 4, split: 'val' },
  { id: 1, file_name: 'a.jpg', height: 3, split: 'val' },
];
const cocoAnnotations = [
  { image_id: 1, id: 10, caption: 'One a.' },
  { image_id: 2, id: 11, caption: 'One b.' },
  { image_id: 1, id: 12, caption: 'Two a.' },
];
const cocoExamples = [
  {
    id: '2',
    form: 'captions',
    images: ['b.jpg'],
    captions: [['One b.', 'caption', 0, 'caption']],
    attributes: { height: 4, split: 'val' },
  },
  {
    id: '1',
    form: 'captions',
    images: ['a.jpg'],
    captions: [
      ['One a.', 'caption', 0, 'caption'],
      ['Two a.', 'caption', 0, 'caption'],
    ],
    attributes: { height: 3, split: 'val' },
  },
];

const pairRows = [
  { filename: '1.jpg', caption: 'A cat.', negative_caption: 'A dog.' },
  { filename: '2.jpg', caption: 'A hat.', negative_caption: 'A bat.' },
];
const pairExamples = (ids: string[]): unknown[] =>
  pairRows.map((row, i) => ({
    id: ids[i],
    form: 'pair',
    images: [row.filename],
    captions: [
      [row.caption, 'caption', 0, 'caption'],
      [row.negative_caption, 'negative', 0, 'negative_caption'],
    ],
    attributes: {},
  }));

const flickrExamples = [
  {
    id: 'x.jpg',
    form: 'captions',
    images: ['x.jpg'],
    captions: [
      ['A child.', 'caption', 0, 'caption'],
      ['A girl, climbing.', 'caption', 0, 'caption'],
    ],
    attributes: {},
  },
  {
    id: 'y.jpg',
    form: 'captions',
    images: ['y.jpg'],
    captions: [['A dog.', 'caption', 0, 'caption']],
    attributes: {},
  },
];

const five = ['One.', 'Two.', 'Three.', 'Four.', 'Five.'];
const alteredFive = five.map((text) => `${text.slice(0, -1)} cow.`);
const asRoles = (captions: readonly string[], altered: readonly string[] = []): unknown[] => [
  ...captions.map((text) => [text, 'caption', 0, 'caption']),
  ...altered.map((text) => [text, 'altered', 0, 'caption']),
];

const preferred = (
  id: string,
  texts: [string, string],
  which: number | null,
  fields: [string, string],
  attributes = {},
) => ({
  id,
  form: 'preference',
  images: ['p.jpg'],
  captions: texts.map((text, i) => [text, 'candidate', 0, fields[i]]),
  preferred: which,
  attributes,
});

const cases: Record<string, Case> = {
  'COCO captions': {
    format: 'coco',
    content: JSON.stringify({ info: {}, images: cocoImages, annotations: cocoAnnotations }),
    examples: cocoExamples,
  },
  'COCO captions, annotations first': {
    format: 'coco',
    content: JSON.stringify({ annotations: cocoAnnotations, images: cocoImages }, undefined, 1),
    examples: cocoExamples,
  },
  'COCO captions with images that do not match': {
    format: 'coco',
    content: JSON.stringify({
      images: [cocoImages[0], { id: 3, file_name: 'c.jpg' }, cocoImages[0]],
      annotations: [
        cocoAnnotations[1],
        { image_id: 9, id: 1, caption: 'Nowhere.' },
        { image_id: 2, id: 2, caption: ' ' },
      ],
    }),
    examples: [cocoExamples[0]],
    problems: [
      'duplicate-id error 2',
      'empty-caption error 5',
      'missing-field warning 1',
      'missing-field error 4',
    ],
  },
  'COCO annotations alone': {
    format: 'coco',
    content: JSON.stringify({ annotations: cocoAnnotations.slice(1, 2) }),
    examples: [
      {
        id: '2',
        form: 'captions',
        images: ['2'],
        captions: [['One b.', 'caption', 0, 'caption']],
        attributes: {},
      },
    ],
  },
  'Karpathy split': {
    format: 'karpathy',
    content: JSON.stringify({ images: [karpathyImage], dataset: 'coco' }),
    examples: [
      {
        id: '0',
        form: 'captions',
        images: ['val2014/COCO_val2014_000000391895.jpg'],
        captions: [
          ['A man with a red helmet.', 'caption', 0, 'sentences'],
          ['Man riding.', 'caption', 0, 'sentences'],
        ],
        attributes: { split: 'test', cocoid: 391895 },
      },
    ],
  },
  'RoCOCO with six true captions': {
    format: 'rococo',
    content: JSON.stringify([
      { image: 'a.jpg', caption: [...five, ...alteredFive] },
      { image: 'b.jpg', caption: [...five, 'Six.', ...alteredFive] },
    ]),
    examples: ['a.jpg', 'b.jpg'].map((name, i) => ({
      id: String(i),
      form: 'altered',
      images: [name],
      captions: asRoles(five, alteredFive),
      attributes: {},
    })),
    problems: ['extra-caption warning 1'],
  },
  'RoCOCO with an altered caption that equals a true one': {
    format: 'rococo',
    content: JSON.stringify([{ image: 'a.jpg', caption: [...five, ...five] }]),
    examples: [
      { id: '0', form: 'altered', images: ['a.jpg'], captions: asRoles(five, five), attributes: {} },
    ],
    problems: Array.from({ length: 5 }, () => 'duplicate-caption warning 0'),
  },
  'true and altered captions in two columns': {
    format: 'rococo',
    content: '{"photo": "a.jpg", "caption": "One.", "altered_captions": ["Two.", "Three."]}\n',
    examples: [
      {
        id: '0',
        form: 'altered',
        images: ['a.jpg'],
        captions: [
          ['One.', 'caption', 0, 'caption'],
          ['Two.', 'altered', 0, 'altered_captions'],
          ['Three.', 'altered', 0, 'altered_captions'],
        ],
        attributes: {},
      },
    ],
  },
  'BLIP list': {
    format: 'rococo',
    content: JSON.stringify([
      { image: 'a.jpg', caption: five },
      { image: 'b.jpg', caption: [...five, 'Six.'] },
    ]),
    examples: ['a.jpg', 'b.jpg'].map((name, i) => ({
      id: String(i),
      form: 'captions',
      images: [name],
      captions: asRoles(i === 0 ? five : [...five, 'Six.']),
      attributes: {},
    })),
  },
  'SugarCrepe, object of rows': {
    format: 'sugarcrepe',
    content: JSON.stringify({ '0': pairRows[0], seven: pairRows[1] }, undefined, 4),
    examples: pairExamples(['0', 'seven']),
  },
  'SugarCrepe, list': {
    format: 'sugarcrepe',
    content: JSON.stringify(pairRows),
    examples: pairExamples(['0', '1']),
  },
  'VISLA, generic': {
    format: 'visla',
    content: 'filename\tcaption\tsecond positive\tnegative_caption\r\n1.jpg\tA "B" c.\tB.\tN.\r\n',
    examples: [
      {
        id: '0',
        form: 'triplet',
        images: ['1.jpg'],
        captions: [
          ['A "B" c.', 'caption', 0, 'caption'],
          ['B.', 'caption', 0, 'second positive'],
          ['N.', 'negative', 0, 'negative_caption'],
        ],
        attributes: {},
      },
    ],
  },
  'VISLA, spatial': {
    format: 'visla',
    content:
      'image\tsent1\tsent2\tBest reference (Semantically close)\tReference-2 (Completely irrelevant)\n1.jpg\tA.\tB.\tN.\tR.\n',
    examples: [
      {
        id: '0',
        form: 'triplet',
        images: ['1.jpg'],
        captions: [
          ['A.', 'caption', 0, 'sent1'],
          ['B.', 'caption', 0, 'sent2'],
          ['N.', 'negative', 0, 'Best reference (Semantically close)'],
        ],
        attributes: { 'Reference-2 (Completely irrelevant)': 'R.' },
      },
    ],
  },
  'Winoground JSONL': {
    format: 'winoground',
    content: `${JSON.stringify({ id: 0, image_0: 'ex_0_img_0', image_1: 'ex_0_img_1', caption_0: 'old kisses young', caption_1: 'young kisses old', tag: 'Adj' })}\n`,
    examples: [
      {
        id: '0',
        form: 'crossed',
        images: ['ex_0_img_0', 'ex_0_img_1'],
        captions: [
          ['old kisses young', 'caption', 0, 'caption_0'],
          ['young kisses old', 'caption', 1, 'caption_1'],
        ],
        attributes: { tag: 'Adj' },
      },
    ],
  },
  'Winoground CSV': {
    format: 'winoground',
    content: 'id,caption_0,caption_1,image_0,image_1\n3,"a, b",c,0.png,1.png\n',
    examples: [
      {
        id: '3',
        form: 'crossed',
        images: ['0.png', '1.png'],
        captions: [
          ['a, b', 'caption', 0, 'caption_0'],
          ['c', 'caption', 1, 'caption_1'],
        ],
        attributes: {},
      },
    ],
  },
  VSR: {
    format: 'vsr',
    content: [
      { image: '1.jpg', caption: 'The cat is on the bed.', label: 1, relation: 'on', note: null },
      { image: '2.jpg', caption: 'The bed is on the cat.', label: 0, relation: 'on' },
      { image: '3.jpg', caption: 'Who knows.', label: 2, relation: 'on' },
    ]
      .map((row) => JSON.stringify(row))
      .join('\n'),
    examples: [
      {
        id: '0',
        form: 'pair',
        images: ['1.jpg'],
        captions: [['The cat is on the bed.', 'caption', 0, 'caption']],
        attributes: { label: 1, relation: 'on', note: null },
      },
      {
        id: '1',
        form: 'pair',
        images: ['2.jpg'],
        captions: [['The bed is on the cat.', 'negative', 0, 'caption']],
        attributes: { label: 0, relation: 'on' },
      },
    ],
    problems: ['wrong-type error 2'],
  },
  'Flickr8k tokens': {
    format: 'flickr',
    content: 'x.jpg#0\tA child.\nx.jpg#1\tA girl, climbing.\ny.jpg#0\tA dog.\n',
    examples: flickrExamples,
  },
  'Flickr8k CSV': {
    format: 'flickr',
    content: 'image,caption\nx.jpg,A child.\nx.jpg,"A girl, climbing."\ny.jpg,A dog.\n',
    examples: flickrExamples,
  },
  'Flickr30k with bars': {
    format: 'flickr',
    content:
      'image_name| comment_number| comment\nx.jpg| 0| A child.\nx.jpg| 1| A girl, climbing.\ny.jpg| 0| A dog.\n',
    examples: flickrExamples.map((example) => ({
      ...example,
      captions: example.captions.map(([text, role, image]) => [text, role, image, 'comment']),
    })),
  },
  'plain JSONL with a list of captions': {
    format: 'plain',
    content:
      '{"image": "1.jpg", "captions": ["A.", "", "B."], "group": "g", "size": {"w": 3, "tags": ["x"]}}\n',
    examples: [
      {
        id: '0',
        form: 'captions',
        images: ['1.jpg'],
        captions: [
          ['A.', 'caption', 0, 'captions'],
          ['B.', 'caption', 0, 'captions'],
        ],
        attributes: { group: 'g', 'size.w': 3 },
      },
    ],
    problems: ['empty-caption warning 0'],
  },
  'plain JSON in an object, ids twice, a number as image': {
    format: 'plain',
    content: JSON.stringify({
      version: 1,
      data: [
        { id: 'a', image_id: 12, text: 'A.' },
        { id: 'a', image_id: 13, text: 'B.' },
      ],
    }),
    examples: [
      { id: 'a', form: 'captions', images: ['12'], captions: [['A.', 'caption', 0, 'text']], attributes: {} },
      {
        id: 'a (entry 2)',
        form: 'captions',
        images: ['13'],
        captions: [['B.', 'caption', 0, 'text']],
        attributes: {},
      },
    ],
    problems: ['duplicate-id warning 1'],
  },
  'plain CSV with numbered captions and other columns': {
    format: 'plain',
    content: 'Image File;Caption 1;Caption 2;__proto__\nfirst.png;A.;;x\nsecond.png;;;y\nthird.png;B.;C.;z\n',
    map: 'image=Image File',
    examples: [
      {
        id: '0',
        form: 'captions',
        images: ['first.png'],
        captions: [['A.', 'caption', 0, 'Caption 1']],
        attributes: JSON.parse('{"__proto__": "x"}') as unknown,
      },
      {
        id: '2',
        form: 'captions',
        images: ['third.png'],
        captions: [
          ['B.', 'caption', 0, 'Caption 1'],
          ['C.', 'caption', 0, 'Caption 2'],
        ],
        attributes: JSON.parse('{"__proto__": "z"}') as unknown,
      },
    ],
    problems: ['missing-field error 1'],
  },
  'columns named by hand': {
    format: 'sugarcrepe',
    content: 'bild,wahr,falsch\n1.jpg,A.,B.\n',
    map: 'image=bild, caption=wahr, negative=falsch',
    examples: [
      {
        id: '0',
        form: 'pair',
        images: ['1.jpg'],
        captions: [
          ['A.', 'caption', 0, 'wahr'],
          ['B.', 'negative', 0, 'falsch'],
        ],
        attributes: {},
      },
    ],
  },
  'two candidates and a letter': {
    format: 'preference',
    content:
      'image,caption_a,caption_b,preferred,category\np.jpg,A.,B.,b,HC\np.jpg,C.,D.,tie,HI\np.jpg,E.,F.,caption_a,MM\np.jpg,E.,G.,x,MM\n',
    examples: [
      preferred('0', ['A.', 'B.'], 1, ['caption_a', 'caption_b'], { category: 'HC' }),
      preferred('1', ['C.', 'D.'], null, ['caption_a', 'caption_b'], { category: 'HI' }),
      preferred('2', ['E.', 'F.'], 0, ['caption_a', 'caption_b'], { category: 'MM' }),
    ],
    problems: ['wrong-type error 3'],
  },
  'two candidates numbered from 1': {
    format: 'preference',
    content: JSON.stringify([
      { image: 'p.jpg', caption1: 'A.', caption2: 'B.', label: 1 },
      { image: 'p.jpg', caption1: 'C.', caption2: 'D.', label: 2 },
    ]),
    examples: [
      preferred('0', ['A.', 'B.'], 0, ['caption1', 'caption2']),
      preferred('1', ['C.', 'D.'], 1, ['caption1', 'caption2']),
    ],
  },
  'Pascal-50S, winner by sign': {
    format: 'preference',
    content: JSON.stringify([
      { image: 'p.jpg', b: 'A.', c: 'B.', winner: 1 },
      { image: 'p.jpg', b: 'C.', c: 'D.', winner: -1 },
      { image: 'p.jpg', b: 'C.', c: 'E.', winner: 0 },
    ]),
    examples: [
      preferred('0', ['A.', 'B.'], 0, ['b', 'c']),
      preferred('1', ['C.', 'D.'], 1, ['b', 'c']),
      preferred('2', ['C.', 'E.'], null, ['b', 'c']),
    ],
  },
  'chosen and rejected': {
    format: 'preference',
    content: '{"image": "p.jpg", "chosen": "A.", "rejected": "B."}\n',
    examples: [preferred('0', ['A.', 'B.'], 0, ['chosen', 'rejected'])],
  },
  'Flickr8k-CF, ratings by candidate': {
    format: 'preference',
    content: `{"k": {"image_path": "p.jpg", "ground_truth": ["T."], "human_judgement": [
      {"image_path": "p.jpg", "caption": "A.", "rating": 0.0}, {"image_path": "p.jpg", "caption": "B.", "rating": 1.0},
      {"image_path": "p.jpg", "caption": "N.", "rating": NaN}, {"image_path": "p.jpg", "caption": "C.", "rating": 0.0}]}}`,
    examples: [
      preferred('k/0-1', ['A.', 'B.'], 1, ['human_judgement', 'human_judgement'], {
        rating_a: 0,
        rating_b: 1,
      }),
      preferred('k/1-2', ['B.', 'C.'], 0, ['human_judgement', 'human_judgement'], {
        rating_a: 1,
        rating_b: 0,
      }),
    ],
    problems: ['wrong-type warning 0'],
  },
  'Composite, numbered captions and ratings': {
    format: 'preference',
    content: 'image,caption1,caption2,caption3,rating1,rating2,rating3\np.jpg,A.,B.,C.,1,5,5\n',
    examples: [
      preferred('0/0-1', ['A.', 'B.'], 1, ['caption1', 'caption2'], { rating_a: 1, rating_b: 5 }),
      preferred('0/0-2', ['A.', 'C.'], 1, ['caption1', 'caption3'], { rating_a: 1, rating_b: 5 }),
    ],
  },
  'candidates and votes in lists': {
    format: 'preference',
    content: '{"id": 5, "image": "p.jpg", "candidates": ["A.", "B."], "votes": [24, 24]}\n',
    examples: [
      preferred('5', ['A.', 'B.'], null, ['candidates', 'candidates'], { rating_a: 24, rating_b: 24 }),
    ],
  },
  'LGIP export': {
    format: 'lgip',
    content: JSON.stringify([
      {
        image: '1.jpg',
        captions: ['A red cat.', 'Two cats.'],
        same_caps: [['A photo of a red cat.'], []],
        diff_caps: [[{ caption: 'A blue cat.', flip_type: 'color' }, 'A red dog.'], ['Three cats.']],
        diff_caps_color: [['A blue cat.'], []],
        diff_caps_number: [[], ['Three cats.']],
        diff_caps_object: [['A red dog.'], []],
      },
    ]),
    examples: [
      {
        id: '0',
        form: 'captions',
        images: ['1.jpg'],
        captions: [
          ['A red cat.', 'caption', 0, 'captions'],
          ['Two cats.', 'caption', 0, 'captions'],
        ],
        attributes: {},
      },
    ],
  },
};

describe('formats', () => {
  for (const [name, { format, content, examples, problems = [], map }] of Object.entries(cases)) {
    it(name, async () => {
      // Without an extension, only the content identifies the format.
      const path = scratch.write('dataset.bin', content);
      const read = await readAll(path, map === undefined ? {} : { map: parseFieldMap(map) });
      assert.equal(read.dataset.format, format);
      assert.deepEqual(read.examples.map(essence), examples);
      assert.deepEqual(
        read.problems.map(({ code, severity, row }) => `${code} ${severity} ${row}`),
        problems,
      );
      for (const { place } of read.problems) assert.ok(place, 'a problem without a place');
      const json = /^\s*[[{]/.test(content);
      checkPlaces(path, read.examples, json ? decodeJson : decodeCell);
    });
  }

  it('give LGIP variants their types', async () => {
    const { examples } = await readAll(scratch.write('lgip.json', cases['LGIP export'].content));
    assert.deepEqual(examples[0].captions[0].variants, [
      { text: 'A photo of a red cat.', family: 'paraphrase', kind: '' },
      { text: 'A blue cat.', family: 'flip', kind: 'color' },
      { text: 'A red dog.', family: 'flip', kind: 'object' },
    ]);
    assert.deepEqual(examples[0].captions[1].variants, [
      { text: 'Three cats.', family: 'flip', kind: 'number' },
    ]);
  });

  it('join the rows of one image in a Flickr table to one example', async () => {
    const { examples } = await readAll(scratch.write('tokens.txt', cases['Flickr8k tokens'].content));
    assert.deepEqual(examples[0].place, { line: 1, column: 1, offset: 0, length: 42 });
    assert.deepEqual(examples[1].place, { line: 3, column: 1, offset: 43, length: 14 });
  });

  it('use a format that is requested by name', async () => {
    const path = scratch.write('visla.tsv', cases['VISLA, generic'].content);
    assert.equal((await openDataset(path, { format: 'sugarcrepe' })).form, 'pair');
    await assert.rejects(openDataset(path, { format: 'coco' }), /Looked for coco/);
    await assert.rejects(openDataset(path, { format: 'nothing' }), {
      what: say('dataset.formatNotOffered', 'nothing'),
    });
  });
});

describe('files that are not datasets', () => {
  const none: Record<string, [string | Uint8Array, RegExp]> = {
    empty: ['', saying('dataset.fileEmpty')],
    'blanks only': [' \n\n ', /neither JSON nor a table/],
    prose: ['Once upon a time there was a file.\nIt held no captions.\n', /neither JSON nor a table/],
    'a table of other things': ['name,age\nA,1\n', /a table with the columns "name", "age"/],
    'settings in JSON': ['{"editor.fontSize": 12, "files": {"x": true}}', saying('dataset.formatUnknown')],
    'a list of numbers': ['[1, 2, 3]', /JSON, a list, without entries/],
    'an image': [Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70, 73, 70, 0), /an image/],
    'gzip data': [Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0), /unpack it/],
    MATLAB: ['MATLAB 5.0 MAT-file, Platform: GLNXA64', /MATLAB/],
    'a byte order mark alone': [Uint8Array.of(0xef, 0xbb, 0xbf), /neither JSON nor a table/],
    'half a Parquet file': ['PAR1abc', saying('dataset.parquetUnreadable')],
    'a million brackets': ['['.repeat(1e6), /JSON, a list, without entries/],
  };
  for (const [name, [content, message]] of Object.entries(none)) {
    it(`${name}: fails with a remedy`, async () => {
      const path = scratch.write('none.json', content);
      await assert.rejects(openDataset(path), (error) => {
        assert.ok(error instanceof CaptiousError);
        assert.equal(error.at, path);
        assert.ok(error.remedy);
        assert.match(error.message, message);
        return true;
      });
    });
  }

  it('reject a missing file, a folder, and a missing column', async () => {
    await assert.rejects(openDataset(`${scratch.path}/nowhere.json`), saying('base.pathMissing'));
    await assert.rejects(openDataset(scratch.path), { kind: 'input', at: scratch.path });
    const path = scratch.write('some.csv', 'a,b\n1,2\n');
    await assert.rejects(openDataset(path, { map: { image: 'c' } }), {
      what: say('dataset.roleColumnMissing', 'c', 'image'),
    });
    assert.throws(() => parseFieldMap('image'), saying('dataset.mapPartWithoutRole'));
    assert.throws(() => parseFieldMap('nose=x'), saying('dataset.mapPartWithoutRole'));
  });

  it('read a table without rows as an empty dataset', async () => {
    const { examples, dataset } = await readAll(scratch.write('empty.csv', 'image,caption\n'));
    assert.deepEqual([dataset.format, examples.length], ['flickr', 0]);
  });
});
