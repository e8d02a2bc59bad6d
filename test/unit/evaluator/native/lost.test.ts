import assert from 'node:assert/strict';
import type { Exit } from '../../../../src/base/childProcess';
import type { CaptiousError } from '../../../../src/base/errors';
import type { Said } from '../../../../src/base/say';
import { Engine } from '../../../../src/evaluator/native/engine';
import { whyDecodingEnded, whyModelEnded, whyRankingEnded } from '../../../../src/evaluator/native/lost';

const killed = { code: null, signal: 'SIGKILL', words: '' } as const;
const over: Exit = { ...killed, cause: { code: 'memory', values: ['4.0'] } };
const full: Exit = { ...killed, signal: 'SIGABRT', cause: { code: 'heap', values: [] }, words: 'text of V8' };
const stalled: Exit = { ...killed, cause: { code: 'stalled', values: ['120'] } };
/** Text of foreign code that looks like a cause decides nothing. */
const misled: Exit = { code: 1, signal: null, words: 'The model took more than 4.0 GB of memory' };

const codesOf = ({ kind, what, details }: CaptiousError) => [
  kind,
  (what as Said).code,
  (details.remedy as Said).code,
];

describe('the end of a native process', () => {
  for (const [engine, why, code, expected] of [
    [
      'a model',
      whyModelEnded,
      'modelProcessEnded',
      ['memoryLimitExceeded', 'modelMemoryExceeded', 'modelStalled'],
    ],
    [
      'images',
      whyDecodingEnded,
      'decoderEnded',
      ['decodingMemoryExceeded', 'decodingMemoryExceeded', 'decoderStalled'],
    ],
    [
      'rankings',
      whyRankingEnded,
      'rankingEnded',
      ['rankingMemoryExceeded', 'rankingMemoryExceeded', 'rankingStalled'],
    ],
  ] as const)
    it(`has an error by its cause: ${engine}`, () => {
      const [memory, heap, stall] = expected.map((one) => `native.${one}`);
      const remedies = {
        model: 'shrinkModelOrRaise',
        images: 'shrinkImagesOrRaise',
        rankings: 'shrinkDatasetOrRaise',
      };
      const shrink = `native.${remedies[engine === 'a model' ? 'model' : engine]}`;
      assert.deepEqual(codesOf(why(over)), ['evaluator', memory, shrink]);
      assert.deepEqual(codesOf(why(full)), [
        'evaluator',
        heap,
        engine === 'a model' ? 'native.chooseSmallerModel' : shrink,
      ]);
      assert.deepEqual(codesOf(why(stalled)), ['interrupted', stall, 'native.runToResume']);
      for (const exit of [killed, misled])
        assert.deepEqual(codesOf(why(exit)), ['interrupted', `native.${code}`, 'native.runToResume']);
      assert.deepEqual((why(misled).what as Said).values, [
        { code: 'native.exitCode', values: ['1'] },
        { code: 'native.lastOutput', values: [misled.words] },
      ]);
      const unclear = why({ ...misled, cause: { code: 'unreadable', values: ['{"code'] } });
      assert.deepEqual(codesOf(unclear), codesOf(why(misled)));
      assert.deepEqual((unclear.what as Said).values, [
        { code: 'native.exitUnreadable', values: [{ code: 'native.exitCode', values: ['1'] }, '{"code'] },
        { code: 'native.lastOutput', values: [misled.words] },
      ]);
    });

  it('is its memory limit if the process exceeds it', async () => {
    const exits: Exit[] = [];
    const engine = new Engine({
      lost: (exit) => {
        exits.push(exit);
        return whyModelEnded(exit);
      },
    });
    process.env.CAPTIOUS_MODEL_MEMORY = '0.01';
    try {
      await assert.rejects(async () => {
        for (;;) await engine.run('decoded', { images: [] });
      });
    } finally {
      delete process.env.CAPTIOUS_MODEL_MEMORY;
      await engine.close();
    }
    assert.deepEqual(exits[0].cause, { code: 'memory', values: ['0.0'] });
  });
});
