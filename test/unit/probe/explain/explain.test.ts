import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type Code, findSaid, type Said } from '../../../../src/base/say';
import { Random } from '../../../../src/base/random';
import { atOnce } from '../../../../src/base/turns/steps';
import type { Example } from '../../../../src/dataset/example';
import { explain } from '../../../../src/probe/explain/explain';
import type { ExplainRow } from '../../../../src/probe/explain/row';
import { type Metric, metricOf, type Slice } from '../../../../src/probe/metric';
import type { Findings, PlanContext } from '../../../../src/probe/probe';
import { wholePlan } from '../wholePlan';
import { sentence } from '../../../sentence';

function example(id: string, texts: readonly string[]): Example {
  return {
    ...{ id, form: 'captions', row: 0, images: [{ name: `${id}.jpg` }], attributes: {} },
    captions: texts.map((text) => ({ text, role: 'caption', image: 0, field: 'caption' })),
  };
}

interface Driven {
  rows: ExplainRow[];
  findings: Findings;
  refused: unknown[];
  lost: { captions: number; variants: number };
}

/** Runs the probe like an audit, with scores from the text. */
function drive(
  examples: readonly Example[],
  score: (text: string) => number,
  {
    options = {},
    language = 'English',
  }: { options?: Record<string, number | boolean>; language?: string } = {},
): Driven {
  const shared = { dataset: 'test', seed: 42, options, scores: ['image-text'] as const, language };
  const summary = explain.summary(shared);
  const driven: Omit<Driven, 'findings'> = { rows: [], refused: [], lost: { captions: 0, variants: 0 } };
  for (const one of examples) {
    const context: PlanContext = {
      ...shared,
      image: (at) => ({ kind: 'image', source: { name: one.images[at].name, path: '' }, transforms: [] }),
    };
    const reason = explain.refuse(one, context);
    if (reason !== undefined) {
      driven.refused.push(reason);
      continue;
    }
    const plan = wholePlan(explain, one, context);
    const scores = Float64Array.from(plan.wants, ({ right }) =>
      right.kind === 'text' ? score(right.text) : NaN,
    );
    const onLost = ({ captions = 0, variants = 0 }): void => {
      driven.lost.captions += captions;
      driven.lost.variants += variants;
    };
    for (const row of explain.measure(one, plan, scores, context, undefined, onLost)) {
      driven.rows.push(row);
      summary.add(row);
    }
  }
  return { ...driven, findings: atOnce(summary.finish()) };
}

const things = ['dog', 'cat', 'horse', 'bird', 'cow', 'sheep'];
const colours = ['red', 'blue', 'green', 'yellow', 'black', 'white'];
const text = (i: number): string =>
  `A ${colours[i % 6]} ${things[Math.floor(i / 6) % 6]} is sitting on the table with two ${things[(i + 1) % 6]}s.`;
const examples = Array.from({ length: 36 }, (_, i) => example(`image-${i}`, [text(i)]));

/** A weight of each word, whatever its case and the marks after it. */
function bagOf(weights: Readonly<Record<string, number>>): (text: string) => number {
  return (caption) =>
    caption
      .toLowerCase()
      .split(/[^a-z]+/)
      .reduce((sum, word) => sum + (weights[word] ?? 0), 0);
}

const metric = ({ findings }: Driven, id: string, slice?: Slice): Metric =>
  metricOf(findings.metrics, id, slice)!;
const codes = ({ findings }: Driven): string[] =>
  explain.claims(findings.metrics).map(({ text: said }) => (said as Said).code);
const isNear = (a: number | null, b: number): void =>
  assert.ok(a !== null && Math.abs(a - b) < 1e-12, `${a} is not ${b}`);

describe('the influence of words', () => {
  // Colours weigh 3 to 4.25, things 1 to 2 (2.5 in the plural), and the verb −0.5. Sums of these weights are exact.
  const weights = {
    ...Object.fromEntries(colours.map((colour, i) => [colour, 3 + i / 4])),
    ...Object.fromEntries(things.map((thing, i) => [thing, 1 + i * 0.125])),
    ...Object.fromEntries(things.map((thing) => [`${thing}s`, 2.5])),
    ...{ sitting: -0.5, table: 2 },
  };
  const driven = drive(examples, bagOf(weights));

  it('is the weight of each word of a bag of words', () => {
    for (const row of driven.rows) {
      assert.equal(row.words.length, row.length);
      for (const { word, influence, span } of row.words) {
        assert.equal(influence, weights[word.toLowerCase() as keyof typeof weights] ?? 0, word);
        assert.equal(row.text.slice(...span), word);
      }
    }
  });

  it('has a mean by kind of word that follows from the weights', () => {
    const things18 = things.reduce((sum, _, i) => sum + 1 + i * 0.125, 0) / 6;
    isNear(metric(driven, 'explain.word.color').value, 3 + 2.5 / 4);
    // A caption has one thing in the singular, one in the plural, and a table.
    isNear(metric(driven, 'explain.word.noun').value, (things18 + 2.5 + 2) / 3);
    isNear(metric(driven, 'explain.word.verb').value, 0.5);
    for (const kind of ['function', 'relation', 'number'])
      isNear(metric(driven, `explain.word.${kind}`).value, 0);
    assert.equal(metric(driven, 'explain.word.noun').n, 3 * 36);
    assert.equal(metric(driven, 'explain.word.noun').images, 36);
    isNear(metric(driven, 'explain.word.color.againstNouns').value, 3 + 2.5 / 4 - (things18 + 4.5) / 3);
    assert.deepEqual([...new Set(driven.rows.map(({ length }) => length))], [11]);
  });

  it('has a mean by position, and of nouns alone', () => {
    const things18 = things.reduce((sum, _, i) => sum + 1 + i * 0.125, 0) / 6;
    // Of eleven words, "A red dog is" are the first third, "sitting on the table" the middle and "with two cats" the last.
    isNear(metric(driven, 'explain.position.first').value, (3 + 2.5 / 4 + things18) / 4);
    isNear(metric(driven, 'explain.position.middle').value, 2.5 / 4);
    isNear(metric(driven, 'explain.position.last').value, 2.5 / 3);
    isNear(metric(driven, 'explain.position.last', { 'word kind': 'noun' }).value, 2.5);
    isNear(metric(driven, 'explain.position.lastAgainstFirst').value, 2.5 - things18);
  });

  it('lists the words of enough images, the largest influence first', () => {
    const listed = ({ findings }: Driven): string[] =>
      findings.metrics.flatMap(({ slice }) => (slice?.word === undefined ? [] : [String(slice.word)]));
    const six = drive(examples, bagOf(weights), { options: { leastOfWord: 6 } });
    assert.deepEqual(listed(six).slice(0, 3), ['white', 'black', 'yellow']);
    isNear(metric(six, 'explain.word', { word: 'white' }).value, 4.25);
    assert.equal(metric(six, 'explain.word', { word: 'white' }).n, 6);
    assert.ok(!listed(drive(examples, bagOf(weights), { options: { leastOfWord: 7 } })).includes('white'));
    assert.throws(() => drive(examples, bagOf(weights), { options: { leastOfWord: 0 } }));
  });

  it('gives verdicts on planted differences, each with its adjusted p', () => {
    const claims = explain.claims(driven.findings.metrics);
    const saying = (code: string, kind: string): boolean =>
      claims.some(({ text: said }) => {
        const { code: own, values } = said as Said;
        return own === code && findSaid(values[0], kind as Code) !== undefined;
      });
    assert.ok(saying('explain.moreThanNouns', 'explain.colours'), JSON.stringify(claims));
    const late = claims.find(({ text: said }) => findSaid(said, 'explain.lateNounsMore') !== undefined);
    // Other words stand beside it: late numbers weigh nothing, and early colours 3 to 4.25.
    assert.equal(findSaid(late!.text, 'explain.otherWordsDiffer')!.values[0], '-1.2083');
    assert.ok(JSON.stringify(claims[0].rule).includes('probe.holmRule'));
    // One verb is one observation, so nothing is said of verbs.
    assert.equal(metric(driven, 'explain.word.verb.againstNouns.p').value, null);
    assert.ok(
      findSaid(metric(driven, 'explain.word.verb.againstNouns.p').note, 'explain.tooFewWords') !== undefined,
    );
    assert.equal(metric(driven, 'explain.word.verb.againstNouns').ci, undefined);
  });

  it('gives no verdict below 20 images', () => {
    assert.deepEqual(codes(drive(examples.slice(0, 19), bagOf(weights))), []);
  });

  it('is 0 without a verdict for an evaluator that ignores words', () => {
    const none = drive(examples, () => 0.25);
    for (const { id, value } of none.findings.metrics)
      assert.ok(id.endsWith('.p') ? value === null : value === 0 || value === null, `${id}: ${value}`);
    assert.deepEqual(codes(none), []);
  });

  it('counts a word that moves the score of every caption once per word', () => {
    // One colour alone has a weight, so that images agree, and words do not.
    const one = Array.from({ length: 60 }, (_, i) =>
      example(`image-${i}`, [text(i % 5 < 4 ? 6 * (i % 6) : i)]),
    );
    const random = new Random(5, 'noise');
    const noisy = drive(one, (caption) => (/red/.test(caption) ? 1 : 0) + 0.01 * random.uniform());
    assert.ok(metric(noisy, 'explain.word.color.againstNouns').value! > 0.5);
    const { values } = metric(noisy, 'explain.word.color.againstNouns.p').note as Said;
    // Six colours and the nouns: six things, their plurals, and a table.
    assert.deepEqual([values[0], values[2]], ['60', '19']);
    assert.match(String(values[1]), /^p = .*e-/);
    assert.ok(!codes(noisy).includes('explain.moreThanNouns'), codes(noisy).join());
  });

  it('has Shapley values on request, which divide what two words only do together', () => {
    // “red” and “bus” together are worth 6, half of which each gets. Without one of them, all of it is lost.
    const together = (caption: string): number =>
      (/red/.test(caption) && /bus/.test(caption) ? 6 : 0) + (/two/i.test(caption) ? 1 : 0);
    const own = Array.from({ length: 6 }, (_, i) => example(`bus-${i}`, ['Two red bus lanes']));
    const plain = drive(own, together);
    const asked = drive(own, together, { options: { shapley: true } });
    assert.deepEqual(
      asked.rows[0].words.map(({ word, influence, shapley }) => [word, influence, shapley]),
      [
        ['Two', 1, 1],
        ['red', 6, 3],
        ['bus', 6, 3],
        ['lanes', 0, 0],
      ],
    );
    isNear(metric(asked, 'explain.shapley').value, 7 / 4);
    isNear(metric(asked, 'explain.shapley.color').value, 3);
    isNear(metric(asked, 'explain.word').value, 13 / 4);
    assert.equal(
      plain.findings.metrics.some(({ id }) => id.startsWith('explain.shapley')),
      false,
    );
    assert.deepEqual(
      asked.findings.metrics.filter(({ id }) => !id.startsWith('explain.shapley')),
      plain.findings.metrics,
    );
    // A text without a score takes the Shapley values with it, not the influences.
    const lost = drive(own, (caption) => (caption === ' ' ? NaN : together(caption)), {
      options: { shapley: true },
    });
    assert.equal(lost.rows[0].words[1].influence, 6);
    assert.equal(lost.rows[0].words[1].shapley, undefined);
  });

  it('samples orders for the Shapley values of long captions, which sum to the score', () => {
    const [row] = drive(examples.slice(0, 1), bagOf(weights), { options: { shapley: true } }).rows;
    assert.deepEqual([row.length > 10, row.orders], [true, 32]);
    const sum = row.words.reduce((all, { shapley }) => all + shapley!, 0);
    assert.ok(Math.abs(sum - row.score) < 1e-9);
  });

  it('leaves out captions without enough words, and counts what has no score', () => {
    const long = Array.from({ length: 101 }, () => 'dog').join(' ');
    const { refused, rows, findings } = drive(
      [
        example('a', ['']),
        example('b', ['Dog.']),
        example('c', [long]),
        example('d', ['A dog.', ' ', 'Dog']),
      ],
      bagOf(weights),
    );
    assert.deepEqual(refused, Array(3).fill({ code: 'explain.wordsNeeded', values: ['2', '100'] }));
    assert.deepEqual(
      rows.map((row) => [row.text, row.unfit]),
      [['A dog.', 2]],
    );
    assert.ok(findings.warnings.some((one) => (one as Said).code === 'explain.unfitCaptions'));
    const unscored = drive([example('a', ['A red dog.', 'A cat.'])], (caption) =>
      caption === 'A cat.' || caption === 'A dog.' ? NaN : 1,
    );
    assert.deepEqual(unscored.lost, { captions: 1, variants: 1 });
    assert.deepEqual(
      unscored.rows.map(({ words, length, lost }) => [words.map(({ word }) => word), length, lost]),
      [[['A', 'dog'], 3, 1]],
    );
  });

  it('counts captions in other languages by position and word only', () => {
    const german = drive([example('a', ['Ein Hund auf dem Hund.'])], (caption) => caption.length, {
      language: 'German',
    });
    assert.ok(german.rows[0].words.every(({ kind }) => kind === undefined));
    assert.equal(metric(german, 'explain.word').n, 5);
    assert.equal(metric(german, 'explain.word.noun').n, 0);
    assert.ok(german.findings.warnings.some((one) => (one as Said).code === 'explain.withoutKinds'));
  });

  it('scores one text for the caption and one for each word', () => {
    const [first] = examples;
    const context = { dataset: '', seed: 1, options: {}, scores: ['image-text'] as const };
    const image = { kind: 'image' as const, source: { name: 'a', path: '' }, transforms: [] };
    const { wants } = wholePlan(explain, first, { ...context, image: () => image });
    assert.equal(wants.length, 12);
    assert.deepEqual(
      wants.slice(0, 3).map(({ right }) => right.kind === 'text' && right.text),
      [text(0), text(0).replace('A ', ''), text(0).replace('red ', '')],
    );
  });

  it('shows a line for each word, and charts by kind, position and word', async () => {
    const [row] = driven.rows;
    assert.equal(explain.rows.facts(row).length, 11);
    const line = explain.rows.line(row, 1);
    assert.deepEqual([line.before, line.after, line.delta], [text(0), text(0).replace('red ', ''), -3]);
    assert.deepEqual(explain.rows.facts(row)[1].facets, [
      sentence('explain.colours'),
      sentence('explain.firstThird'),
    ]);
    const none = Readable.from([]) as AsyncIterable<ExplainRow>;
    const charts = await explain.charts!(
      { evaluator: { name: 'toy' }, metrics: driven.findings.metrics },
      none,
    );
    assert.deepEqual(
      charts.map((chart) => chart.type === 'bars' && chart.bars.length),
      [6, 3, 8],
    );
  });
});
