import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languageOf } from '../../../src/base/english';
import { atOnce } from '../../../src/base/turns/steps';
import { notNormal } from '../../../src/probe/human/correlations';
import { testOfPairs } from '../../../src/probe/invariance/cell';
import { betweenGroups } from '../../../src/probe/invariance/compare/groups';
import { tooMany } from '../../../src/probe/pairScores';
import { unattributedNote } from '../../../src/probe/prsm/wordings';
import { speechIn } from '../../../src/report/export/speech';
import { viewOf } from '../../../src/service/panelReport';
import { association } from '../../../src/stats/agreement/association';
import { associationInterval } from '../../../src/stats/agreement/paired';
import { bcaInterval } from '../../../src/stats/bootstrap';
import { isDefined } from '../../../src/stats/outcome';
import { kruskalWallis } from '../../../src/stats/rankTests';
import { mixedModel } from '../../../src/stats/regression/mixedModel';
import { reportOf } from './reportOf';

const bundle = readFileSync(join(__dirname, '../../../l10n/bundle.l10n.de.json'), 'utf8');
const german = speechIn({ language: 'de', ...languageOf(JSON.parse(bundle) as Record<string, string>) });

describe('notes of reports in German', () => {
  it('translates the notes of statistical tests', () => {
    const values = Float64Array.of(1, 2, 3, 4, 5);
    const { note } = testOfPairs(
      values,
      values.map((value, i) => value + (i + 1) / 7),
    );
    assert.match(note, /^Paired t-test, two-sided\. Shapiro–Wilk of the scores before the change: p/);
    assert.match(
      german.text(note),
      /^Gepaarter t-Test, zweiseitig\. Shapiro-Wilk-Test der Scores vor der Änderung: p.*; nach der Änderung: p/,
    );
    const groups = [
      { name: 'a', values: [1, 2, 3], photos: [0, 1, 2] },
      { name: 'b', values: [4, 5, 6], photos: [3, 4, 5] },
    ];
    assert.match(
      german.text(atOnce(betweenGroups('p', 'group', groups))[0].note!),
      /^Kruskal-Wallis-Test mit Korrektur für Bindungen, H = \S+ über 2 Gruppen\.$/,
    );
  });

  it('translates the notes of an evaluator and a list of left out items', () => {
    assert.equal(
      german.text('Texts are truncated at 77 tokens. The limit comes from config.json.'),
      'Texte werden nach 77 Token gekürzt. Die Grenze kommt aus config.json.',
    );
    assert.equal(german.text('4 × its objects are unknown'), '4 × seine Objekte sind unbekannt');
  });

  it('translates notes with optional parts, and reasons why there is no result', () => {
    const english: readonly string[] = [
      atOnce(betweenGroups('p', 'group', [{ name: 'a', values: [1], photos: [0] }]))[0].note!,
      ...unattributedNote([['tall'], ['tall']], 5),
      tooMany(200_000, { pairs: 100 })!,
      notNormal([1, 1, 1, 1, 1, 9], [])!,
      ...[
        association('tauB', [1], [1]),
        association('tauB', [1, 1], [1, 2]),
        associationInterval({ value: 1, without: Float64Array.of(1, 1, 1) }),
        atOnce(bcaInterval({ rows: 2, statistic: () => NaN, seed: 1 })),
        kruskalWallis([[1], []]),
        atOnce(
          mixedModel({
            response: [1, 2],
            fixed: [
              [1, 1],
              [1, 2],
            ],
            random: [['a', 'b']],
          }),
        ),
      ].map((outcome) => (isDefined(outcome) ? '' : `No interval: ${outcome.reason}.`)),
      'No interval: the statistic is not defined on 3 of 999 resamples.',
    ];
    for (const text of english) {
      assert.notEqual(text, '');
      const words = german.text(text);
      // The translation must not contain these English words. The data in the notes do not contain them either.
      assert.doesNotMatch(words, /\b(the|is|are|of|there|than|with|not|no)\b/i, words);
    }
  });

  it('translates slices with a share, and reasons with details', () => {
    assert.equal(german.text('25 % or more'), '25 % oder mehr');
    assert.equal(
      german.text(
        '3 × the surroundings of the object are not plain, so the move would leave a visible trace',
      ),
      `3 × ${german.text('the surroundings of the object are not plain, so the move would leave a visible trace')}`,
    );
    assert.equal(
      german.text('the largest part is 60 % of the object'),
      'der größte Teil macht 60 % des Objekts aus',
    );
    assert.equal(
      german.text('could not be scored: one of the two variables is constant'),
      'konnte nicht bewertet werden: eine der zwei Variablen ist konstant',
    );
  });

  it('translates verdicts of earlier versions', () => {
    for (const [old, own] of [
      ['Its preferences cannot be distinguished from chance.', 'Its preferences cannot be told from chance.'],
      [
        'The 95 % interval of human.tauB, [-0.100, 0.200], lies across zero.',
        'The 95 % interval of human.tauB, [-0.100, 0.200], contains zero.',
      ],
      [
        'From the captions alone, its choices cannot be distinguished from chance. It follows the wording: it is right less often for the positive with different words than for the other positive.',
        'From the captions alone, its choices cannot be told from chance. It follows the wording: the positive with different words (P2) beats the negative less often than the other positive (P1) does.',
      ],
      [
        'It follows the wording: it is right less often for the positive with different words than for the other positive. For the positive with different words, its choices cannot be distinguished from chance.',
        'It follows the wording: the positive with different words (P2) beats the negative less often than the other positive (P1) does.',
      ],
      [
        'Stable: a paraphrase changes the score less than a change of meaning lowers it.',
        'On average, a paraphrase changes the score less than a flip lowers it.',
      ],
      [
        'It matches captions with images less often than chance.',
        'It matches captions with images correctly less often than chance.',
      ],
      [
        'Between captions, a rewording mostly has a larger effect than one changed word.',
        'For most captions, the altered caption is closer than every other caption of the same image.',
      ],
      [
        'Between captions, a rewording mostly has a smaller effect than one changed word.',
        'For most captions, another caption of the same image is closer than the altered caption.',
      ],
      [
        'Between captions, the data do not show whether a rewording or one changed word has the larger effect.',
        'The data do not show which is usually closer to a caption: its altered version or another caption of the same image.',
      ],
    ]) {
      assert.notEqual(german.text(own), own);
      assert.equal(german.text(old), german.text(own));
    }
  });

  it('gives each metric of the panel its name, and keeps the id', () => {
    const metrics = [{ id: 'visla.t2t.p1n', value: 0.5, n: 3 }];
    const [metric] = viewOf('r', reportOf({ metrics }), []).metrics;
    assert.equal(metric.id, 'visla.t2t.p1n');
    assert.notEqual(metric.name, undefined);
  });
});
