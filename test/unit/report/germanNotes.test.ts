import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { english, languageOf } from '../../../src/base/english';
import { findSaid, isSaid, say, type Words } from '../../../src/base/say';
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
    assert.ok(isSaid(note) && note.code === 'invariance.pairedTest');
    for (const p of findSaid(note.values[0], 'invariance.shapiroWilkResults')!.values)
      assert.match(english(p), /^p [=<] /);
    assert.match(
      german.say(note),
      /^Gepaarter t-Test, zweiseitig\. Shapiro-Wilk-Test der Scores vor der Änderung: p.*; nach der Änderung: p/,
    );
    const groups = [
      { name: 'a', values: [1, 2, 3], images: [0, 1, 2] },
      { name: 'b', values: [4, 5, 6], images: [3, 4, 5] },
    ];
    assert.match(
      german.say(atOnce(betweenGroups('p', 'group', groups))[0].note!),
      /^Kruskal-Wallis-Test mit Korrektur für Bindungen, H = \S+ über 2 Gruppen\.$/,
    );
  });

  it('translates notes with optional parts, and reasons why there is no result', () => {
    const notes: readonly Words[] = [
      atOnce(betweenGroups('p', 'group', [{ name: 'a', values: [1], images: [0] }]))[0].note!,
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
      ].map((outcome) => (isDefined(outcome) ? '' : say('probe.noInterval', outcome.reason))),
    ];
    for (const note of notes) {
      assert.ok(note !== '');
      const words = german.say(note);
      // The translation must not contain these English words. The data in the notes do not contain them either.
      assert.doesNotMatch(words, /\b(the|is|are|of|there|than|with|not|no)\b/i, words);
    }
  });

  it('gives each metric of the panel its name, and keeps the id', () => {
    const metrics = [{ id: 'visla.t2t.p1n', value: 0.5, n: 3 }];
    const [metric] = viewOf('r', reportOf({ metrics }), []).metrics;
    assert.equal(metric.id, 'visla.t2t.p1n');
    assert.notEqual(metric.name, undefined);
  });
});
