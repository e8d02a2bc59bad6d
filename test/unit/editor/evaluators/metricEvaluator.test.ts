import assert from 'node:assert/strict';
import type * as metrics from '../../../../src/editor/evaluators/metricEvaluator';
import type { EvaluatorEntry } from '../../../../src/protocol/service';
import { parseReference } from '../../../../src/evaluator/reference';
import { bundle } from '../bundle';

interface Item {
  label: string;
  description?: string;
}

describe('a metric as an evaluator', function () {
  this.timeout(60_000);
  let load: (vscode: object) => typeof metrics;
  before(async () => {
    load = await bundle(`export * from './src/editor/evaluators/metricEvaluator';`);
  });

  /** A `vscode` in which the user chooses the items with these labels, one after the other. */
  const choosing = (...labels: string[]) => ({
    QuickPickItemKind: { Separator: -1 },
    l10n: {
      t: (text: string, ...values: string[]) => text.replace(/\{(\d)\}/g, (_, i: number) => values[i]),
    },
    env: { language: 'en' },
    window: {
      showQuickPick: (items: Item[]) => {
        const label = labels.shift();
        const found = items.find((item) => item.label === label);
        assert.ok(
          found !== undefined || label === undefined,
          `${label} of ${items.map((item) => item.label).join()}`,
        );
        return Promise.resolve(found);
      },
    },
  });
  const entry = (id: string, more: Partial<EvaluatorEntry> = {}): EvaluatorEntry => ({
    ...{ id, name: `The ${id}`, kind: 'encoder', readsImages: true, abilities: ['image-text', 'ranking'] },
    ...more,
  });
  const entries = [
    entry('starter'),
    entry('text-only', { readsImages: false, abilities: ['text-text'] }),
    entry('judge', { abilities: ['image-text'] }),
    entry('broken', { problem: 'It has no model.' }),
    entry('clipscore:starter'),
    entry('refpac-s:starter'),
  ];
  const chosenFrom = (...labels: string[]) =>
    load(choosing(...labels)).chooseMetric(() => Promise.resolve(entries));

  it('is chosen with an encoder, or without one if it compares captions', async () => {
    assert.deepEqual(await chosenFrom('CLIPScore', 'The starter'), {
      ...{ reference: 'clipscore:starter', name: 'CLIPScore with The starter', needsReferences: false },
    });
    assert.equal((await chosenFrom('PAC-S', 'The starter'))?.reference, 'pac-s:starter');
    assert.deepEqual(await chosenFrom('RefCLIPScore', 'The starter'), {
      ...{ reference: 'refclipscore:starter', name: 'RefCLIPScore with The starter', needsReferences: true },
    });
    assert.deepEqual(await chosenFrom('BLEU-4'), {
      ...{ reference: 'bleu-4', name: 'BLEU-4', needsReferences: true },
    });
  });

  it('is nothing if the user cancels a step', async () => {
    assert.equal(await chosenFrom(), undefined);
    assert.equal(await chosenFrom('CLIPScore'), undefined);
  });

  it('offers only encoders that can have a metric, and says what to do if there is none', async () => {
    const { encodersIn, chooseMetric } = load(choosing('CLIPScore'));
    assert.deepEqual(
      encodersIn(entries).map(({ id }) => id),
      ['starter'],
    );
    await assert.rejects(
      chooseMetric(() => Promise.resolve([])),
      /No encoder of images and texts is installed\./,
    );
  });

  it('has a reference that the command line knows, for every row', () => {
    const rows = load(choosing())
      .metricRows()
      .filter(({ metric }) => metric !== undefined);
    assert.ok(rows.length >= 13, String(rows.length));
    for (const { metric, needsEncoder } of rows) {
      const reference = needsEncoder === true ? `${metric}:starter` : metric!;
      assert.notEqual(parseReference(reference, { home: '/nowhere' }).id, '');
    }
  });
});
