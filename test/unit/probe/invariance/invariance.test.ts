import { findSaid, type Said, say } from '../../../../src/base/say';
import assert from 'node:assert/strict';
import { english } from '../../../../src/base/english';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import { findInstances, outlinesOf, readInstances } from '../../../../src/dataset/instances';
import { invariance } from '../../../../src/probe/invariance/invariance';
import { binOf, overlapOf } from '../../../../src/probe/invariance/objects';
import { categoryOf, tiedLabels } from '../../../../src/probe/invariance/taxonomy';
import { categories, transformsOf } from '../../../../src/probe/invariance/row';
import { box, drive, example, instancesOf, madeUpScore } from './drive';
import { saying, sentence } from '../../../sentence';

const dog = { one: [box('dog', 40, 30, 14, 12)] };

describe('the plan of an invariance audit', () => {
  it('makes one caption for a single object and tries every transform on its image', () => {
    const { rows } = drive([example('one')], instancesOf(dog), { options: { societal: false } });
    assert.equal(rows.length, 1);
    const [row] = rows;
    assert.equal(row.text, 'There is a dog.');
    assert.equal(row.objects, 'single');
    assert.deepEqual(row.object?.category, 'animal');
    assert.deepEqual(row.object?.bin, '0-10');
    assert.deepEqual(
      row.variants.map(({ family, variant }) => `${family} ${variant}`.trim()),
      [
        ...[
          'vflip',
          'hflip',
          'rotation -10',
          'rotation -5',
          'rotation +5',
          'rotation +10',
          'blur 1',
          'blur 2',
        ],
        ...['reposition tl', 'reposition tr', 'reposition bl', 'reposition br'],
      ],
    );
    for (const variant of row.variants) {
      assert.equal(variant.delta, variant.score - variant.against);
      assert.equal(variant.against, row.score);
      assert.equal(variant.change, (100 * variant.delta) / Math.abs(variant.against));
      assert.equal(transformsOf(row, variant).length, 1);
      assert.equal(variant.seams !== undefined, variant.family === 'reposition');
    }
  });

  it('requests each pair once, and scores a row from its own pairs', () => {
    const { rows, wants } = drive([example('one')], instancesOf(dog));
    const keys = wants.map((want) => JSON.stringify(want));
    assert.equal(new Set(keys).size, keys.length);
    const [row] = rows;
    const image = { kind: 'image' as const, source: { name: 'photos/one.jpg', path: 'photos/one.jpg' } };
    for (const variant of row.variants) {
      const want = (text: string) => ({
        left: { ...image, transforms: transformsOf(row, variant) },
        right: { kind: 'text' as const, text },
      });
      assert.equal(variant.score, madeUpScore(want(variant.text ?? row.text)));
      assert.equal(
        variant.against,
        madeUpScore({ ...want(variant.againstText ?? row.text), left: { ...image, transforms: [] } }),
      );
    }
  });

  it('compares the words of an image with one neutral word, and names words that do not suit an object', () => {
    const { rows } = drive(
      [example('one'), example('two')],
      instancesOf({ ...dog, two: [box('person', 40, 30, 14, 30)] }),
    );
    const [animal, person] = rows;
    const words = (row: typeof animal) =>
      row.variants.filter(({ axis, family }) => axis === 'societal' && family !== 'neutral');
    assert.deepEqual(
      words(animal).map(({ variant }) => variant),
      ['male', 'female', 'happy', 'sad', 'angry'],
    );
    const texts = new Map(
      words(person).map(({ variant, text, againstText }) => [variant, [text, againstText]]),
    );
    // One neutral adjective per image, drawn from the adjectives that are closest in length to the words.
    assert.deepEqual(texts.get('African'), ['There is an African person.', 'There is an ordinary person.']);
    assert.deepEqual(texts.get('angry'), ['There is an angry person.', 'There is an ordinary person.']);
    assert.deepEqual(texts.get('boy'), ['There is a boy.', 'There is a kid.']);
    assert.ok(!texts.has('cheap'));
    const why = (row: typeof animal, what: string) => row.rejected.find((one) => one.what === what)?.reason;
    assert.match(english(why(animal, 'cultural African') ?? ''), /breed or a species/);
    assert.deepEqual(why(animal, 'gender boy'), say('perturb.nounForPerson'));
    assert.match(english(why(person, 'economic cheap') ?? ''), /no price/);
  });

  it('sorts images into slices and says why some have none', () => {
    const { rows, findings } = drive(
      ['crowd', 'none', 'small', 'overlap', 'pieces', 'several', 'many', 'unmapped', 'unknown', 'good'].map(
        (id) => example(id),
      ),
      instancesOf({
        crowd: [box('dog', 0, 0, 50, 50, { crowd: true })],
        none: [],
        small: [box('dog', 10, 10, 7, 7)],
        overlap: [box('dog', 10, 10, 40, 40), box('cat', 30, 10, 12, 16)],
        pieces: [
          box('dog', 10, 10, 40, 40, {
            outline: {
              polygons: [
                [10, 10, 30, 10, 30, 30],
                [40, 40, 50, 40, 50, 50],
              ],
            },
          }),
        ],
        several: [box('dog', 10, 10, 30, 30), box('cat', 60, 10, 20, 20), box('cup', 60, 60, 3, 3)],
        many: [0, 1, 2, 3, 4].map((i) => box('dog', i * 20, 10, 15, 15)),
        unmapped: [box('gazebo of dreams', 10, 10, 40, 40)],
        good: [box('dog', 10, 10, 30, 30), box('cup', 60, 60, 4, 4)],
      }),
    );
    const reasons = Object.fromEntries(
      rows.map((row) => [
        row.example,
        (row.rejected.find(({ what }) => what === 'the image')?.reason as Said | undefined)?.code ??
          row.objects,
      ]),
    );
    assert.deepEqual(reasons, {
      crowd: 'invariance.noOutlinedObject',
      none: 'invariance.noOutlinedObject',
      small: 'invariance.objectTooSmall',
      overlap: 'invariance.boxesOverlap',
      pieces: 'invariance.outlineInParts',
      several: 'multi',
      many: 'invariance.tooManyObjects',
      unmapped: 'invariance.objectWithoutCategory',
      unknown: 'invariance.objectsUnknown',
      good: 'single',
    });
    for (const row of rows) assert.equal(row.score === null, row.objects === 'none');
    assert.ok(
      findings().warnings.some(
        (localized) => findSaid(localized, 'invariance.objectCountSlices')?.values[0] === '1',
      ),
    );
  });

  it('skips a transform that would cut the object off; with fit, the whole image', () => {
    const instances = instancesOf({
      edge: [box('dog', 0, 30, 20, 20)],
      // Hand-drawn outlines end slightly before the image's edge.
      near: [box('dog', 2, 30, 20, 20)],
      corner: [box('dog', 3, 3, 20, 20)],
    });
    const examples = [example('edge'), example('near'), example('corner')];
    const spatial = (options: Record<string, string | boolean>) =>
      drive(examples, instances, { options: { societal: false, ...options } }).rows;
    const [edge, near, corner] = spatial({});
    for (const { rejected } of [edge, near])
      assert.ok(
        rejected.some(
          ({ what, reason }) =>
            what === 'reposition' && saying('invariance.objectAtImageEdge').test(english(reason)),
        ),
      );
    assert.ok(corner.rejected.some(({ what }) => what === 'rotation +10'));
    assert.ok(corner.variants.some(({ family }) => family === 'reposition'));
    for (const row of spatial({ fit: 'all' })) {
      assert.deepEqual(row.variants, []);
      const all = row.rejected.find(({ what }) => what === 'every transform');
      assert.deepEqual(all?.reason, say('invariance.fitExcludesAll'));
    }
  });

  it('scores the dataset’s own captions if no object is known, and says so', () => {
    const { rows, findings } = drive([example('one', ['A dog runs.', ' '])], undefined);
    const { metrics, warnings } = findings();
    assert.equal(rows.length, 1);
    assert.equal(rows[0].source, 'dataset');
    assert.ok(!rows[0].variants.some(({ family }) => family === 'reposition'));
    assert.ok(
      metrics.some(
        ({ id, slice, n }) => id === 'invariance.spatial.vflip.median' && slice === undefined && n === 1,
      ),
    );
    assert.ok(warnings.some((localized) => saying('invariance.instancesNotFound').test(english(localized))));
  });

  it('separates the dataset’s own captions if both are requested', () => {
    const { findings } = drive([example('one', ['A dog runs.', 'A dog.'])], instancesOf(dog), {
      options: { captions: 'both' },
    });
    const { metrics } = findings();
    const n = (captions?: string) =>
      metrics.find(
        ({ id, slice }) => id === 'invariance.spatial.vflip.median' && slice?.captions === captions,
      )?.n;
    assert.equal(n(), 1);
    assert.equal(n('dataset'), 2);
  });

  it('removes or swaps a word in captions written by people', () => {
    const { rows, findings } = drive(
      [example('one', ['An expensive car on a street.', 'A dog.'])],
      instancesOf(dog),
    );
    const natural = rows.filter(({ source }) => source === 'dataset');
    assert.equal(natural.length, 1);
    assert.deepEqual(
      natural[0].variants.map(({ natural: how, text, againstText }) => [how, text, againstText]),
      [
        ['neutralised', 'An expensive car on a street.', 'An ordinary car on a street.'],
        ['swapped', 'A cheap car on a street.', 'An expensive car on a street.'],
      ],
    );
    const found = findings().metrics.filter(({ slice }) => slice?.captions === 'natural');
    assert.ok(
      found.some(
        ({ id, slice }) =>
          id === 'invariance.societal.economic.expensive.median' && slice?.rewrite === 'swapped',
      ),
    );
  });

  it('says why it cannot score an example', () => {
    assert.match(
      drive([example('one')], instancesOf(dog), { scores: ['text-text'] }).refused.get('one') ?? '',
      saying('invariance.evaluatorLacksJointScores'),
    );
    assert.equal(
      drive([example('missing')], instancesOf(dog)).refused.get('missing'),
      sentence('probe.imageNotFound'),
    );
    assert.equal(
      drive([{ ...example('none'), images: [] }], instancesOf(dog)).refused.get('none'),
      sentence('probe.noImage'),
    );
    assert.match(
      drive([example('one')], undefined).refused.get('one') ?? '',
      saying('invariance.noCaptionForImage'),
    );
    assert.throws(
      () => drive([example('one')], instancesOf(dog), { options: { feather: -1 } }),
      CaptiousError,
    );
  });

  it('makes the same draws in any order of examples, and other draws for another seed', () => {
    const wide = [box('dog', 5, 5, 60, 45)];
    const instances = instancesOf({ a: wide, b: wide });
    const run = (ids: string[], seed = 42) =>
      drive(
        ids.map((id) => example(id)),
        instances,
        { seed },
      )
        .rows.sort((x, y) => (x.example < y.example ? -1 : 1))
        .map((row) => JSON.stringify(row));
    assert.deepEqual(run(['a', 'b']), run(['b', 'a']));
    assert.notDeepEqual(run(['a', 'b']), run(['a', 'b'], 43));
  });
});

describe('the metrics of an invariance audit', () => {
  const images = Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`p${i}`, [box('dog', 40, 30, 14, 12)]]),
  );
  const examples = Object.keys(images).map((id) => example(id));
  const metricsOf = (score: Parameters<typeof drive>[2]) =>
    drive(examples, instancesOf(images), { options: { societal: false }, ...score }).findings();

  it('are zero if no score changes', () => {
    const { metrics } = metricsOf({ score: () => 0.5 });
    const of = (id: string) => metrics.find((metric) => metric.id === id && metric.slice === undefined);
    assert.equal(of('invariance.spatial.vflip.median')?.value, 0);
    assert.equal(of('invariance.spatial.rrf@0.7')?.value, 0);
    assert.equal(of('invariance.spatial.vflip.p')?.value, null);
    assert.deepEqual(invariance.claims(metrics), []);
  });

  it('show an existing shift with its size and direction', () => {
    const { metrics } = metricsOf({
      score: (want) => {
        const flipped = want.left.kind === 'image' && want.left.transforms[0]?.op === 'vflip';
        return (
          (0.5 + 0.01 * madeUpScore({ ...want, left: { ...want.left, transforms: [] } as never })) *
          (flipped ? 1.1 : 1)
        );
      },
    });
    const vflip = metrics.find(({ id }) => id === 'invariance.spatial.vflip.median');
    assert.ok(Math.abs((vflip?.value ?? 0) - 10) < 1e-9);
    const hflip = metrics.find(({ id }) => id === 'invariance.spatial.hflip.absMedian');
    assert.equal(hflip?.value, 0);
  });

  it('exclude and count scores near zero, and warn if scores have both signs', () => {
    const { metrics, warnings } = metricsOf({
      score: (want) => {
        const plain = want.left.kind === 'image' && want.left.transforms.length === 0;
        if (plain && want.left.kind === 'image' && want.left.source.name === 'photos/p0.jpg') return 1e-7;
        return madeUpScore(want) - 0.5;
      },
    });
    const vflip = metrics.find(
      ({ id, slice }) => id === 'invariance.spatial.vflip.median' && slice === undefined,
    );
    assert.equal(vflip?.n, 11);
    assert.deepEqual(findSaid(vflip?.note, 'invariance.nearZeroLeftOut')?.values, ['1']);
    assert.ok(warnings.some((warning) => findSaid(warning, 'invariance.mixedSignsUseDelta')));
    assert.equal(vflip?.moot, true);
    assert.ok(findSaid(vflip?.note, 'invariance.mixedSigns'));
    const isMoot = (id: string) => metrics.find((metric) => metric.id === id)?.moot;
    assert.deepEqual(
      ['invariance.spatial.absMedian', 'invariance.spatial.vflip.delta', 'invariance.spatial.rrf@0.7'].map(
        isMoot,
      ),
      [true, undefined, undefined],
    );
  });

  it('give the flip risk by a gap, and say what the gap is with and without bounds', () => {
    const risk = (axis: string) => ({
      id: `invariance.${axis}.rrf@0.7`,
      value: 0.15,
      n: 90,
      ci: [0.1, 0.2] as const,
    });
    const verdicts = invariance.claims([risk('spatial'), risk('societal')]);
    const gap = { code: 'invariance.gapOfRange', values: [] };
    assert.deepEqual(
      verdicts.map(({ text }) => text),
      ['invariance.imagesSwapOrder', 'invariance.wordsSwapOrder'].map((code) => ({
        code,
        values: [{ code: 'invariance.percentInterval', values: ['10.0', '20.0'] }, gap],
      })),
    );
    const withoutBlur = { ...risk('spatial.withoutBlur'), ci: [0.3, 0.4] as const };
    const [apart] = invariance.claims([risk('spatial'), withoutBlur]);
    assert.deepEqual(
      findSaid(apart.text, 'invariance.percentInterval')?.values,
      ['30.0', '40.0'],
      'blur is a control',
    );
    for (const { rule } of [...verdicts, apart])
      assert.ok(findSaid(rule, 'invariance.swapInterval'), english(rule));
    const wide = { id: 'invariance.rangeGap.relative', value: 0.392, n: 90 };
    assert.deepEqual(
      findSaid(invariance.claims([risk('spatial'), wide])[0].text, 'invariance.gapInSpreads'),
      {
        code: 'invariance.gapInSpreads',
        values: ['0.39'],
      },
    );
  });

  it('give changes in percent, or as they are if percentages mean little', () => {
    const percent = { id: 'invariance.spatial.vflip.median', value: -12, n: 90, ci: [-343, -11.1] as const };
    const delta = {
      id: 'invariance.spatial.vflip.delta',
      value: -0.03,
      n: 90,
      ci: [-0.0521, -0.0119] as const,
    };
    const p = { id: 'invariance.spatial.vflip.p', value: 0.001, n: 90 };
    assert.deepEqual(
      findSaid(invariance.claims([percent, delta, p])[0].text, 'invariance.changeLowersScore')?.values[1],
      say('invariance.percentInterval', '11.1', '343.0'),
    );
    const [claim, ...more] = invariance.claims([{ ...percent, moot: true }, delta, p]);
    assert.deepEqual(more, []);
    const act = say('invariance.actFlippingVertically');
    assert.deepEqual(
      claim.text,
      say('invariance.changeLowersScore', act, say('invariance.interval', '0.012', '0.052')),
    );
    assert.deepEqual(findSaid(claim.rule, 'probe.ciBelow')?.values, [
      'invariance.spatial.vflip.delta',
      '[-0.0521, -0.0119]',
      say('human.zero'),
    ]);
  });

  it('compare gaps relative to the range of the score', () => {
    const value = (scale: Parameters<typeof drive>[2]) =>
      metricsOf(scale).metrics.find(({ id }) => id === 'invariance.spatial.rrf@0.7')?.value ?? NaN;
    const narrow = (want: Parameters<typeof madeUpScore>[0]) => 0.5 + 0.02 * madeUpScore(want);
    const cosine = value({ score: narrow });
    const sigmoid = value({ score: narrow, scale: { name: 'sigmoid', factor: 1, bias: 0 } });
    assert.ok(sigmoid > cosine && cosine > 0, `${sigmoid} and ${cosine}`);
    assert.equal(value({ score: narrow, scale: { name: 'clipped', weight: 2 } }), cosine);
  });

  it('list faults, worst first', () => {
    const { rows } = drive([examples[0]], instancesOf(images));
    const faults = invariance.faults(rows[0]);
    assert.ok(faults.length > 0);
    assert.ok(faults.every(({ size }, i) => i === 0 || size <= faults[i - 1].size));
  });
});

describe('objects', () => {
  it("are binned by their box's share of the image", () => {
    assert.deepEqual([0.01, 0.0999, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 1].map(binOf), [
      '0-10',
      '0-10',
      '10-20',
      '20-35',
      '35-50',
      '50-70',
      '70-90',
      '90-100',
      '90-100',
    ]);
    assert.equal(overlapOf([0, 0, 10, 10], [5, 0, 10, 10]), 50 / 150);
    assert.equal(overlapOf([0, 0, 10, 10], [10, 0, 10, 10]), 0);
  });

  it('get a category by majority of the vocabularies, with ties flagged', () => {
    const known = {
      bench: 'furniture',
      sink: 'indoor',
      'Cabinet/shelf': 'furniture',
      Woman: 'person',
      Zucchini: 'kitchen',
    };
    for (const [label, category] of Object.entries(known))
      assert.deepEqual(categoryOf(label), { category, tied: false }, label);
    assert.equal(categoryOf('gazebo of dreams'), undefined);
    assert.equal(categoryOf('potted plant')?.tied, true);
    assert.deepEqual(tiedLabels().find(({ label }) => label === 'scale')?.between, ['indoor', 'electronics']);
    for (const { between } of tiedLabels())
      for (const category of between) assert.ok(categories.includes(category));
  });
});

describe('an object file', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'captious-instances-'))));
  after(() => rmSync(folder, { recursive: true }));
  const write = (name: string, value: unknown): string => {
    writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
    return join(folder, name);
  };

  it('is found by the dataset’s name, and read with its outlines', () => {
    const images = [{ id: 1, file_name: 'val/a.jpg', width: 4, height: 3 }];
    const annotation = { image_id: 1, category_id: 7, bbox: [0, 0, 2, 2] };
    const path = write('instances_val2017.json', {
      images,
      annotations: [
        { ...annotation, area: 3, iscrowd: 1, segmentation: { size: [3, 4], counts: '02' } },
        annotation,
      ],
      categories: [{ id: 7, name: 'dog' }],
    });
    assert.equal(findInstances(join(folder, 'captions_val2017.json')), path);
    assert.equal(findInstances(join(folder, 'other.json')), undefined);
    const read = readInstances(path);
    assert.deepEqual(outlinesOf(read, 'a.jpg')?.instances, [
      {
        label: 'dog',
        box: [0, 0, 2, 2],
        area: 3,
        crowd: true,
        outline: { width: 4, height: 3, counts: '02' },
      },
      { label: 'dog', box: [0, 0, 2, 2], area: 4, crowd: false },
    ]);
  });

  it('gives no image the objects of one in another folder', () => {
    const names = ['dogs/1.jpg', 'cats/1.jpg', 'cats/2.jpg', '3.jpg'];
    const path = write('folders.json', {
      images: names.map((name, i) => ({ id: i, file_name: name, width: 4 + i, height: 3 })),
      ...{ annotations: [], categories: [] },
    });
    const read = readInstances(path);
    const widthOf = (name: string): number | undefined => outlinesOf(read, name)?.width;
    assert.deepEqual(
      ['dogs/1.jpg', 'cats/1.jpg', 'v/cats/1.jpg', '1.jpg', 'dogs/2.jpg', '2.jpg', 'v/3.jpg'].map(widthOf),
      [4, 5, 5, undefined, undefined, 6, 7],
    );
  });

  it('says what is wrong with it, and where', () => {
    const wrong = (value: unknown, expected: RegExp | Said): void => {
      const path = write('broken.json', value);
      assert.throws(
        () => readInstances(path),
        (error: unknown) => {
          assert.ok(error instanceof CaptiousError);
          assert.equal(error.at, path);
          if (expected instanceof RegExp) assert.match(error.message, expected);
          else assert.deepEqual(error.what, expected);
          return true;
        },
      );
    };
    wrong('{', saying('dataset.notInstancesFile'));
    wrong({ images: [], categories: [] }, /annotations/);
    wrong(
      { images: [], categories: [], annotations: [{ image_id: 1, category_id: 1, bbox: [1, 2, 3] }] },
      /annotations\[0\]\.bbox is not four numbers/,
    );
    wrong(
      { images: [], categories: [], annotations: [{ image_id: 1, category_id: 1, bbox: [1, 2, 3, 4] }] },
      say('dataset.annotationDangling', 0),
    );
    assert.throws(() => readInstances(join(folder, 'nowhere.json')), CaptiousError);
  });
});
