import assert from 'node:assert/strict';
import { say } from '../../../src/base/say';
import type { Sampled } from '../../../src/protocol/sampled';
import { CheckSession } from '../../../src/sessions/check';
import { ownResult } from '../../../src/sessions/ownResult';

const sampled = (id: string, family: string): Sampled => ({
  ...{ id, family, axis: 'language', variant: family },
  original: { image: 'a.jpg', text: 'a red car', transforms: [] },
  changed: { image: 'a.jpg', text: `${id} car`, transforms: [] },
});
const origin = { report: 'lgip.x.report.json', rowsSha256: '0', dataset: 'd.json', seed: 1 };
const right = { original: 'fully', changed: 'incorrect', last: 'different' } as const;
const same = { original: 'fully', changed: 'fully', last: 'same' } as const;

describe('the result of one annotator', () => {
  it('is there once all variants are judged, and counts the valid ones by the rules of the probe', () => {
    const items = [sampled('a', 'flip'), sampled('b', 'flip'), sampled('c', 'paraphrase')];
    const session = CheckSession.begin(items, { ...origin, probe: 'lgip' }, 'ann');
    assert.equal(ownResult(session), undefined);
    session.pick(items[0], right);
    // The image shows what this flip says, so it is no error to score it high.
    session.pick(items[1], same);
    assert.equal(ownResult(session), undefined);
    session.pick(items[2], same);
    assert.deepEqual(ownResult(session), say('sessions.checkDone', 3, 2, 1));
    session.undo();
    assert.equal(ownResult(session), undefined);
  });

  it('follows the rules of invariance, whose variants are valid if both versions are accepted', () => {
    const items = [sampled('a', 'vflip'), sampled('b', 'vflip')];
    const session = CheckSession.begin(items, origin, 'ann');
    session.pick(items[0], same);
    session.pick(items[1], { original: 'fully', changed: 'incorrect', last: 'different' });
    assert.deepEqual(ownResult(session), say('sessions.checkDone', 2, 1, 1));
  });

  it('is none without variants', () => {
    assert.equal(ownResult(CheckSession.begin([], origin, 'ann')), undefined);
  });
});
