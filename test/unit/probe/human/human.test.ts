import { findSaid, inARow, type Said, say, together } from '../../../../src/base/say';
import assert from 'node:assert/strict';
import { atOnce } from '../../../../src/base/turns/steps';
import { english } from '../../../../src/base/english';
import type { Bench } from '../../../../src/bench/bench';
import type { Caption, Example } from '../../../../src/dataset/example';
import type { Evaluator } from '../../../../src/evaluator/evaluator';
import { human } from '../../../../src/probe/human/human';
import type { HumanRow } from '../../../../src/probe/human/row';
import { humanRows } from '../../../../src/probe/human/view';
import { strengths } from '../../../../src/probe/human/systems';
import { resolveOptions } from '../../../../src/probe/list';
import type { Metric } from '../../../../src/probe/metric';
import type { Findings } from '../../../../src/probe/probe';
import type { TextItem, Want } from '../../../../src/protocol/item';
import { association, type Measure } from '../../../../src/stats/agreement/association';
import { Random } from '../../../../src/base/random';
import { Draws } from '../../../../src/stats/draws';
import { normalQuantile } from '../../../../src/stats/normal';
import { isDefined } from '../../../../src/stats/outcome';
import { encoder } from '../galleryHarness';
import { sentence } from '../../../sentence';

interface Run {
  findings: Findings;
  rows: HumanRow[];
  leftOut: string[];
  wants: Want[];
  used: string[];
}

/** Runs the probe. `scoreOf` scores each pair. */
async function run(
  examples: readonly Example[],
  scoreOf: (text: string, want: Want) => number | undefined,
  {
    options = {},
    comparesReferences = false,
  }: { options?: Record<string, string>; comparesReferences?: boolean } = {},
): Promise<Run> {
  const table = { path: '', sha256: '', of: () => [], all: [] };
  const evaluator: Evaluator = { ...encoder(), ...(comparesReferences ? { references: table } : {}) };
  const out: Omit<Run, 'findings'> = { rows: [], leftOut: [], wants: [], used: [] };
  const bench: Bench = {
    scores: (_, wants) => {
      out.wants.push(...wants);
      return Promise.resolve(
        wants.map((want) => {
          const value = scoreOf((want.right as TextItem).text, want);
          return value === undefined ? { ok: false, problem: 'no score' } : { ok: true, value };
        }),
      );
    },
    embeddings: () => Promise.reject(new Error('No embedding is needed.')),
    cutTexts: () => 0,
    forgetCuts: () => undefined,
    takeNewCuts: () => '',
    recallCuts: () => undefined,
    close: () => Promise.resolve(),
  };
  const findings = await human.run({
    dataset: 'ratings',
    seed: 42,
    options: resolveOptions(human, options),
    evaluators: [evaluator],
    voters: () => Promise.resolve([]),
    bench,
    examples: async function* () {
      yield* examples;
    },
    image: ({ images }, index) => ({
      kind: 'image',
      source: { name: images[index].name, path: images[index].name },
      transforms: [],
    }),
    writeRow: (_, row) => {
      out.rows.push(row as HumanRow);
      return Promise.resolve();
    },
    markUsed: (_, { id }) => out.used.push(id),
    leaveOut: (_, reason) => out.leftOut.push(english(reason)),
    signal: new AbortController().signal,
  });
  return { ...out, findings: findings.get(evaluator)! };
}

function caption(text: string, more: Partial<Caption> = {}): Caption {
  return { text, role: 'candidate', image: 0, field: 'caption', ...more };
}

function example(
  row: number,
  form: Example['form'],
  captions: Caption[],
  more: Partial<Example> = {},
): Example {
  return { id: `e${row}`, form, row, images: [{ name: `${row}.jpg` }], captions, attributes: {}, ...more };
}

function metric({ findings }: Run, id: string, slice?: Record<string, string | number>): Metric {
  const found = findings.metrics.find(
    (one) => one.id === id && JSON.stringify(one.slice) === JSON.stringify(slice),
  );
  assert.ok(
    found,
    `no ${id} ${JSON.stringify(slice)} in ${findings.metrics.map((one) => one.id).join(', ')}`,
  );
  return found;
}

function expected(measure: Measure, a: number[], b: number[]): number {
  const found = association(measure, a, b);
  assert.ok(isDefined(found));
  return found.value;
}

/** Numbers in no obvious order, which repeat after `of` numbers. */
const noise = (i: number, of: number): number => (i * 7919 + 13) % of;

describe('human: excluded examples', () => {
  it('count once, and judgments of used examples are counted apart', async () => {
    const both = (row: number): Example =>
      example(row, 'rating', [
        caption(`first ${row}`, { ratings: [1, 2] }),
        caption(`second ${row}`, { ratings: [3, 4] }),
      ]);
    const done = await run([both(0), both(1), both(2)], (text) => {
      if (text === 'first 0' || text.endsWith('1')) return undefined;
      return text.length;
    });
    assert.deepEqual(done.used, ['e0', 'e2']);
    assert.deepEqual(done.leftOut, [sentence('audit.notScored', 'no score')]);
    assert.deepEqual(done.findings.warnings, [say('human.partlyScored', 1)]);
  });
});

describe('human: ratings', () => {
  const rated = Array.from({ length: 60 }, (_, i) =>
    example(
      i,
      'rating',
      [caption(`caption ${i}`, { ratings: [1 + noise(i, 4), 1 + noise(i + 1, 4), 1 + (i % 3)] })],
      {
        images: [{ name: `${Math.floor(i / 3)}.jpg` }],
        attributes: { system: ['A', 'B', 'C'][i % 3] },
      },
    ),
  );
  const scores = rated.map(
    ({ captions: [{ ratings = [] }] }, i) => ratings[0] + ratings[1] + noise(i, 5) / 3,
  );
  const means = rated.map(({ captions: [{ ratings = [] }] }) => (ratings[0] + ratings[1] + ratings[2]) / 3);
  const byText = new Map(rated.map(({ captions }, i) => [captions[0].text, scores[i]]));
  let done: Run;

  before(async () => {
    done = await run(rated, (text) => byText.get(text));
  });

  it('correlates scores with mean ratings, in four measures with intervals', () => {
    for (const measure of ['tauB', 'tauC', 'spearman', 'pearson'] as const) {
      const { value, n, ci } = metric(done, `human.${measure}`);
      assert.ok(Math.abs(value! - expected(measure, means, scores)) < 1e-12);
      assert.equal(n, 60);
      assert.ok(ci![0] < value! && value! < ci![1]);
    }
  });

  it("counts each person's rating as a separate item under .each", () => {
    const each = rated.flatMap(({ captions: [{ ratings = [] }] }, i) =>
      ratings.map((one) => [one, scores[i]]),
    );
    const { value, n } = metric(done, 'human.tauC.each');
    assert.equal(n, 180);
    const want = expected(
      'tauC',
      each.map(([one]) => one),
      each.map(([, score]) => score),
    );
    assert.ok(Math.abs(value! - want) < 1e-12);
  });

  it('reports one person against the others as the ceiling', () => {
    const want =
      [0, 1, 2]
        .map((person) =>
          expected(
            'tauB',
            rated.map(({ captions: [{ ratings = [] }] }) => ratings[person]),
            rated.map(({ captions: [{ ratings = [] }] }) => {
              const others = ratings.filter((_, i) => i !== person);
              return (others[0] + others[1]) / 2;
            }),
          ),
        )
        .reduce((sum, one) => sum + one) / 3;
    assert.ok(Math.abs(metric(done, 'human.ceiling.tauB').value! - want) < 1e-12);
  });

  it('slices by system and by third of the ratings, and ranks the systems', () => {
    assert.equal(metric(done, 'human.tauB', { system: 'B' }).n, 20);
    const bands = (['low', 'middle', 'high'] as const).map(
      (ratings) => metric(done, 'human.tauB', { ratings }).n,
    );
    assert.equal(
      bands.reduce((sum, n) => sum + n),
      60,
    );
    assert.equal(metric(done, 'human.system.spearman').n, 3);
  });

  it('has intervals of correlations over systems from 12 systems with 50 captions each', async () => {
    const rated = (systems: number, images: number): Example[] =>
      Array.from({ length: systems * images }, (_, i) => {
        const system = i % systems;
        return example(i, 'rating', [caption(`${i} ${system}`, { ratings: [system + noise(i, 5)] })], {
          images: [{ name: `${Math.floor(i / systems)}.jpg` }],
          attributes: { system: `s${system}` },
        });
      });
    const score = (text: string): number => {
      const [i, system] = text.split(' ').map(Number);
      return system + 3 * Math.sin(5 * system) + ((3 * i) % 11) / 10;
    };
    const whole = await run(rated(12, 50), score);
    for (const measure of ['tauB', 'spearman', 'pearson']) {
      const { value, ci, n } = metric(whole, `human.system.${measure}`);
      assert.ok(ci !== undefined && value !== null && ci[0] < value && value < ci[1] && n === 12, measure);
    }
    const noteOf = async (systems: number, images: number, by = score) => {
      const { ci, note } = metric(await run(rated(systems, images), by), 'human.system.spearman');
      assert.equal(ci, undefined);
      return note;
    };
    assert.deepEqual(await noteOf(11, 50), say('probe.noInterval', say('human.tooFewSystems', 11, 12)));
    assert.deepEqual(
      await noteOf(12, 49),
      say('probe.noInterval', say('human.tooFewSystemCaptions', 49, 50)),
    );
    const perfect = (text: string): number => Number(text.split(' ')[1]);
    assert.deepEqual(await noteOf(12, 50, perfect), say('probe.noInterval', say('stats.agreementPerfect')));
  });

  it('compares the captions of one image pair by pair', () => {
    const { value, n } = metric(done, 'human.pairwise');
    assert.equal(n, 60);
    let right = 0;
    for (let image = 0; image < 20; image++)
      for (const [i, j] of [
        [0, 1],
        [0, 2],
        [1, 2],
      ].map((pair) => pair.map((at) => 3 * image + at)))
        if (Math.sign(scores[i] - scores[j]) === Math.sign(means[i] - means[j])) right++;
    assert.ok(Math.abs(value! - right / 60) < 1e-12);
    assert.ok(metric(done, 'human.pairwise.calibrated').value! >= value!);
  });

  it('adjusts the correlation for length, and says how much more the evaluator prefers long captions', async () => {
    const textOf = (i: number): string => `caption ${i}${' more'.repeat(noise(i, 11))}`;
    const all = Array.from({ length: 60 }, (_, i) =>
      example(i, 'rating', [caption(textOf(i), { ratings: [1 + noise(i, 4)] })]),
    );
    const done = await run(all, (text) => text.length + noise(Number(/\d+/.exec(text)![0]), 7));
    const people = all.map(({ captions: [{ ratings = [] }] }) => ratings[0]);
    const texts = all.map(({ captions: [{ text }] }) => text);
    const words = texts.map((text) => text.split(' ').length);
    const own = texts.map((text, i) => text.length + noise(i, 7));
    const [xy, xz, yz] = [
      expected('tauB', people, own),
      expected('tauB', people, words),
      expected('tauB', own, words),
    ];
    const partial = (xy - xz * yz) / Math.sqrt((1 - xz ** 2) * (1 - yz ** 2));
    const of = (id: string): number => metric(done, id).value!;
    assert.ok(Math.abs(of('human.tauB.length') - partial) < 1e-12);
    for (const [id, value] of Object.entries({ scores: yz, people: xz, overPeople: yz - xz }))
      assert.ok(Math.abs(of(`human.length.${id}`) - value) < 1e-12, id);
    assert.ok(yz > 0.8 && metric(done, 'human.length.overPeople').ci![0] > 0);
    assert.ok(of('human.length.overPeople.p') < 0.01);
  });

  it('sorts the largest disagreement first', () => {
    const [first] = [...done.rows].sort((a, b) => human.rows.facts(b)[0].harm - human.rows.facts(a)[0].harm);
    const most = Math.max(...done.rows.map(({ ranks }) => Math.abs(ranks!.evaluator - ranks!.people)));
    assert.equal(Math.abs(first.ranks!.evaluator - first.ranks!.people), most);
    for (const row of done.rows) assert.ok(human.rows.row.fits(row), english(human.rows.row.fault(row)));
  });

  it('tests two evaluators on the same captions', async () => {
    const other = await run(rated, (text) => noise(Number(text.slice(8)), 11));
    const tests = atOnce(human.pairedTests!(done.rows, other.rows));
    assert.deepEqual(
      tests.map((test) => test.metric),
      ['human.tauB', 'human.tauC', 'human.spearman', 'human.pearson'],
    );
    const [tau] = tests;
    assert.ok(
      Math.abs(tau.difference - (metric(other, 'human.tauB').value! - metric(done, 'human.tauB').value!)) <
        1e-12,
    );
    assert.ok(tau.ci![1] < 0 && tau.tests.signs < 0.01);
  });

  it("gives Williams' test for scores that are close to normal, and the reason instead for others", async () => {
    const single = rated.map((one, i) => ({ ...one, images: [{ name: `${i}.jpg` }] }));
    const normalOf = (seed: number) => {
      const draws = new Draws('williams', seed);
      const noise = single.map(() => normalQuantile(draws.uniform()));
      return (text: string): number => byText.get(text)! + noise[Number(text.slice(8))];
    };
    const first = await run(single, normalOf(1));
    const pearsonOf = async (score: (text: string) => number) =>
      atOnce(human.pairedTests!(first.rows, (await run(single, score)).rows))[3];
    const normal = await pearsonOf(normalOf(2));
    assert.equal(normal.note, undefined);
    assert.ok(normal.tests.williams > 0 && normal.tests.williams <= 1);
    const skewed = await pearsonOf((text) => Math.exp(normalOf(2)(text)));
    assert.equal(skewed.tests.williams, undefined);
    const why = findSaid(findSaid(skewed.note, 'human.williamsLeftOut'), 'human.scoresNotNormal');
    assert.match(english(why?.values[0] ?? ''), /^\d/);
    assert.ok(skewed.tests.signs <= 1);
  });

  it('leaves out an own caption of Flickr8k unless asked', async () => {
    const own = [
      ...rated.slice(0, 9),
      example(99, 'rating', [caption('own', { ratings: [4] })], { attributes: { 'own caption': true } }),
    ];
    const without = await run(own, (text) => byText.get(text) ?? 1);
    assert.deepEqual([without.rows.length, without.leftOut.length], [9, 1]);
    const withIt = await run(own, (text) => byText.get(text) ?? 1, { options: { ownCaptions: 'true' } });
    assert.equal(withIt.rows.length, 10);
  });

  it('leaves out a caption without a score, with the reason', async () => {
    const some = await run(rated.slice(0, 9), (text) =>
      text === 'caption 4' ? undefined : byText.get(text),
    );
    assert.deepEqual(some.leftOut, [sentence('audit.notScored', 'no score')]);
    assert.equal(metric(some, 'human.tauB').n, 8);
  });

  it('counts a candidate of several pairs once', async () => {
    const [a, b, c] = [1, 2, 3].map((rating) => caption(`c${rating}`, { ratings: [rating] }));
    const pairs = [
      [a, b],
      [a, c],
      [b, c],
    ].map((captions) => example(0, 'preference', captions, { preferred: 1, rated: true }));
    const { rows } = await run(pairs, (text) => Number(text.slice(1)));
    assert.deepEqual(
      rows.map(({ captions }) => captions[0]),
      ['c1', 'c2', 'c3'],
    );
  });
});

describe('human: preferences', () => {
  const references = Array.from({ length: 48 }, (_, i) => `reference ${i}`);
  const pascal = Array.from({ length: 40 }, (_, i) =>
    example(i, 'preference', [caption(`b${i}`), caption(`c${i}`)], {
      preferred: i % 2,
      votesFor: i % 2 === 0 ? [40, 8] : [0, 48],
      references,
      attributes: { category: ['HC', 'HI', 'HM', 'MM'][i % 4] },
    }),
  );

  it('reports accuracy whole and by category, with ties as errors', async () => {
    const done = await run(pascal, (text) => (text[0] === 'b' ? 1 : Number(text.slice(1)) % 4 === 1 ? 2 : 1));
    assert.deepEqual([metric(done, 'human.accuracy').value, metric(done, 'human.accuracy').ties], [0.25, 30]);
    assert.equal(metric(done, 'human.accuracy', { category: 'HI' }).value, 1);
    assert.equal(metric(done, 'human.accuracy', { category: 'MM' }).value, 0);
  });

  it('gives a verdict by category, adjusted over the categories', async () => {
    const many = Array.from({ length: 160 }, (_, i) =>
      example(i, 'preference', [caption(`b${i}`), caption(`c${i}`)], {
        preferred: 0,
        votesFor: [40, 8],
        references,
        attributes: { category: ['HC', 'HI', 'HM', 'MM'][i % 4] },
      }),
    );
    // HC: 55 % right, HI and HM: all, MM: none. The rate of all pairs hides it.
    const isRight = (i: number): boolean => (i % 4 === 0 ? (i / 4) % 20 < 11 : i % 4 !== 3);
    const { findings } = await run(many, (text) =>
      (text[0] === 'b') === isRight(Number(text.slice(1))) ? 1 : 0,
    );
    const said = human.claims(findings.metrics).at(-1)!;
    const part = (code: Parameters<typeof say>[0], kinds: string) =>
      say(code, inARow(kinds.split(' '), ', '));
    assert.deepEqual(
      said.text,
      say(
        'human.preferencesByKind',
        'category',
        inARow(
          [
            part('lgip.typeAboveChance', 'HI HM'),
            part('lgip.typeNotFromChance', 'HC'),
            part('lgip.typeBelowChance', 'MM'),
          ],
          '; ',
        ),
      ),
    );
    assert.equal((said.rule as Said).values[2], '4');
    // Other columns are not kinds of pairs, and fewer than 20 images have no verdict.
    const claimsOf = (column: string, n: number) =>
      human.claims(
        ['a', 'b'].map((kind): Metric => ({
          ...{ id: 'human.accuracy', value: 0.9, ci: [0.8, 0.95], n },
          slice: { [column]: kind },
        })),
      ).length;
    assert.deepEqual(
      [claimsOf('kind', 20), claimsOf('kind', 19), claimsOf('system', 20), claimsOf('split', 20)],
      [1, 0, 0, 0],
    );
  });

  it('shows votes and systems in the order of the captions, the preferred caption first', async () => {
    const systems = { system1: 'worse', system2: 'better' };
    const pair = { ...pascal[0], preferred: 1, votesFor: [8, 40] as [number, number], attributes: systems };
    const { rows } = await run([pair], () => 0);
    const { captions, notes } = humanRows.detail(rows[0], 0);
    assert.deepEqual(
      captions.map(({ text }) => text),
      ['c0', 'b0'],
    );
    const words = notes.map(english);
    assert.ok(words.includes('Votes: 40 : 8') && words.includes('System: better, worse'), words.join('\n'));
  });

  it('filters by the kind that the verdict names, which a row of such a pair shows', () => {
    const row = { kind: 'preference', captions: ['a', 'b'], preferred: 0, scores: [[0.5, 0.2]] } as HumanRow;
    const tagged = (tags: NonNullable<HumanRow['tags']>): HumanRow => ({ ...row, tags });
    const at = humanRows.facets.findIndex(({ id }) => id === 'kind');
    const shown = (own: HumanRow) => [humanRows.facts(own)[0].facets[at], humanRows.line(own, 0).label];
    assert.deepEqual(shown(tagged({ split: 'test', Kind: 'by hand' })), ['by hand', 'by hand']);
    const unknown = [english(say('human.systemUnknown')), say('human.rowPreference')];
    assert.deepEqual(shown(tagged({ split: 'test', kind: '' })), unknown);
    assert.deepEqual(shown(row), unknown);
    assert.deepEqual(
      humanRows.line({ ...tagged({ kind: 'x' }), preferred: null }, 0).label,
      say('human.rowUndecided'),
    );
  });

  it('says in a lens whether a preference is right, and by how much', () => {
    const row = { kind: 'preference', captions: ['a', 'b'], preferred: 0 } as HumanRow;
    const wordsOf = (...scores: number[]) => humanRows.mark({ ...row, scores: [scores] }).words;
    assert.deepEqual(wordsOf(0.5, 0.2), say('choice.rightBy', '0.300'));
    assert.deepEqual(wordsOf(0.2, 0.5), say('choice.wrongBy', '0.300'));
    assert.deepEqual(wordsOf(0.2, 0.2), say('choice.tie'));
    const undecided = humanRows.mark({ ...row, preferred: null, scores: [[0.2, 0.5]] });
    assert.deepEqual(undecided.words, say('human.rowUndecided'));
  });

  it('has the sign of a result at the preferred caption, also if it is the second', () => {
    const row = { kind: 'preference', captions: ['a', 'b'], scores: [[0.5, 0.2]] } as HumanRow;
    assert.deepEqual(
      [0, 1, null].map((preferred) => humanRows.mark({ ...row, preferred }).texts),
      [
        ['a', 'b'],
        ['b', 'a'],
        ['a', 'b'],
      ],
    );
  });

  it("reports one voter's agreement with the majority of the others", async () => {
    const done = await run(pascal, () => 0);
    assert.ok(Math.abs(metric(done, 'human.ceiling.accuracy').value! - (40 / 48 + 1) / 2) < 1e-12);
  });

  it('says whether errors favour the own family of the evaluator, beyond the quality that people see', async () => {
    // Of 120 pairs, people prefer the caption of "own" in 80. Image i has the pair i.
    const pairs = Array.from({ length: 120 }, (_, i) =>
      example(i, 'preference', [caption(`own ${i}`), caption(`other ${i}`)], {
        preferred: i % 3 === 2 ? 1 : 0,
        attributes: { system1: 'own', system2: 'other' },
      }),
    );
    /** Errs in a share of the pairs in favour of the family, and in a share against it. */
    const judge = (favour: number, against: number) => (text: string) => {
      const i = Number(/\d+/.exec(text)![0]);
      const isRight = new Random(i, 'error').uniform() >= (i % 3 === 2 ? favour : against);
      const wins = isRight === (i % 3 !== 2) ? 'own' : 'other';
      return text.startsWith(wins) ? 1 : 0;
    };
    const options = { family: 'own' };
    const fair = await run(pairs, judge(0.3, 0.3), { options });
    const [low, high] = metric(fair, 'human.family').ci!;
    assert.ok(low < 0 && high > 0);
    assert.ok(metric(fair, 'human.family.p').value! > 0.05);
    const biased = await run(pairs, judge(0.5, 0.1), { options });
    const errorsOf = (preferred: number): number => {
      const own = biased.rows.filter((row) => row.preferred === preferred);
      return (
        own.filter(({ scores: [scores] }) => scores[preferred] < scores[1 - preferred]).length / own.length
      );
    };
    const found = metric(biased, 'human.family');
    assert.ok(Math.abs(found.value! - (errorsOf(1) - errorsOf(0))) < 1e-12);
    assert.ok(found.ci![0] > 0 && found.ci![0] < 0.4 && 0.4 < found.ci![1]);
    assert.ok(metric(biased, 'human.family.p').value! < 0.01);
    assert.deepEqual(
      found.note,
      together(say('human.familyOf', 'own'), say('inference.intervalOfReportedTest')),
    );
    assert.deepEqual(metric(biased, 'human.family.p').note, say('inference.testOfInterval'));
    // A judge that always prefers the better caption has no preference of its own, though it prefers the family more often.
    const perfect = await run(pairs, judge(0, 0), { options });
    assert.equal(metric(perfect, 'human.family').value, 0);
    // Without errors, the interval is that of 0 of 40 and of 0 of 80.
    const ends = metric(perfect, 'human.family').ci!;
    assert.ok(Math.abs(ends[0] + 0.0458) < 1e-4 && Math.abs(ends[1] - 0.0876) < 1e-4, String(ends));
    assert.equal(metric(perfect, 'human.family.p').value, 1);
    const ids = (await run(pairs, judge(0, 0))).findings.metrics.map(({ id }) => id);
    assert.ok(!ids.includes('human.family'));
  });

  it('draws 5 references 5 times for an evaluator that compares with references, and averages', async () => {
    const once = (_text: string, { references: drawn = [] }: Want): number =>
      drawn.includes('reference 7') && _text[0] === 'b' ? 1 : 0;
    const done = await run(pascal, once, { comparesReferences: true });
    assert.equal(done.wants.length, 40 * 2 * 5);
    for (const { references: drawn } of done.wants) assert.equal(new Set(drawn).size, 5);
    assert.deepEqual(done.rows[0].references, [5, 5, 5, 5, 5]);
    const shares = done.rows.map(({ scores, preferred }) =>
      preferred === 0 ? scores.filter(([b, c]) => b > c).length / 5 : 0,
    );
    const want = shares.reduce((sum, one) => sum + one) / 40;
    assert.ok(want > 0 && Math.abs(metric(done, 'human.accuracy').value! - want) < 1e-12);
    const again = await run([...pascal].reverse(), once, { comparesReferences: true });
    assert.equal(metric(again, 'human.accuracy').value, metric(done, 'human.accuracy').value);
  });

  it('ranks the systems of an arena, and leaves out people', async () => {
    const quality: Record<string, number> = { s1: 0, s2: 1, s3: 2, s4: 3, human: 9 };
    const names = Object.keys(quality);
    const arena = Array.from({ length: 200 }, (_, i) => {
      const [a, b] = [names[i % 5], names[(i + 1 + (Math.floor(i / 5) % 4)) % 5]];
      const preferred = i % 10 === 0 ? null : quality[a] > quality[b] === (i % 7 !== 0) ? 0 : 1;
      return example(i, 'preference', [caption(`${a} ${i}`), caption(`${b} ${i}`)], {
        preferred,
        attributes: { source1: a, source2: b },
      });
    });
    const done = await run(arena, (text) => quality[text.split(' ')[0]]);
    assert.deepEqual(
      [metric(done, 'human.arena.spearman').value, metric(done, 'human.arena.spearman').n],
      [1, 4],
    );
    assert.equal(metric(done, 'human.arena.tauB').value, 1);
    const known = arena.filter(({ captions }) => !captions.some(({ text }) => text.startsWith('human')));
    const withTies = metric(done, 'human.accuracy.withTies');
    assert.equal(withTies.n, known.length);
    assert.equal(metric(done, 'human.accuracy', { system: 's1' }).n > 0, true);
    const reversed = await run(arena, (text) => -quality[text.split(' ')[0]]);
    assert.equal(metric(reversed, 'human.arena.spearman').value, -1);
  });
});

describe('human: strengths of systems', () => {
  it('solve the Bradley–Terry equations', () => {
    const systems = Array.from({ length: 90 }, (_, i) => [i % 3, (i + 1 + (i % 2)) % 3]).flat();
    const wins = Array.from({ length: 90 }, (_, i) => [1, 0, 0.5, 1, 1][i % 5]);
    const logs = strengths(systems, wins, 3);
    const [won, due] = [new Float64Array(3), new Float64Array(3)];
    for (let i = 0; i < 90; i++) {
      const [a, b] = [systems[2 * i], systems[2 * i + 1]];
      const chance = 1 / (1 + Math.exp(logs[b] - logs[a]));
      won[a] += wins[i];
      won[b] += 1 - wins[i];
      due[a] += chance;
      due[b] += 1 - chance;
    }
    for (const a of [0, 1, 2]) {
      const prior = 1 / (1 + Math.exp(-logs[a]));
      assert.ok(Math.abs(won[a] + 0.5 - due[a] - prior) < 1e-6);
    }
  });
});

describe('human: foils', () => {
  const foils = Array.from({ length: 30 }, (_, i) =>
    example(
      i,
      'choice',
      [caption(`right ${i}`, { role: 'caption' }), caption(`wrong ${i}`, { role: 'negative' })],
      { references: Array.from({ length: 6 }, (_one, r) => `reference ${r}`) },
    ),
  );

  it('reports accuracy with 1 and with 4 references', async () => {
    const done = await run(
      foils,
      (text, { references = [] }) => (references.length === 4 && text.startsWith('right') ? 1 : 0),
      { comparesReferences: true },
    );
    assert.equal(metric(done, 'human.foil', { references: 4 }).value, 1);
    assert.equal(metric(done, 'human.foil', { references: 1 }).value, 0);
    assert.equal(metric(done, 'human.foil').value, 1);
  });

  it('needs no references for other evaluators', async () => {
    const done = await run(foils, (text) => (text.startsWith('right') ? 1 : 0));
    assert.equal(metric(done, 'human.foil').value, 1);
    assert.deepEqual(done.rows[0].scores, [[1, 0]]);
  });
});
