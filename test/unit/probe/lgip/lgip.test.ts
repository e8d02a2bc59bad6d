import { english } from '../../../../src/base/english';
import assert from 'node:assert/strict';
import type { Want } from '../../../../src/protocol/item';
import type { LgipVariant } from '../../../../src/probe/lgip/row';
import type { Metric } from '../../../../src/probe/metric';
import { drive, example, type Driven } from './drive';

const captions = [
  'A red truck parked next to two dogs.',
  'a cat sitting on a couch',
  'Three people riding horses on a beach',
  'A man holding an umbrella in the rain.',
  'A kitchen with a stove and a sink',
];
const examples = Array.from({ length: 40 }, (_, i) => example(`e${i}`, captions));

const metricOf = ({ findings }: Driven, id: string, slice?: Metric['slice']): Metric => {
  const found = findings.metrics.filter(
    (metric) => metric.id === id && JSON.stringify(metric.slice) === JSON.stringify(slice),
  );
  assert.equal(found.length, 1, `${id} is there once`);
  return found[0];
};
const average = (values: readonly number[]) =>
  values.reduce((total, value) => total + value, 0) / values.length;

/** Computes the paper's metrics from the rows: the mean over each pair's variants, averaged over pairs. */
function byPair(
  run: Driven,
  of: (variant: LgipVariant) => boolean,
  value: (variant: LgipVariant) => number,
): number {
  const pairs = run.rows.flatMap(({ variants }) => {
    const own = variants.filter(of);
    return own.length === 0 ? [] : [average(own.map(value))];
  });
  return average(pairs);
}

const near = (actual: number | null, expected: number) =>
  assert.ok(actual !== null && Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);

describe('LGIP', () => {
  const run = drive(examples);

  it("computes the paper's equations, checked from its own rows", () => {
    const paraphrase = (v: LgipVariant) => v.family === 'paraphrase';
    const error = (v: LgipVariant) => Math.abs(v.delta);
    const isFlip = (v: LgipVariant) => v.family === 'flip';
    const isCombined = (v: LgipVariant) => v.family === 'combined';
    const won = (gap: number | undefined) => (gap! > 0 ? 1 : 0);
    const simple = byPair(run, (v) => paraphrase(v) && v.kind === 'template', error);
    const advanced = byPair(run, (v) => paraphrase(v) && v.kind !== 'template', error);
    near(metricOf(run, 'lgip.inv').value, byPair(run, paraphrase, error));
    near(metricOf(run, 'lgip.inv.simple').value, simple);
    near(metricOf(run, 'lgip.inv.advanced').value, advanced);
    near(metricOf(run, 'lgip.inv.advancedIncrease').value, (advanced - simple) / simple);
    near(
      metricOf(run, 'lgip.sens').value,
      byPair(run, isFlip, (v) => v.gap!),
    );
    near(
      metricOf(run, 'lgip.pr').value,
      byPair(run, isFlip, (v) => won(v.gap)),
    );
    for (const type of ['object', 'color', 'number']) {
      const ofType = (v: LgipVariant) => isFlip(v) && v.kind === type;
      near(
        metricOf(run, `lgip.sens.${type}`).value,
        byPair(run, ofType, (v) => v.gap!),
      );
      near(
        metricOf(run, `lgip.pr.${type}`).value,
        byPair(run, ofType, (v) => won(v.gap)),
      );
    }
    near(
      metricOf(run, 'lgip.sens.combined').value,
      byPair(run, isCombined, (v) => v.gap!),
    );
    near(
      metricOf(run, 'lgip.pr.combined').value,
      byPair(run, isCombined, (v) => won(v.gap)),
    );
    near(
      metricOf(run, 'lgip.sens.combined.vsParaphrase').value,
      byPair(run, isCombined, (v) => v.gapToParaphrase!),
    );
    near(
      metricOf(run, 'lgip.pr.combined.vsParaphrase').value,
      byPair(run, isCombined, (v) => won(v.gapToParaphrase)),
    );
    const flips = run.rows.flatMap(({ variants }) => variants.filter(isFlip));
    near(metricOf(run, 'lgip.sens.pooled').value, average(flips.map((v) => v.gap!)));
    near(metricOf(run, 'lgip.pr.pooled').value, average(flips.map((v) => won(v.gap))));
  });

  it('divides paraphrases by the paper’s markers only with its literal rules', () => {
    // Templates with a marker change the score by 2, those without a marker by 3, and other rules by 1.
    const sizeOf = (text: string): number => {
      if (/ in the scene$|^a scene showing /i.test(text)) return 3;
      return /^(an? (photo|image|picture) of|in this image,|in the picture,|this image shows) /i.test(text)
        ? 2
        : 1;
    };
    const score = ({ left, right }: Want) =>
      left.kind !== 'image' || right.kind !== 'text' || captions.includes(right.text)
        ? 0
        : sizeOf(right.text);
    const check = (isSimple: (paraphrase: LgipVariant) => boolean, asInPaper: boolean) => {
      const options = { asInPaper, mostParaphrases: 99, mostFlips: 0, mostCombined: 0 };
      const own = drive(examples.slice(0, 20), { options, score });
      const sizes = new Set(own.rows.flatMap(({ variants }) => variants.map(({ delta }) => delta)));
      assert.deepEqual([...sizes].sort(), [1, 2, 3]);
      const meanOf = (simple: boolean) =>
        byPair(
          own,
          (paraphrase) => isSimple(paraphrase) === simple,
          ({ delta }) => delta,
        );
      const [simple, advanced] = [meanOf(true), meanOf(false)];
      near(metricOf(own, 'lgip.inv.simple').value, simple);
      near(metricOf(own, 'lgip.inv.advanced').value, advanced);
      near(metricOf(own, 'lgip.inv.advancedIncrease').value, (advanced - simple) / simple);
    };
    check(({ text }) => sizeOf(text) === 2, true);
    check(({ kind }) => kind === 'template', false);
  });

  it('compares a flipped paraphrase with the caption and with the paraphrase', () => {
    let seen = 0;
    for (const { score, variants } of run.rows) {
      for (const variant of variants) {
        if (variant.of === undefined) continue;
        seen++;
        assert.equal(variant.gap, score! - variant.score);
        assert.equal(variant.gapToParaphrase, variants[variant.of].score - variant.score);
      }
    }
    assert.ok(seen > 100);
  });

  it('has an interval for every main metric, and requests one score per original and variant', () => {
    for (const id of [
      'lgip.inv',
      'lgip.sens',
      'lgip.pr',
      'lgip.inv.advancedIncrease',
      'lgip.pr.weighted',
      'lgip.sens.weighted',
    ]) {
      const { ci, value } = metricOf(run, id);
      assert.ok(ci !== undefined && ci[0] < value! && value! < ci[1], id);
    }
  });

  it('resamples images, not captions', () => {
    const same = (): number => 0.5;
    const byImage = (want: Want): number => {
      if (want.left.kind !== 'image' || want.right.kind !== 'text') return 0;
      return Number(/\d+/.exec(want.left.source.name)) * (captions.includes(want.right.text) ? 0 : 0.01);
    };
    assert.match(english(metricOf(drive(examples, { score: same }), 'lgip.inv').note!), /No interval/);
    const few = metricOf(drive(examples.slice(0, 20), { score: byImage }), 'lgip.inv').ci!;
    const many = metricOf(
      drive(
        Array.from({ length: 100 }, (_, i) => example(`e${i % 20}-${i}`, [captions[i % 5]])),
        { score: byImage },
      ),
      'lgip.inv',
    ).ci!;
    // An image's captions have similar scores, so the number of images decides: the interval of 20 images is about
    // √5 times as wide as that of 100.
    assert.ok(few[1] - few[0] > 1.8 * (many[1] - many[0]), `${few} against ${many}`);
  });

  it('counts ties, which are no detected flips', () => {
    const tied = drive(examples, { score: () => 0.25 });
    for (const id of ['lgip.pr', 'lgip.pr.object', 'lgip.pr.combined', 'lgip.pr.weighted', 'lgip.pr.weak']) {
      const { value, ties } = metricOf(tied, id);
      assert.equal(value, 0, id);
      assert.ok(ties! > 0, id);
    }
  });

  it('works on scores below zero and above one', () => {
    const shifted = drive(examples, {
      score: (want) =>
        want.left.kind === 'image'
          ? -7 + 3 * Number(want.right.kind === 'text' && want.right.text.length % 3)
          : 0.5,
    });
    assert.ok(metricOf(shifted, 'lgip.inv').value! >= 0);
  });

  it('says so without a text space, and uses the prior as strength', () => {
    const without = drive(examples, { scores: ['image-text'] });
    for (const id of ['lgip.pr.weak', 'lgip.pr.strong', 'lgip.sens.weighted'])
      assert.match(english(metricOf(without, id).note!), /does not embed texts/);
    assert.ok(without.rows.every(({ variants }) => variants.every(({ distance }) => distance === undefined)));
    assert.equal(metricOf(run, 'lgip.pr.weak').note, undefined);
    assert.deepEqual(metricOf(without, 'lgip.pr'), metricOf(run, 'lgip.pr'));
  });

  it('rejects text encoders and missing images', () => {
    const text = drive(examples.slice(0, 1), { scores: ['text-text'] });
    assert.match(text.refused.get('e0')!, /cannot score an image with a caption/);
    assert.equal(text.findings.metrics.find(({ id }) => id === 'lgip.inv')!.value, null);
    assert.match(
      drive(examples.slice(0, 1), { missing: () => true }).refused.get('e0')!,
      /image was not found/,
    );
    const bare = drive([example('e0', ['A dog'], { images: [] })], { missing: () => true });
    assert.equal(bare.refused.get('e0'), 'it has no image');
    const negative = example('n', ['A dog']);
    negative.captions[0].role = 'negative';
    assert.match(drive([negative]).refused.get('n')!, /no caption for its image/);
    assert.match(drive([example('b', [' ', '\t'])]).refused.get('b')!, /blank/);
  });

  it('scores a caption that is too long to be parsed, without variants, and counts it', () => {
    const { rows, findings } = drive([example('long', ['A dog', `A dog${'!'.repeat(300)}`])]);
    assert.deepEqual(
      rows.map(({ outcome, variants }) => [outcome, variants.length === 0]),
      [
        ['perturbed', false],
        ['too-long', true],
      ],
    );
    assert.notEqual(rows[1].score, null);
    assert.match(findings.warnings.map(english).join('\n'), /with a word of more than 256: 1 of 2\./);
  });

  it('records and counts the outcome of every unusual caption', () => {
    const odd = [
      '   ',
      '🐶🐶',
      'Un homme est assis sur un banc avec un chien',
      Array.from({ length: 500 }, () => 'dog').join(' '),
      'A hill under clouds',
      ' two dogs ',
    ];
    const one = drive([example('odd', odd)], { options: { asInPaper: true } });
    assert.deepEqual(
      one.rows.map(({ outcome }) => outcome),
      ['blank', 'no-word', 'other-language', 'perturbed', 'perturbed', 'perturbed'],
    );
    assert.equal(one.rows[0].score, null);
    assert.notEqual(one.rows[1].score, null);
    assert.equal(one.rows[5].text, 'two dogs');
    assert.equal(one.findings.warnings.filter((warning) => english(warning).includes(': 1 of 6.')).length, 4);
    assert.equal(metricOf(one, 'lgip.coverage.flip').value, 2 / 5);
    // Natural flips need words around the flipped word.
    assert.equal(metricOf(drive([example('odd', odd)]), 'lgip.coverage.flip').value, 1 / 5);
    assert.match(one.findings.warnings.map(english).join(), /follow the literal rules of the paper/);
    const none = drive([example('a', ['A dog'])], {
      options: { mostParaphrases: 0, mostFlips: 0, mostCombined: 0 },
    });
    assert.equal(none.rows[0].outcome, 'no-variant');
    assert.match(
      english(none.findings.warnings[0]),
      /^Captions for which the rules and options give no variant: 1 of 1\.$/,
    );
  });

  it('names the rules that generated the variants', () => {
    const rulesOf = (asInPaper: boolean, language?: string) =>
      drive([example('a', ['Ein roter Bus'])], {
        options: { asInPaper },
        ...(language === undefined ? {} : { language }),
      })
        .findings.warnings.map(english)
        .filter((warning) => /asInPaper|^Generated/.test(warning))
        .join(' ');
    assert.match(rulesOf(true, 'English'), /^Generated .* literal rules of the paper/);
    assert.match(rulesOf(false, 'English'), /^Generated .* set lgip\.asInPaper=true\.$/);
    // The paper has rules for English only, so the option changes nothing.
    assert.match(rulesOf(false, 'German'), /^Generated .*rules for English only\.$/);
    assert.match(rulesOf(true, 'German'), /rules for English only\. .*asInPaper has no effect/);
  });

  it('excludes flips beyond the paper from the paper’s metrics', () => {
    const beyond = drive(examples, {
      options: { beyondVocabulary: true, beyondNegation: true, beyondRelation: true, beyondMulti: true },
    });
    const own = beyond.findings.metrics.filter(({ id }) => id.startsWith('lgip.beyond.'));
    assert.ok(own.length >= 10);
    assert.deepEqual(
      beyond.findings.metrics.filter(({ id }) => !id.startsWith('lgip.beyond.')),
      run.findings.metrics,
    );
  });

  it('does not depend on the order or company of examples', () => {
    const back = drive([...examples].reverse());
    const rowsOf = ({ rows }: Driven, id: string) => rows.filter((row) => row.example === id);
    assert.deepEqual(rowsOf(back, 'e7'), rowsOf(run, 'e7'));
    assert.deepEqual(drive([examples[7]]).rows, rowsOf(run, 'e7'));
    for (const metric of run.findings.metrics)
      near(metricOf(back, metric.id, metric.slice).value, metric.value!);
  });

  it('rejects an option that is not a count', () => {
    assert.throws(() => drive(examples, { options: { mostFlips: 1.5 } }), /lgip.mostFlips/);
    assert.throws(() => drive(examples, { options: { alpha: 2 } }), /lgip.alpha/);
  });

  it("keeps each caption's image if an example has two", () => {
    const two = example('two', ['A dog', 'A cat'], {
      images: [{ name: 'left.jpg' }, { name: 'right.jpg' }],
      form: 'crossed',
    });
    two.captions[1].image = 1;
    const { rows } = drive([two], {
      score: (want) => (want.left.kind === 'image' && want.left.source.name === 'right.jpg' ? 1 : 0),
    });
    assert.deepEqual(
      rows.map(({ image, score }) => [image, score]),
      [
        ['left.jpg', 0],
        ['right.jpg', 1],
      ],
    );
  });
});
