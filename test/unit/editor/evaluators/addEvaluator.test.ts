import assert from 'node:assert/strict';
import type * as adding from '../../../../src/editor/evaluators/addEvaluator';
import { knownEncoders } from '../../../../src/evaluator/fetch/known';
import { bundle } from '../bundle';

describe('the known encoders', function () {
  this.timeout(60_000);

  it('say if they compare captions only, because image probes cannot use them', async () => {
    const load = await bundle<typeof adding>(`export * from './src/editor/evaluators/addEvaluator';`);
    const t = (text: string, ...values: string[]) => text.replace(/\{(\d)\}/g, (_, i: number) => values[i]);
    const { knownItem } = load({
      l10n: { t },
      env: { language: 'en' },
      Disposable: Object,
      EventEmitter: Object,
    });
    const all = knownEncoders();
    const marked = all.filter((model) => /captions only, no images/.test(knownItem(model).description));
    assert.deepEqual(
      marked,
      all.filter(({ kind }) => kind === 'text-encoder'),
    );
    assert.ok(marked.length > 0 && marked.length < all.length);
  });
});
