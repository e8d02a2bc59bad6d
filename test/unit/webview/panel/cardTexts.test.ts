import assert from 'node:assert/strict';
import { sentence } from '../../../sentence';
import { exploitView } from '../../../../src/probe/exploit/view';
import { rococoView } from '../../../../src/probe/rococo/view';
import type { Card, PanelMetric } from '../../../../src/protocol/panel';
import { bundle } from '../../editor/bundle';

/** The module is of a page, whose types the tests do not have. */
interface CardTexts {
  standsOn(metric: PanelMetric, cluster: string | undefined, card: Card): string;
}

describe('what a card rests on', () => {
  const page = globalThis as { document?: unknown };
  let texts: CardTexts;

  before(async () => {
    page.document = { body: { dataset: {} }, documentElement: { lang: 'en' } };
    const load = await bundle<CardTexts>("export * from './webview/panel/cardTexts';");
    texts = load({});
  });
  after(() => {
    delete page.document;
  });

  it('names what n and the ties count, if they count different things', () => {
    const metric = { id: 'exploit.rate.shout', value: 1 / 28, n: 28, ties: 28 };
    const [card] = exploitView.cards([metric]);
    assert.equal(
      texts.standsOn(metric, undefined, card),
      [sentence('exploit.captionsCounted', 28), sentence('exploit.editsTied', 28)].join(', '),
    );
  });

  it('names the searches', () => {
    const metric = { id: 'rococo.i2t.r1', value: 0.5, n: 1026, images: 20, ties: 0 };
    const [card] = rococoView.cards([metric]);
    const words = texts.standsOn(metric, undefined, card);
    assert.ok(words.startsWith(`${sentence('rococo.searchesCounted', '1,026')} · `), words);
  });
});
