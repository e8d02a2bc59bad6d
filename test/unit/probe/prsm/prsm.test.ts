import { english } from '../../../../src/base/english';
import assert from 'node:assert/strict';
import { say, together } from '../../../../src/base/say';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import type { AttributeFile } from '../../../../src/probe/prsm/attributeFile';
import type { GalleryWatch } from '../../../../src/probe/probe';
import { readOptions } from '../../../../src/probe/prsm/options';
import type { Attribute, Example } from '../../../../src/dataset/example';
import { prsm } from '../../../../src/probe/prsm/prsm';
import type { QueryRow } from '../../../../src/probe/prsm/row';
import { attributeSynonyms } from '../../../../src/probe/prsm/synonyms';
import { attributed, paraphrased, prefixed, unattributedNote } from '../../../../src/probe/prsm/wordings';
import { Random } from '../../../../src/base/random';
import { readOracle, type StabilityExample, unpack } from '../../evaluator/ranking/oracle';
import { encoder, type EmbeddingOf, metricOf, runGalleryProbe } from '../galleryHarness';

function example(
  id: number,
  caption: string,
  paraphrases: string[],
  attributes: Record<string, Attribute> = {},
): Example {
  return {
    id: String(id),
    form: 'captions',
    row: id,
    images: [{ name: `photo ${id}` }],
    captions: [
      {
        text: caption,
        role: 'caption',
        image: 0,
        field: 'caption',
        variants: paraphrases.map((text) => ({ text, family: 'paraphrase' as const, kind: '' })),
      },
    ],
    attributes,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

describe('PRSM', function () {
  this.timeout(60_000);

  it('has each image once in its gallery, and each part of an image', async () => {
    const crop = { x: 0, y: 0, width: 9, height: 9 };
    const bytes = Uint8Array.of(1);
    const refs: [Example['images'][number], path?: string][] = [
      [{ name: 'a.jpg' }, '/a.jpg'],
      [{ name: './a.jpg' }, '/a.jpg'],
      [{ name: 'b.jpg', crop }, '/b.jpg'],
      [{ name: 'b.jpg', crop: { ...crop, x: 9 } }, '/b.jpg'],
      [{ name: 'c.jpg', bytes }],
      [{ name: 'c.jpg', bytes }],
      [{ name: 'c.jpg', bytes: Uint8Array.of(2) }],
    ];
    const examples = refs.map(([ref], at) => ({ ...example(at, `A dog ${at}.`, []), images: [ref] }));
    const [{ rows }] = await runGalleryProbe(
      prsm,
      examples,
      (item) => Float32Array.of(1, item.kind === 'text' ? item.text.length : item.source.name.length),
      {
        options: { sets: 'P2' },
        image: ({ id, images: [{ name, bytes: own, crop: part }] }) => {
          const path = refs[Number(id)][1];
          const source = path === undefined ? { name, bytes: own! } : { name, path };
          return { kind: 'image', source, transforms: part === undefined ? [] : [{ op: 'crop', ...part }] };
        },
      },
    );
    const [{ wordings }] = rows as QueryRow[];
    assert.deepEqual([...wordings[0].first].sort(), ['a.jpg', 'b.jpg', 'b.jpg', 'c.jpg', 'c.jpg']);
  });

  for (const name of ['random', 'ties'] as const) {
    it(`has the oracle's metrics, by comparison and group: ${name}`, async () => {
      const oracle = readOracle<Record<typeof name, StabilityExample>>('prsm/stability.json')[name];
      const [images, queries] = [unpack(oracle.images), unpack(oracle.queries)];
      const embeddingOf: EmbeddingOf = (item) => {
        const at = Number(/(\d+)$/.exec(item.kind === 'text' ? item.text : item.source.name)![1]);
        const { data, dimension } = item.kind === 'text' ? queries : images;
        return data.slice(at * dimension, (at + 1) * dimension);
      };
      const families = queries.count / 4;
      const examples = Array.from({ length: images.count }, (_, at) => {
        const words = [0, 1, 2].map((wording) => `wording ${4 * at + wording}`);
        const found = at < families ? example(at, words[0], words.slice(1)) : example(at, '', []);
        return { ...found, attributes: { gender: at % 2 === 0 ? 'female' : 'male' } };
      });
      const options = { sets: 'P1', k: `10,50,1000,${images.count}`, groups: 'gender' };
      const [{ findings, rows, markUsed }] = await runGalleryProbe(prsm, examples, embeddingOf, { options });
      assert.equal(markUsed.length, images.count);
      assert.equal(rows.length, families);
      const pairAt = new Map(oracle.pairs.map(([a, b], at) => [`${a} ${b}`, at]));
      const of = (
        families: readonly number[],
        wordings: readonly [number, number][],
        value: (pair: number) => number,
      ): number =>
        mean(
          families.map((f) =>
            mean(wordings.map(([a, b]) => value(pairAt.get(`${4 * f + a} ${4 * f + b}`)!))),
          ),
        );
      const all = [...Array(families).keys()];
      const whole: [number, number][] = [
        [0, 1],
        [0, 2],
        [1, 2],
      ];
      const cases: [object | undefined, number[], [number, number][]][] = [
        [undefined, all, whole],
        [{ set: 'P1', comparison: 'o-c1' }, all, [[0, 1]]],
        [{ set: 'P1', comparison: 'o-c2' }, all, [[0, 2]]],
        [{ set: 'P1', comparison: 'o-c1-c2' }, all, whole],
        [{ set: 'P1', comparison: 'o-c1', gender: 'female' }, all.filter((f) => f % 2 === 0), [[0, 1]]],
        [{ set: 'P1', comparison: 'o-c1-c2', gender: 'male' }, all.filter((f) => f % 2 === 1), whole],
      ];
      for (const [slice, families, wordings] of cases) {
        const valueOf = (id: string): number =>
          metricOf(findings, id, slice as Record<string, string> | undefined)!.value!;
        const near = (id: string, expected: number): void => {
          // Means may differ in the last digit, because this test adds the oracle's values in another order.
          assert.ok(Math.abs(valueOf(id) - expected) <= 1e-15, `${id} ${JSON.stringify(slice)}`);
        };
        near(
          'prsm.global',
          of(families, wordings, (pair) => oracle.rho[pair]),
        );
        near(
          'prsm.global.listwise',
          of(families, wordings, (pair) => oracle.listwise[pair]),
        );
        near(
          'prsm.local@10',
          of(families, wordings, (pair) => oracle.shared[pair][0] / 10),
        );
        near(
          'prsm.local@50',
          of(families, wordings, (pair) => oracle.shared[pair][1] / 50),
        );
        near('prsm.local@1000', 1);
      }
      const close = (found: number | null | undefined, expected: number, what: string): void =>
        assert.ok(typeof found === 'number' && Math.abs(found - expected) <= 1e-9, `${what}: ${found}`);
      for (const [s, expected] of oracle.corrected.entries()) {
        const id = `prsm.local@${oracle.sizes[s]}.corrected`;
        close(metricOf(findings, id)?.value, expected, id);
      }
      const between = { set: 'P1', gender: 'female − male' };
      for (const [measure, { value, low, high, p }] of Object.entries(oracle.between)) {
        const found = metricOf(findings, `prsm.between.${measure}`, between);
        close(found?.value, value, `${measure}, difference`);
        close(found?.ci?.[0], low, `${measure}, low`);
        close(found?.ci?.[1], high, `${measure}, high`);
        close(metricOf(findings, `prsm.between.${measure}.p`, between)?.value, p, `${measure}, p`);
      }
      const capped = metricOf(findings, 'prsm.local@1000')!;
      assert.deepEqual(
        [50, images.count, 1000].map((size) => metricOf(findings, `prsm.local@${size}`)!.moot),
        [undefined, true, true],
      );
      assert.match(
        english(capped.note!),
        /^There are only \d+ images, so the top list contains all of them\./,
      );
      const steady = (rows as QueryRow[]).map(({ local }) => local[10]);
      assert.deepEqual(
        steady,
        [...steady].sort((a, b) => a - b),
        'what moved most comes first',
      );
    });
  }

  it('reports metrics of the first queries during the run, and the same final metrics', async () => {
    const examples = Array.from({ length: 200 }, (_, at) => example(at, `query ${at}`, [`wording ${at}`]));
    const random = new Random(42, 'prsm preview');
    const known = new Map<string, Float32Array>();
    const embeddingOf: EmbeddingOf = (item) => {
      const key = item.kind === 'text' ? item.text : item.source.name;
      const row = known.get(key) ?? Float32Array.from({ length: 8 }, () => random.uniform() - 0.5);
      known.set(key, row);
      return row;
    };
    const options = { sets: 'P1' };
    const told: { examples: number; ids: string[] }[] = [];
    let expected = 0;
    const watch: GalleryWatch = {
      expect: (items) => (expected = items),
      wantsMetrics: () => true,
      tell: (_, count, metrics) => told.push({ examples: count, ids: metrics.map(({ id }) => id) }),
    };
    const [watched] = await runGalleryProbe(prsm, examples, embeddingOf, { options, watch });
    const [alone] = await runGalleryProbe(prsm, examples, embeddingOf, { options });
    assert.deepEqual(watched, alone);
    assert.deepEqual(
      told.map(({ examples: count }) => count),
      [20, 200],
    );
    assert.ok(told[0].ids.includes('prsm.global'));
    // The probe announces each image and each distinct text once.
    assert.equal(expected, known.size);
  });

  it('names the images that entered and left', async () => {
    const directions = new Map(
      Object.entries({
        'a red car': [1, 0.2],
        'a crimson car': [0.2, 1],
        'photo 0': [1, 0],
        'photo 1': [0, 1],
      }),
    );
    for (let at = 2; at < 24; at++) directions.set(`photo ${at}`, [Math.cos(at / 15), Math.sin(at / 15)]);
    const examples = [...Array(24).keys()].map((at) => example(at, 'a red car', ['a crimson car']));
    const embeddingOf: EmbeddingOf = (item) =>
      Float32Array.from(directions.get(item.kind === 'text' ? item.text : item.source.name)!);
    const [{ rows }] = await runGalleryProbe(prsm, examples, embeddingOf, {
      options: { sets: 'P1', k: '5' },
    });
    assert.equal(rows.length, 1, 'a caption that comes again is one query');
    const [row] = rows as QueryRow[];
    const { moved, wordings, pairs } = row;
    const [original, other] = wordings.map(({ first }) => first);
    assert.equal(original.length, 10);
    assert.deepEqual(moved, [
      {
        label: 'c1',
        against: 'o',
        entered: other.filter((image) => !original.includes(image)),
        left: original.filter((image) => !other.includes(image)),
      },
    ]);
    assert.ok(moved[0].entered.length > 0 && moved[0].entered.length === moved[0].left.length);
    assert.equal(prsm.faults(row).length, pairs[0].shared[5] <= 0.5 ? 1 : 0);
    assert.equal(prsm.shares(row).find(({ metric }) => metric === 'prsm.local@5')!.value, pairs[0].shared[5]);
  });

  it('leaves out an evaluator without image embeddings, and examples without an image', async () => {
    const examples = [example(0, 'a dog', [])];
    const one: EmbeddingOf = () => Float32Array.of(1, 2);
    const [textual] = await runGalleryProbe(prsm, examples, one, {
      evaluators: [encoder({ images: false })],
    });
    assert.deepEqual(textual.leftOut, [
      { reason: 'the evaluator does not embed both captions and images', example: '0' },
    ]);
    const [blind] = await runGalleryProbe(prsm, examples, one, { image: () => undefined });
    assert.deepEqual(blind.leftOut, [{ reason: 'its image was not found', example: '0' }]);
    const bare = examples.map((each) => ({ ...each, images: [] }));
    const [imageless] = await runGalleryProbe(prsm, bare, one, { image: () => undefined });
    assert.deepEqual(imageless.leftOut, [{ reason: 'it has no image', example: '0' }]);
    const [alone] = await runGalleryProbe(prsm, examples, one);
    assert.match(alone.findings.warnings.map(english).join(), /fewer than two images/);
  });

  it('says what is wrong with an option', async () => {
    const run = (options: Record<string, string>) =>
      runGalleryProbe(prsm, [example(0, 'a', [])], () => undefined, { options });
    await assert.rejects(run({ sets: 'P4' }), /no set of wordings "P4"/);
    await assert.rejects(run({ k: '0' }), /not a valid number of top results/);
    await assert.rejects(run({ synonyms: 'old' }), /not a pair of synonyms/);
    await assert.rejects(run({ groups: 'gender' }), /no column "gender"/);
  });
});

describe('wordings', () => {
  it('remove the prefix and add others', () => {
    assert.deepEqual(
      [...prefixed('A photo of a young female academic').wordings],
      [
        ['p1', 'An image of a young female academic'],
        ['p2', 'A picture of a young female academic'],
        ['p3', 'A photo of a young female academic'],
        ['np', 'A young female academic'],
      ],
    );
    assert.equal(prefixed('a dog').wordings.get('np'), 'a dog');
    assert.equal(prefixed('London at night.').wordings.get('p1'), 'An image of London at night.');
  });

  it('put a colon between a prefix and a sentence, and leave out captions that mention an image', () => {
    const { wordings, how } = prefixed('People are skiing down a hill.');
    assert.equal(how, 'colon');
    assert.deepEqual(
      [...wordings.values()],
      [
        'An image: people are skiing down a hill.',
        'A picture: people are skiing down a hill.',
        'A photo: people are skiing down a hill.',
        'People are skiing down a hill.',
      ],
    );
    for (const caption of ['A black and white photo of a dog.', 'A photo of a painting of a dog.'])
      assert.deepEqual([prefixed(caption).how, prefixed(caption).wordings.size], ['none', 0]);
    assert.equal(prefixed('A PHOTO OF TWO DOGS').wordings.get('p1'), 'AN IMAGE OF TWO DOGS');
  });

  it('count the captions that they leave out, and name the attributes without a synonym', () => {
    assert.deepEqual(unattributedNote([], 20), []);
    assert.deepEqual(unattributedNote([['pale'], ['pale', 'tan'], []], 20), [
      together(
        say('prsm.captionsWithoutSynonym', 3, 20),
        say('prsm.attributesWithoutSynonym', '"pale" (2), "tan" (1)'),
      ),
    ]);
    const many = Array.from({ length: 12 }, (_, i) => [`a${i}`]);
    assert.match(english(unattributedNote(many, 12)[0]), /"a0" \(1\), .*, …\.$/);
  });

  it('replace attributes of people by synonyms, and nothing else', () => {
    const made = (caption: string, named: string[] = []) => [
      ...attributed(caption, named, attributeSynonyms).values(),
    ];
    assert.deepEqual(made('A photo of an obese Middle Eastern woman'), [
      'A photo of a very overweight Middle Eastern woman',
      'A photo of an obese Near Eastern woman',
      'A photo of a very overweight Near Eastern woman',
    ]);
    assert.deepEqual(made('A young man'), ['A youthful man']);
    assert.deepEqual(made('A black dog and an old car'), []);
    assert.deepEqual(made('A young female academic', ['female', 'young']), [
      'A young feminine academic',
      'A youthful female academic',
      'A youthful feminine academic',
    ]);
    assert.deepEqual(made('A red hat', ['red']), []);
  });

  it('take attributes and synonyms from a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'captious-prsm-'));
    const path = join(folder, 'own.attributes.json');
    const read = (content: unknown) => {
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
      return prsm.prepare!({ datasetPath: '', options: { attributeFile: path } }) as AttributeFile;
    };
    try {
      const attributes = [
        { attribute: 'Old', synonym: 'aged' },
        { attribute: 'red', synonym: 'scarlet', of: 'anything' },
      ];
      const own = { sets: 'P3', k: '10', groups: '', attributes: '', synonyms: '' };
      const made = (caption: string, builtIn: boolean) => {
        const { synonyms, anywhere } = readOptions(own, read({ builtIn, attributes }));
        return [...attributed(caption, [], synonyms, anywhere).values()];
      };
      assert.deepEqual(made('An old man and a young man', true), [
        'An aged man and a young man',
        'An old man and a youthful man',
        'An aged man and a youthful man',
      ]);
      assert.deepEqual(made('An old man and a young man', false), ['An aged man and a young man']);
      assert.deepEqual(made('A red car and an old car', true), ['A scarlet car and an old car']);
      assert.equal(prsm.prepare!({ datasetPath: '', options: { attributeFile: '' } }), undefined);
      const invalid: [unknown, RegExp][] = [
        ['{', /file of attributes is invalid/],
        [{ attributes: [] }, /attributes is not a non-empty list/],
        [{ attributes, synonyms: {} }, /synonyms is not one of \$schema, builtIn, attributes/],
        [{ attributes: [{ attribute: 'old' }] }, /attributes\[0\]\.synonym is not a text/],
        [
          { attributes: [{ attribute: ' ', synonym: 'x' }] },
          /attributes\[0\]\.attribute is not a non-empty text/,
        ],
        [
          { attributes: [{ ...attributes[0], of: 'cars' }] },
          /attributes\[0\]\.of is not one of person, anything/,
        ],
        [{ attributes: [...attributes, attributes[0]] }, /attributes\[2\] repeats "old"/],
        [{ attributes: [{ attribute: 'old', synonym: 'OLD' }] }, /lists "old" as a synonym of itself/],
      ];
      for (const [content, why] of invalid)
        assert.throws(
          () => read(content),
          (error) => error instanceof CaptiousError && error.at === path && why.test(error.message),
          JSON.stringify(content),
        );
      for (const attributeFile of [join(folder, 'none.json'), folder])
        assert.throws(
          () => prsm.prepare!({ datasetPath: '', options: { attributeFile } }),
          (error) =>
            error instanceof CaptiousError &&
            error.at === attributeFile &&
            /^The file of attributes cannot be read: /.test(error.message),
        );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('use given paraphrases, and generate others by rule', () => {
    const random = () => new Random(1);
    const given = paraphrased('A dog runs.', ['A dog runs.', 'A hound is running.', 'One', 'Two'], random());
    assert.deepEqual([...given.wordings.values()], ['A hound is running.', 'One']);
    const made = paraphrased('A man is riding a horse on the beach.', [], random());
    assert.equal(made.made, true);
    assert.equal(made.wordings.size, 2);
    assert.deepEqual(made, paraphrased('A man is riding a horse on the beach.', [], random()));
    assert.equal(paraphrased('Un homme avec une femme dans la rue.', [], random()).wordings.size, 0);
  });
});
