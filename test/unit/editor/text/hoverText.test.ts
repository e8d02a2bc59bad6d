import assert from 'node:assert/strict';
import { say, type Words } from '../../../../src/base/say';
import type * as hovers from '../../../../src/editor/text/hoverText';
import { bundle } from '../bundle';

describe('the terms in a hover', function () {
  this.timeout(60_000);
  let meaningsIn: typeof hovers.meaningsIn;
  before(async () => {
    const load = await bundle<typeof hovers>(`export * from './src/editor/text/hoverText';`);
    ({ meaningsIn } = load({ l10n: {}, env: { language: 'en' } }));
  });

  const codesOf = (...all: Words[]) =>
    meaningsIn(all.map((words) => ({ mark: { line: 1, texts: [], captions: [], words } }))).map((words) =>
      typeof words === 'string' ? words : words.code,
    );

  it('are explained where they occur, each once', () => {
    assert.deepEqual(codesOf(say('choice.tie')), ['editor.scoreMeaning']);
    assert.deepEqual(codesOf(say('visla.wrongBy', 'N', '0.1'), say('choice.rightBy', '0.2')), [
      'editor.scoreMeaning',
      'editor.leadMeaning',
    ]);
    assert.deepEqual(codesOf(say('lgip.stableBy', '0.01', '0.05 SD')), [
      'editor.scoreMeaning',
      'editor.plusMinusMeaning',
    ]);
  });

  it('are found in the results of every evaluator', () => {
    const mark = (words: Words) => ({ line: 1, texts: [], captions: [], words });
    const evaluators = ['a', 'b'].map((evaluator, i) => ({
      ...{ evaluator, report: '' },
      mark: mark(i === 0 ? say('choice.tie') : say('choice.wrongBy', '0.1')),
    }));
    assert.equal(meaningsIn([{ mark: { ...mark(say('choice.tie')), evaluators } }]).length, 2);
  });
});
