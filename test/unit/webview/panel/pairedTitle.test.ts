import assert from 'node:assert/strict';
import { say } from '../../../../src/base/say';
import { metricNames } from '../../../../src/probe/metricNames';
import { lgipView } from '../../../../src/probe/lgip/view';
import { pairedTitle } from '../../../../webview/panel/pairedTitle';

describe('the name of a metric in a paired comparison', () => {
  const ids = ['lgip.pr', 'lgip.margin', 'lgip.sens.number'];
  const metrics = ids.map((id) => ({ id, value: 0.5, n: 9 }));
  const nameOf = metricNames(lgipView, metrics);
  const report = {
    cards: lgipView.cards(metrics).slice(0, 1),
    metrics: metrics.map((metric) => ({ ...metric, name: nameOf(metric.id) })),
  };

  it('is that of its card, or of the metric, also in spreads', () => {
    assert.deepEqual(pairedTitle([report], report.cards[0].metric), report.cards[0].title);
    for (const id of ['lgip.margin', 'lgip.sens.number']) {
      assert.notEqual(nameOf(id), id);
      assert.deepEqual(pairedTitle([report], id), nameOf(id));
      assert.deepEqual(pairedTitle([report], `${id}.relative`), say('probe.metricInSpreads', nameOf(id)));
    }
  });
});
