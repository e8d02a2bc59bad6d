import { english } from '../../../../src/base/english';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import { say } from '../../../../src/base/say';
import type { Example } from '../../../../src/dataset/example';
import { openDataset } from '../../../../src/dataset/open';
import { type Case, describePublished, python, right, sentence, wrong } from '../published';
import { readAll, scratchFolder, tryRemedies } from '../support';

const other = (i: number): string => sentence(i, 'green cow');
/** One image with several candidate captions, none of which is marked as right. */
const candidates =
  (image: (i: number) => string, ...texts: ((i: number) => string)[]): Case['shape'] =>
  (i) => [[[image(i)], texts.map((text): [string, number] => [text(i), -1])]];
const ratingsOf = (examples: readonly Example[]): unknown =>
  examples.map(({ captions }) => captions.map(({ ratings }) => ratings));

/** Image names and captions as in Flickr8k, with five captions per image. */
const flickrImage = (i: number): string => `1056338697_4f7d7ce2${i}.jpg`;
const flickrCaption = (i: number, n: number): string => `A child number ${i} climbs the stairs (${n}) .`;
const tokens = Array.from({ length: 6 }, (_, i) =>
  Array.from({ length: 5 }, (_, n) => `${flickrImage(i)}#${n}\t${flickrCaption(i, n)}\n`).join(''),
).join('');
const flickr: Pick<Case, 'form' | 'file' | 'beside' | 'telling' | 'breaks' | 'format' | 'shape'> = {
  format: 'flickr8k-annotations',
  form: 'rating',
  file: 'headless',
  beside: { 'Flickr8k.token.txt': tokens },
  shape: candidates(flickrImage, (i) => flickrCaption((i + 1) % 6, 2)),
  telling: [1, 2],
  breaks: 1,
};
const judged = (i: number, ...given: [caption: string, ...ratings: number[]][]) =>
  given.flatMap(([caption, ...ratings]) =>
    ratings.map((rating) => ({ image_id: `${i}`, image_path: `${i}.jpg`, caption, rating })),
  );

const cases: Record<string, Case> = {
  'Flickr8k-Expert, as published': {
    ...flickr,
    row: (i) => [flickrImage(i), `${flickrImage((i + 1) % 6)}#2`, 1, 1 + (i % 2), 4],
    more: (examples) => {
      assert.deepEqual(ratingsOf(examples.slice(0, 2)), [[[1, 1, 4]], [[1, 2, 4]]]);
      const [{ references, attributes }] = examples;
      assert.deepEqual(
        references,
        [0, 1, 2, 3, 4].map((n) => flickrCaption(0, n)),
      );
      assert.equal(attributes['own caption'], false);
    },
  },
  'Flickr8k-CF, as published': {
    ...flickr,
    row: (i) => [
      flickrImage(i),
      `${flickrImage((i + 1) % 6)}#2`,
      i % 2 ? 0.3333333333 : 1,
      i % 2 ? 1 : 3,
      i % 2 ? 2 : 0,
    ],
    more: (examples) => {
      assert.deepEqual(ratingsOf(examples.slice(0, 2)), [[[1]], [[0.3333333333]]]);
      assert.deepEqual(
        examples.slice(0, 2).map(({ attributes: { yes, no } }) => [yes, no]),
        [
          [3, 0],
          [1, 2],
        ],
      );
    },
  },
  "Flickr8k-Expert, as CLIPScore's script writes it": {
    format: 'preference',
    form: 'preference',
    file: 'object',
    row: (i) => ({
      image_id: `${i}`,
      image_path: `${i}.jpg`,
      ground_truth: [other(i), 'The cat.'],
      human_judgement: judged(i, [wrong(i), 1, 1, 2], [right(i), 4, 4, 3]),
    }),
    shape: candidates((i) => `${i}.jpg`, wrong, right),
    telling: ['human_judgement'],
    breaks: 'human_judgement',
    more: ([{ captions, preferred, references }]) => {
      assert.deepEqual(
        captions.map(({ ratings }) => ratings),
        [
          [1, 1, 2],
          [4, 4, 3],
        ],
      );
      assert.deepEqual([preferred, references], [1, [other(0), 'The cat.']]);
    },
  },
  'Composite, as published': {
    format: 'composite',
    form: 'preference',
    file: 'semicolons',
    row: (i) => ({
      HITId: `3A${i}`,
      Title: 'Rate the captions',
      Reward: '$0.05',
      WorkerId: 'A1',
      'Input.image': `http://x.org/flickr8k/${i}.jpg`,
      'Input.caption_human': right(i),
      'Input.caption_other': wrong(i),
      'Answer.human_correctness': 5,
      'Answer.other_correctness': 2,
    }),
    shape: candidates((i) => `http://x.org/flickr8k/${i}.jpg`, right, wrong),
    telling: ['Answer.other_correctness', 'Input.caption_other', 'Input.image'],
    breaks: 'Input.image',
    more: ([{ captions, preferred }]) => {
      assert.deepEqual([captions.map(({ ratings }) => ratings), preferred], [[[5], [2]], 0]);
    },
  },
  'Composite, in numbered columns': {
    format: 'preference',
    form: 'preference',
    file: 'list',
    row: (i) => ({
      image_path: `${i}.jpg`,
      candidate1: right(i),
      candidate2: wrong(i),
      rating1: '4.0',
      rating2: '2.0',
      ground_truth: [other(i)],
    }),
    shape: candidates((i) => `${i}.jpg`, right, wrong),
    telling: ['rating2', 'candidate2'],
    breaks: 'image_path',
    more: ([{ captions, preferred, references }]) => {
      assert.deepEqual(
        [captions.map(({ ratings }) => ratings), preferred, references],
        [[[4], [2]], 0, [other(0)]],
      );
    },
  },
  'Pascal-50S, converted': {
    format: 'preference',
    form: 'preference',
    file: 'list',
    row: (i) => ({
      image: `2008_00000${i}.jpg`,
      category: 'HC',
      b: right(i),
      c: wrong(i),
      winner: i % 2 ? 'c' : 'b',
      votes_b: i % 2 ? 10 : 30,
      votes_c: i % 2 ? 38 : 18,
      references: [other(i), 'A cat.'],
    }),
    shape: candidates((i) => `2008_00000${i}.jpg`, right, wrong),
    telling: ['winner', 'c'],
    breaks: 'b',
    more: (examples) => {
      assert.deepEqual(
        examples.slice(0, 2).map(({ preferred }) => preferred),
        [0, 1],
      );
      assert.deepEqual(ratingsOf(examples.slice(0, 1)), [[[30], [18]]]);
      assert.deepEqual(
        [examples[0].references, examples[0].attributes.category],
        [[other(0), 'A cat.'], 'HC'],
      );
    },
  },
  'Pascal-50S, triplets with a sign': {
    format: 'preference',
    form: 'preference',
    file: 'csv',
    row: (i) => ({ image: `${i}.jpg`, a: other(i), b: right(i), c: wrong(i), winner: i % 2 ? -1 : 1 }),
    shape: candidates((i) => `${i}.jpg`, right, wrong),
    telling: ['winner', 'b'],
    breaks: 'c',
    more: (examples) => {
      assert.deepEqual(
        examples.slice(0, 2).map(({ preferred, references }) => [preferred, references]),
        [
          [0, [other(0)]],
          [1, [other(1)]],
        ],
      );
    },
  },
  Polaris: {
    format: 'polaris',
    form: 'rating',
    file: 'lines',
    row: (i) => ({
      refs: [right(i), "It's a cat."],
      cand: wrong(i),
      img: `${i}.jpg`,
      human_score: 0.25 * (i % 4),
    }),
    shape: candidates((i) => `${i}.jpg`, wrong),
    telling: ['refs', 'human_score', 'cand'],
    breaks: 'human_score',
    more: (examples) => {
      assert.deepEqual(ratingsOf(examples.slice(0, 2)), [[[0]], [[0.25]]]);
      assert.deepEqual(examples[0].references, [right(0), "It's a cat."]);
    },
  },
  'Polaris, its CSV': {
    format: 'polaris',
    form: 'rating',
    file: 'csv',
    row: (i) => ({ imgid: `${i}.jpg`, mt: wrong(i), refs: python([right(i), 'A cat.']), score: 0.5 }),
    shape: candidates((i) => `${i}.jpg`, wrong),
    telling: ['refs', 'score', 'mt'],
    breaks: 'mt',
    more: (examples) => {
      assert.deepEqual(
        [ratingsOf(examples.slice(0, 1)), examples[0].references],
        [[[[0.5]]], [right(0), 'A cat.']],
      );
    },
  },
  Nebula: {
    format: 'polaris',
    form: 'rating',
    file: 'lines',
    row: (i) => ({ file_name: `${i}.jpg`, refs: [right(i)], mt: wrong(i), human_score: 1 }),
    shape: candidates((i) => `${i}.jpg`, wrong),
    telling: ['refs', 'human_score', 'mt'],
    breaks: 'mt',
    more: (examples) => {
      assert.deepEqual([ratingsOf(examples.slice(0, 1)), examples[0].references], [[[[1]]], [right(0)]]);
    },
  },
  CapArena: {
    format: 'caparena',
    form: 'preference',
    file: 'list',
    row: (i) => ({
      img: `test_${i}.jpg`,
      caption1: right(i),
      caption2: wrong(i),
      source1: 'GPT-4o-0806',
      source2: 'human',
      winner: ['GPT-4o-0806', 'human', 'equal'][i % 3],
      ref: other(i),
      cluster: 'level 1',
      'in-400': true,
    }),
    shape: candidates((i) => `test_${i}.jpg`, right, wrong),
    telling: ['winner', 'source1', 'caption2'],
    breaks: 'winner',
    more: (examples) => {
      assert.deepEqual(
        examples.slice(0, 3).map(({ preferred }) => preferred),
        [0, 1, null],
      );
      assert.deepEqual([examples[0].references, examples[0].attributes.cluster], [[other(0)], 'level 1']);
    },
  },
};

describe('ratings and preferences', () => {
  for (const [name, spec] of Object.entries(cases)) describePublished(name, spec);
});

describe("Flickr8k's own files", () => {
  const scratch = scratchFolder();
  const expert = `${flickrImage(0)}\t${flickrImage(1)}#2\t1\t1\t2\n${flickrImage(0)}\t${flickrImage(0)}#1\t4\t4\t4\n`;

  it('name the missing file, and are read once it exists', async () => {
    const path = scratch.write('ExpertAnnotations.txt', expert);
    await assert.rejects(openDataset(path), (error) => {
      assert.ok(error instanceof CaptiousError);
      assert.match(error.message, /Flickr8k\.token\.txt/);
      assert.match(error.remedy ?? '', /Copy Flickr8k\.token\.txt/);
      return true;
    });
    scratch.write('Flickr8k.token.txt', tokens);
    const { dataset, examples } = await readAll(path);
    assert.deepEqual(
      [english(dataset.title), examples.length],
      ['Flickr8k-Expert, ratings of three experts', 2],
    );
    assert.equal(dataset.beside, join(scratch.path, 'Flickr8k.token.txt'));
  });

  it('mark a caption of the image itself and remove it from the references', async () => {
    const [, { captions, attributes, references }] = (
      await readAll(scratch.write('ExpertAnnotations.txt', expert))
    ).examples;
    assert.deepEqual([captions[0].text, attributes['own caption']], [flickrCaption(0, 1), true]);
    assert.deepEqual(
      references,
      [0, 2, 3, 4].map((n) => flickrCaption(0, n)),
    );
  });

  it('name a missing caption and an invalid rating', async () => {
    const path = scratch.write(
      'ExpertAnnotations.txt',
      `${expert}${flickrImage(0)}\tother.jpg#0\t1\t1\t1\n${flickrImage(0)}\t${flickrImage(1)}#1\t1\t7\t1\n`,
    );
    const { examples, problems } = await readAll(path);
    assert.equal(examples.length, 2);
    assert.deepEqual(
      problems.map(({ place, severity }) => [place?.line, severity]),
      [
        [3, 'error'],
        [4, 'error'],
      ],
    );
  });
});

describe('Pascal-50S in MATLAB', function () {
  this.timeout(60_000);
  const scratch = scratchFolder();
  const python = join('.venv', process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  /** A Python script that writes files as published, with 48 judgments for each of three pairs. */
  const published = `
import numpy, scipy.io
def struct(rows, names):
    out = numpy.empty((1, len(rows)), dtype=[(name, object) for name in names])
    for i, row in enumerate(rows):
        for name, value in zip(names, row):
            out[0, i][name] = value
    return out
cell = lambda text: numpy.array([[text]], dtype=object)
pairs = [[f"2008_{i}.jpg", f"A cat {i}. ", f"A dog {i}."] for i in range(3)]
triplets = []
for i, won in enumerate([30, 24, 10]):
    for j in range(48):
        b, c = pairs[i][1:] if j % 2 else reversed(pairs[i][1:])
        sign = 1 if (j < won) == bool(j % 2) else -1
        triplets.append([cell(f"Reference {j}."), cell(b), cell(c), numpy.array([[sign]])])
scipy.io.savemat("pair_pascal.mat", {"new_input": struct(pairs, "abc"), "category": numpy.array([[1, 2, 4]])})
scipy.io.savemat("consensus_pascal.mat", {"triplets": struct(triplets, "abcd")})
`;

  it('is converted by the script in docs/formats.md', async function () {
    const run = (code: string) =>
      spawnSync(resolve(python), ['-c', code], { cwd: scratch.path, encoding: 'utf8' });
    if (run('import scipy.io').status !== 0) {
      console.log('    (left out: .venv has no Python with scipy)');
      this.skip();
    }
    const docs = readFileSync('docs/formats.md', 'utf8');
    const [, script] = /```python\n(.*?pair_pascal\.mat.*?)```/s.exec(docs) ?? [];
    assert.ok(script);
    for (const code of [published, script]) {
      const { status, stderr } = run(code);
      assert.equal(status, 0, stderr);
    }
    await assert.rejects(
      openDataset(join(scratch.path, 'pair_pascal.mat')),
      (error) => error instanceof CaptiousError && /docs\/formats\.md/.test(error.message),
    );
    const { dataset, examples } = await readAll(join(scratch.path, 'pascal50s.json'));
    assert.equal(dataset.form, 'preference');
    assert.deepEqual(
      examples.map(({ images, preferred, attributes }) => [images[0].name, preferred, attributes.category]),
      [
        ['2008_0.jpg', 0, 'HC'],
        ['2008_1.jpg', null, 'HI'],
        ['2008_2.jpg', 1, 'MM'],
      ],
    );
    assert.deepEqual(ratingsOf(examples), [
      [[30], [18]],
      [[24], [24]],
      [[10], [38]],
    ]);
    assert.deepEqual([examples[0].captions[0].text, examples[0].references?.length], ['A cat 0.', 48]);
  });
});

describe('a table of ratings', () => {
  const scratch = scratchFolder();

  it('has one candidate per row', async () => {
    const { dataset, examples } = await readAll(
      scratch.write('r.csv', 'image,caption,rating\na.jpg,A cat.,4\n'),
    );
    assert.deepEqual([dataset.form, examples[0].captions[0].ratings], ['rating', [4]]);
  });

  it('may have the ratings of several people, and names a list with other values', async () => {
    const rows = [
      { image: 'a.jpg', caption: 'A cat.', ratings: [4, 3, 3] },
      { image: 'b.jpg', caption: 'A dog.', ratings: [2, 'good', 1] },
      { image: 'c.jpg', caption: 'A cow.', ratings: [] },
      { image: 'd.jpg', caption: 'A bee.', ratings: 1 },
    ];
    const { dataset, examples, problems } = await readAll(scratch.write('r.json', JSON.stringify(rows)));
    assert.equal(dataset.form, 'rating');
    assert.deepEqual(ratingsOf(examples), [[[4, 3, 3]], [[1]]]);
    assert.deepEqual(
      problems.map(({ message }) => message),
      Array(2).fill(say('dataset.ratingNotNumeric', 'ratings')),
    );
  });

  it('asks a question under another name, and its remedies work', async () => {
    const path = scratch.write(
      'r.csv',
      'image,caption,verdict\na.jpg,A cat on a mat.,1\nb.jpg,A dog on a mat.,0\n',
    );
    await assert.rejects(openDataset(path), (error) => {
      assert.ok(error instanceof CaptiousError);
      return true;
    });
    const asked = (await openDataset(path).catch((error: unknown) => error)) as CaptiousError;
    const readings = await tryRemedies(path, asked);
    assert.ok(readings.length > 1);
    for (const { examples } of readings) assert.equal(examples.length, 2);
  });
});
