import assert from 'node:assert/strict';
import { against, claimsOf } from '../../../src/probe/claim';
import { lgipClaims } from '../../../src/probe/lgip/claims';
import type { Metric } from '../../../src/probe/metric';
import { sugarcrepe } from '../../../src/probe/sugarcrepe/sugarcrepe';
import { rococoClaims } from '../../../src/probe/rococo/claims';
import { vislaClaims } from '../../../src/probe/visla/claims';
import { visla } from '../../../src/probe/visla/visla';
import { english } from '../../../src/base/english';
import { type Code, findSaid, inARow, type Said, say, together, type Words } from '../../../src/base/say';

function metric(id: string, low: number, high: number): Metric {
  return { id, value: (low + high) / 2, n: 100, ci: [low, high] };
}

/** Whether a text has each of these messages. */
function has(words: Words, ...codes: Code[]): boolean {
  return codes.every((code) => findSaid(words, code) !== undefined);
}

const [object, colour, number] = [say('lgip.kindObject'), say('lgip.kindColour'), say('lgip.kindNumber')];
const both = (one: Said, other: Said) => say('lgip.nameList', inARow([one], ', '), other);

describe('verdicts', () => {
  it('need an interval that does not touch the threshold', () => {
    assert.equal(against([0.5, 0.6], 0.5), 'across');
    assert.equal(against([0.51, 0.6], 0.5), 'above');
    assert.equal(against([0.4, 0.49], 0.5), 'below');
    const point: Metric = { id: 'visla.t2t', value: 0.99, n: 100 };
    assert.deepEqual(vislaClaims([point]), []);
    assert.deepEqual(lgipClaims([{ id: 'lgip.pr', value: 1, n: 3 }]), []);
  });

  it('are never about a slice', () => {
    assert.deepEqual(vislaClaims([{ ...metric('visla.t2t', 0.8, 0.9), slice: { words: 'few' } }]), []);
  });

  it('compare VISLA with its chance level of one third', () => {
    const first = (low: number, high: number) => vislaClaims([metric('visla.t2t', low, high)])[0].text;
    assert.deepEqual(first(0.34, 0.4), say('visla.captionsAboveChance'));
    assert.deepEqual(
      first(0.3, 0.4),
      together(say('visla.captionsNotFromChance'), say('probe.rateMayBe', '30.0 %', '40.0 %', 100)),
    );
    assert.deepEqual(first(0.1, 0.3), say('visla.captionsBelowChance'));
  });

  it('compare the two positives of VISLA by their paired test, not by two intervals', () => {
    const texts = (setting: string, p: number | null, difference: [number, number], near = 0.5) =>
      vislaClaims([
        metric(`visla.${setting}.p1n`, near, near + 0.05),
        metric(`visla.${setting}.p2n`, near - difference[0], near - difference[0] + 0.05),
        metric(`visla.${setting}.wording`, ...difference),
        { id: `visla.${setting}.wording.p`, value: p, n: 100 },
      ]).map(({ text }) => text);
    assert.deepEqual(texts('t2t', 1e-6, [0.1, 0.3])[0], say('visla.followsWording'));
    assert.deepEqual(
      texts('t2t', 1e-6, [0.1, 0.3], 0.9)[0],
      say('visla.wordingAlsoCounts'),
      'P2 is above one half',
    );
    assert.deepEqual(texts('t2t', 1e-6, [-0.3, -0.1])[0], say('visla.captionsSecondEasier'));
    assert.deepEqual(texts('t2t', 0.2, [-0.02, 0.3]), []);
    assert.deepEqual(texts('t2t', null, [0.1, 0.3]), [], 'no test, so no verdict');
    assert.deepEqual(texts('t2t', 1e-6, [0.01, 0.03], 0.96), [], 'nearly all are right');
    assert.deepEqual(texts('i2t', 1e-6, [0.1, 0.3])[0], say('visla.imageFirstEasier'));
  });

  it('compare stability on the captions with both paraphrases and flips, and types by their intervals', () => {
    const claims = (margin: [number, number], sens: [number, number] = [0.04, 0.06], ties = 0) =>
      lgipClaims([
        // The intervals of all captions with paraphrases and of all with flips, which are other captions, overlap.
        metric('lgip.inv', 0.01, 0.05),
        metric('lgip.sens', ...sens),
        metric('lgip.margin', ...margin),
        metric('lgip.pr', 0.68, 0.74),
        metric('lgip.pr.object', 0.9, 0.95),
        metric('lgip.pr.color', 0.48, 0.55),
        { ...metric('lgip.pr.number', 0.3, 0.4), ties },
      ]).map(({ text }) => text);
    assert.deepEqual(claims([0.01, 0.02])[0], say('lgip.paraphrasesChangeLess'));
    assert.deepEqual(claims([-0.02, -0.01])[0], say('lgip.paraphrasesChangeMore'));
    assert.deepEqual(claims([-0.02, -0.01], [-0.01, 0.01])[0], say('lgip.flipsUndecided'));
    assert.deepEqual(claims([-0.02, -0.01], [-0.03, -0.01])[0], say('lgip.flipsRaiseScore'));
    assert.deepEqual(
      findSaid(claims([0.01, 0.02], [0.04, 0.06], 30)[2], 'lgip.typeNotFromChance')?.values,
      [both(colour, number)],
      'ties count half',
    );
    assert.deepEqual(claims([-0.01, 0.02])[0], say('lgip.paraphrasesUndecided'));
    // The headline has the rate and its interval, so the verdict does not repeat them.
    assert.doesNotMatch(english(claims([0.01, 0.02], [0.04, 0.06], 30)[1]), /\d/);
    // Numbers are caught less often than chance, so there is no sentence on flips in general.
    assert.equal(claims([0.01, 0.02]).length, 2);
    const standings = [
      say('lgip.typeDetected', object),
      say('lgip.typeNotFromChance', colour),
      say('lgip.typeBelowChance', number),
    ];
    assert.deepEqual(claims([0.01, 0.02])[1], say('lgip.typesDetected', inARow(standings, '; ')));
  });

  it('of types of flips need their p values after Holm', () => {
    // One interval that just excludes chance level is enough alone, and too little among three.
    const barely = metric('lgip.pr.color', 0.505, 0.7);
    const others = [metric('lgip.pr.object', 0.4, 0.6), metric('lgip.pr.number', 0.4, 0.6)];
    assert.deepEqual(findSaid(lgipClaims([barely])[0].text, 'lgip.typeAboveChance')?.values, [colour]);
    assert.deepEqual(findSaid(lgipClaims([barely, ...others])[0].text, 'lgip.typeNotFromChance')?.values, [
      say('lgip.nameList', inARow([object, colour], ', '), number),
    ]);
  });

  it('say nothing about altered entries if searches find nothing, and name no coin a catcher', () => {
    const found = (low: number, high: number) =>
      rococoClaims([
        { ...metric('rococo.i2t.r1', low, high), n: 239, images: 239 },
        metric('rococo.i2t.dropRate', 0.004, 0.03),
      ]).map(({ text }) => text);
    assert.deepEqual(found(0.001, 0.03)[0], say('rococo.captionSearchesAtChance'));
    assert.ok(has(found(0.1, 0.2)[0], 'rococo.captionSearchesLostRarely'));
    const coin = lgipClaims([metric('lgip.pr', 0.39, 0.51)]);
    assert.deepEqual(coin[0].text, say('lgip.notFromChance'));
  });

  it('compare flips with the level of guessing where there is no tie, and name the share of ties', () => {
    const withTies = (id: string, caughtRate: [number, number], ties: number, n: number): Metric => ({
      ...metric(id, ...caughtRate),
      ...{ n, ties },
    });
    const claims = lgipClaims([
      metric('lgip.pr', 0.464, 0.618),
      withTies('lgip.pr.pooled', [0.467, 0.613], 121, 272),
      withTies('lgip.pr.color', [0.26, 0.477], 82, 132),
      withTies('lgip.pr.number', [0.516, 0.77], 24, 72),
    ]);
    const [all, byType] = claims;
    assert.deepEqual(all.text, together(say('lgip.flipsUnnoticed', '44.5 %'), say('lgip.caughtAboveChance')));
    assert.deepEqual(findSaid(all.rule, 'lgip.tiesNotCaught')?.values.slice(1), ['121', '272', '27.8 %']);
    assert.ok(findSaid(byType.text, 'lgip.typeAboveChance'));
    assert.equal(findSaid(byType.text, 'lgip.typeNotFromChance'), undefined);
    assert.ok(findSaid(byType.rule, 'lgip.levelsWithTies'));
    const [coin] = lgipClaims([
      metric('lgip.pr', 0.2, 0.35),
      withTies('lgip.pr.pooled', [0.2, 0.35], 121, 272),
    ]);
    assert.ok(findSaid(coin.text, 'lgip.notFromChance'));
  });

  it('take the exact test of a share near 0 or 1, where few images are expected', () => {
    const said = (value: number, ci: [number, number], images: number) => {
      const drop = { id: 'rococo.i2t.dropRate', value, n: images, ci };
      const [{ text, rule }] = rococoClaims([{ ...metric('rococo.i2t.r1', 0.3, 0.4), n: 239 }, drop]);
      const code = (['Often', 'Rarely', 'Undecided'] as const).find((side) =>
        findSaid(text, `rococo.captionSearchesLost${side}`),
      );
      return [code, findSaid(rule, 'probe.exactTest') !== undefined];
    };
    const [often, rarely, open] = ['Often', 'Rarely', 'Undecided'];
    // 5 % of 99 images are fewer than five.
    assert.deepEqual(said(0.01, [0.002, 0.04], 99), [open, true]);
    assert.deepEqual(said(0.01, [0.002, 0.04], 100), [rarely, false]);
    assert.deepEqual(said(0, [0, 0.046], 80), [rarely, true]);
    assert.deepEqual(said(0.3, [0.2, 0.4], 50), [often, true]);
    // SciPy's binomtest(8, 77, .05): p = .0385 on one side, for a score test .0130 on two sides.
    assert.deepEqual(said(8 / 77, [0.053, 0.194], 77), [open, true]);
  });

  it('say how much of an image an altered one keeps', () => {
    const text = (kind?: string) =>
      rococoClaims([
        { ...metric('rococo.t2i.r1', 0.3, 0.4), n: 239, images: 239 },
        { ...metric('rococo.t2i.dropRate', 0.3, 0.4), ...(kind === undefined ? {} : { kind }) },
      ])[0].text;
    assert.deepEqual(findSaid(text('mix-0.9'), 'rococo.imagesMixed')?.values, ['90.0 %']);
    assert.deepEqual(findSaid(text('patch-.8'), 'rococo.imagesPatched')?.values, ['80.0 %']);
    const isTrue = (kind: string) => findSaid(text(kind), 'rococo.captionStaysTrue') !== undefined;
    assert.deepEqual(['mix-0.9', 'patch-0.51', 'mix-0.5', 'patch-0.3'].map(isTrue), [
      true,
      true,
      false,
      false,
    ]);
    assert.equal(findSaid(text(), 'rococo.imagesMixed'), undefined);
    // A verdict needs 5 % of the image to be altered.
    assert.ok(findSaid(text('mix-0.95'), 'rococo.imageSearchesLostOften'));
    for (const kind of ['mix-0.96', 'patch-.99'])
      assert.deepEqual(text(kind), say('rococo.noVerdictSameImages'));
  });

  it('call a type detected only if the interval lies above three quarters', () => {
    const claim = (low: number, high: number) => lgipClaims([metric('lgip.pr.color', low, high)])[0].text;
    const only = (code: Code) => say('lgip.typesDetected', inARow([say(code, colour)], '; '));
    assert.deepEqual(claim(0.76, 0.9), only('lgip.typeDetected'));
    assert.deepEqual(claim(0.53, 0.7), only('lgip.typeAboveChance'));
    assert.deepEqual(claim(0.49, 0.7), only('lgip.typeNotFromChance'));
  });

  it("find SugarCrepe's split under any name", () => {
    const claims = sugarcrepe.claims([
      metric('sugarcrepe.swap_obj', 0.6, 0.7),
      metric('sugarcrepe.swap_obj.gap', -1, 1),
    ]);
    assert.equal(claims.length, 1);
    assert.ok(has(claims[0].text, 'sugarcrepe.aboveChance'));
    assert.equal(findSaid(claims[0].rule, 'probe.ciAbove')?.values[1], '[60.0 %, 70.0 %]');
  });

  it('are written with names, and their rules with ids, too', () => {
    const name = say('base.labelledPart', say('visla.captionsAlone'), say('visla.accuracy'));
    const [{ text }] = claimsOf(visla, [{ id: 'visla.t2t', value: 0.5, n: 6, ci: [0.2, 0.8] }]);
    assert.deepEqual(findSaid(text, 'probe.tooFewForVerdictOf')?.values.slice(1), [name, '6', '20']);
    const [{ rule }] = claimsOf(visla, [metric('visla.t2t', 0.5, 0.6)]);
    assert.deepEqual(
      rule,
      say(
        'probe.ciAbove',
        say('probe.metricWithValue', name, 'visla.t2t'),
        '[50.0 %, 60.0 %]',
        say('probe.chanceLevel', '33.3 %'),
      ),
    );
  });

  it('draw nothing from altered captions that are equal to the captions for the evaluator', () => {
    const texts = (unseen: number) =>
      rococoClaims([
        metric('rococo.i2t.r1', 0.3, 0.5),
        metric('rococo.i2t.dropRate', 0.1, 0.2),
        { id: 'rococo.i2t.rsms', value: 0.13, n: 100 },
        metric('rococo.text.closer', 0.7, 0.8),
        { id: 'rococo.text.unseen', value: unseen, n: 100 },
      ]);
    const hidden = texts(0.295);
    assert.equal(hidden.length, 1);
    assert.deepEqual(hidden[0].text, say('rococo.noVerdictUnseenChanges', '29.5 %'));
    const seen = texts(0.02);
    assert.equal(seen.length, 2);
    assert.deepEqual(
      findSaid(seen[0].rule, 'rococo.lostRule')?.values,
      ['40.0 %', '13.0 %'],
      'searches that were right before, and altered entries in first place',
    );
    assert.deepEqual(findSaid(seen[1].rule, 'rococo.unseenShare')?.values, ['2.0 %']);
  });

  it('say how many triplets have a positive that is equal to the negative for the evaluator', () => {
    const first = (ties: number) =>
      vislaClaims([
        metric('visla.t2t', 0.1, 0.3),
        { ...metric('visla.t2t.p1n', 0.4, 0.5), ties },
        metric('visla.t2t.p2n', 0.1, 0.2),
      ])[0];
    assert.equal(findSaid(first(11).text, 'visla.negativeIndistinguishable')?.values[1], '11.0 %');
    assert.doesNotMatch(english(first(4).text), /4\.0 %/);
    assert.equal(findSaid(first(4).rule, 'visla.tiesCountWrong')?.values[1], '4.0 %');
    assert.ok(!has(first(0).rule, 'visla.tiesCountWrong'));
  });

  it('call no type detected by an interval alone: the test against three quarters is adjusted, too', () => {
    const typesOf = (low: number) =>
      lgipClaims([
        metric('lgip.pr.object', low, 0.9),
        metric('lgip.pr.color', 0.6, 0.85),
        metric('lgip.pr.number', 0.6, 0.85),
      ])[0].text;
    assert.ok(has(typesOf(0.752), 'lgip.typeAboveChance'));
    assert.ok(!has(typesOf(0.752), 'lgip.typeDetected'));
    assert.deepEqual(findSaid(typesOf(0.8), 'lgip.typeDetected')?.values, [object]);
  });

  it('state how many flips score equal to the caption', () => {
    const counts = (ties: number) => {
      const pooled = { id: 'lgip.pr.pooled', value: 0.45, n: 272, ties };
      const [{ rule }] = lgipClaims([metric('lgip.pr', 0.4, 0.5), pooled]);
      return findSaid(rule, 'lgip.tiesNotCaught')?.values.slice(1, 3);
    };
    assert.deepEqual(counts(26), ['26', '272']);
    assert.equal(counts(0), undefined);
  });
});
