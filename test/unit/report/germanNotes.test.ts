import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testOfPairs } from '../../../src/probe/invariance/cell';
import { betweenGroups } from '../../../src/probe/invariance/groups';
import { speechIn } from '../../../src/report/export/speech';
import { viewOf } from '../../../src/rows/panelReport';
import { reportOf } from './reportOf';

const bundle = readFileSync(join(__dirname, '../../../l10n/bundle.l10n.de.json'), 'utf8');
const german = speechIn({ language: 'de', texts: JSON.parse(bundle) as Record<string, string> });

describe('notes of reports in German', () => {
  it('translates the notes of statistical tests', () => {
    const values = Float64Array.of(1, 2, 3, 4, 5);
    const { note } = testOfPairs(
      values,
      values.map((value, i) => value + (i + 1) / 7),
    );
    assert.match(note, /^Paired t-test, two-sided\. Shapiro–Wilk before: p/);
    assert.match(
      german.text(note),
      /^Gepaarter t-Test, zweiseitig\. Shapiro-Wilk-Test vorher: p.*; nachher: p/,
    );
    const groups = [
      { name: 'a', values: [1, 2, 3] },
      { name: 'b', values: [4, 5, 6] },
    ];
    assert.match(
      german.text(betweenGroups('p', 'group', groups)[0].note!),
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

  it('gives each metric of the panel its name, and keeps the id', () => {
    const metrics = [{ id: 'visla.t2t.p1n', value: 0.5, n: 3 }];
    const [metric] = viewOf('r', reportOf({ metrics }), []).metrics;
    assert.equal(metric.id, 'visla.t2t.p1n');
    assert.notEqual(metric.name, undefined);
  });
});
