import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { CaptiousError } from '../../../src/base/errors';
import { type Code, say } from '../../../src/base/say';
import { openDataset } from '../../../src/dataset/open';
import { type HalfTriplet, tsvOf } from '../../../src/mining/half';
import { mergeSessions } from '../../../src/sessions/mergeTriplets';
import type { Decision } from '../../../src/protocol/triplets';
import { TripletSession } from '../../../src/sessions/triplets';
import { saying } from '../../sentence';

const origin = { path: '/photos.json', how: 'rules' as const, seed: 42 };

function half(i: number): HalfTriplet {
  return {
    id: `${i}`,
    image: `${i}.jpg`,
    caption: `caption ${i}`,
    positives: [
      { text: `second ${i}`, from: 'synonym' },
      { text: `other second ${i}`, from: 'passive' },
    ],
    negatives: [{ text: `negative ${i}`, from: 'flip' }],
  };
}

function begin(count = 3, annotator = 'ann'): TripletSession {
  return TripletSession.begin(
    Array.from({ length: count }, (_, i) => half(i)),
    origin,
    annotator,
  );
}

describe('a session of triplets', () => {
  it('starts open, with the first candidates selected', () => {
    const session = begin();
    assert.deepEqual(session.counts(), { items: 3, open: 3, accepted: 0, rejected: 0 });
    assert.deepEqual(session.items[1].decision, {
      status: 'open',
      caption: 'caption 1',
      second: 'second 1',
      negative: 'negative 1',
    });
    assert.deepEqual([...session.triplets()], []);
  });

  it('rejects accepting an incomplete triplet, and stays unchanged', () => {
    const session = begin();
    const refused: [Partial<Decision>, Code][] = [
      [{ second: '' }, 'sessions.captionOfTripletMissing'],
      [{ negative: ' ' }, 'sessions.captionOfTripletMissing'],
      [{ second: 'caption 0' }, 'sessions.secondPositiveEqualsCaption'],
      [{ negative: 'caption 0 ' }, 'sessions.negativeEqualsPositive'],
      [{ negative: 'second 0' }, 'sessions.negativeEqualsPositive'],
    ];
    for (const [texts, code] of refused) {
      const before = session.toString();
      assert.throws(
        () => {
          session.change(0, { ...texts, status: 'accepted' });
        },
        { what: say(code) },
      );
      assert.equal(session.toString(), before);
    }
  });

  it('reopens an accepted item when its text changes', () => {
    const session = begin();
    session.change(0, { status: 'accepted' });
    session.change(0, { second: 'second, edited' });
    assert.equal(session.items[0].decision.status, 'open');
    session.undo();
    assert.deepEqual(
      [session.items[0].decision.status, session.items[0].decision.second],
      ['accepted', 'second 0'],
    );
  });

  it('undoes and redoes any steps, also after saving and loading', () => {
    const step = fc.record({
      item: fc.nat(2),
      change: fc.oneof(
        fc.constant({ status: 'accepted' as const }),
        fc.constant({ status: 'rejected' as const }),
        fc.record({ second: fc.string() }),
        fc.record({ negative: fc.string() }),
      ),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let session = begin();
        const states = [JSON.stringify(session.items)];
        for (const { item, change } of steps) {
          try {
            session.change(item, change);
          } catch {
            continue;
          }
          const now = JSON.stringify(session.items);
          if (now !== states.at(-1)) states.push(now);
        }
        session = TripletSession.parse(session.toString(), 'a.json');
        for (const state of [...states].reverse().slice(1)) {
          session.undo();
          assert.equal(JSON.stringify(session.items), state);
        }
        session = TripletSession.parse(session.toString(), 'a.json');
        assert.equal(session.canUndo, false);
        for (const state of states.slice(1)) {
          session.redo();
          assert.equal(JSON.stringify(session.items), state);
        }
        assert.equal(session.canRedo, false);
      }),
    );
  });

  it('says what is wrong with a file, and where', () => {
    assert.throws(() => TripletSession.parse('{', 'a.json'), saying('sessions.notJson'));
    assert.throws(() => TripletSession.parse('{"schema":"x"}', 'a.json'), /schema/);
    const file = JSON.parse(begin().toString()) as {
      items: { decision: { status: string } }[];
      done: unknown[];
    };
    file.items[2].decision.status = 'perhaps';
    assert.throws(() => TripletSession.parse(JSON.stringify(file), 'a.json'), /items\[2\]\.decision\.status/);
    file.items[2].decision.status = 'open';
    file.done = [{ item: 3, before: file.items[0].decision, after: file.items[0].decision }];
    assert.throws(
      () => TripletSession.parse(JSON.stringify(file), 'a.json'),
      /done\[0\]\.item is not the index of an item/,
    );
  });

  it('exports texts that the VISLA reader restores unchanged', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'captious-triplets-'));
    try {
      const session = begin(2);
      session.change(0, { second: 'with\ta tab and\na line', status: 'accepted' });
      session.change(1, { second: '"Stop" says the sign', negative: "It's “off”", status: 'accepted' });
      const path = join(folder, 'made.tsv');
      await writeFile(path, [...tsvOf(session.triplets())].join(''));
      const dataset = await openDataset(path);
      assert.equal(dataset.format, 'visla');
      const read: string[][] = [];
      for await (const { images, captions } of dataset.read())
        read.push([images[0].name, ...captions.map(({ text }) => text)]);
      assert.deepEqual(read, [
        ['0.jpg', 'caption 0', 'with a tab and a line', 'negative 0'],
        ['1.jpg', 'caption 1', '"Stop" says the sign', "It's “off”"],
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('several annotators', () => {
  function decided(
    annotator: string,
    statuses: readonly Decision['status'][],
    edits: Record<number, string> = {},
  ) {
    const session = begin(statuses.length, annotator);
    for (const [i, status] of statuses.entries()) {
      if (edits[i] !== undefined) session.change(i, { second: edits[i] });
      if (status !== 'open') session.change(i, { status });
    }
    return { session, at: `${annotator}.json` };
  }

  it('merge by majority, with the most frequent captions, and stay open without a majority', () => {
    const { session, agreement } = mergeSessions([
      decided('a', ['accepted', 'accepted', 'rejected', 'open', 'accepted'], { 1: 'in other words' }),
      decided('b', ['accepted', 'accepted', 'rejected', 'accepted', 'accepted'], { 1: 'in other words' }),
      decided('c', ['rejected', 'accepted', 'accepted', 'rejected', 'accepted']),
    ]);
    assert.deepEqual(
      session.items.map(({ decision }) => [decision.status, decision.second]),
      [
        ['accepted', 'second 0'],
        ['accepted', 'in other words'],
        ['rejected', 'second 2'],
        ['open', 'second 3'],
        ['accepted', 'second 4'],
      ],
    );
    assert.equal(session.annotator, 'a + b + c');
    // 2, 3, 1 and 3 of the 3 annotators accepted items 0, 1, 2 and 4. P = (1/3 + 1 + 1/3 + 1) / 4 = 2/3,
    // p(accept) = 9/12, P_e = 0.75² + 0.25² = 0.625, so κ = (2/3 − 0.625) / 0.375 = 1/9.
    assert.equal(agreement.items, 4);
    assert.ok(Math.abs(agreement.kappa! - 1 / 9) < 1e-12);
    assert.deepEqual([agreement.allAccepted, agreement.sameTexts], [2, 1]);
  });

  it('stay open if all accept with different captions', () => {
    const { session } = mergeSessions([
      decided('a', ['accepted'], { 0: 'one way' }),
      decided('b', ['accepted'], { 0: 'another way' }),
    ]);
    assert.equal(session.items[0].decision.status, 'open');
  });

  it('have no κ if all decisions are the same, and say why', () => {
    const { agreement } = mergeSessions([decided('a', ['accepted']), decided('b', ['accepted'])]);
    assert.equal(agreement.kappa, null);
    assert.match(agreement.note!, saying('stats.ratingsConstant'));
  });

  it('judge the same dataset, also if its entries have the same names', () => {
    const one = decided('a', ['accepted']);
    const items = [half(0)];
    const other = TripletSession.begin(items, { ...origin, sha256: 'other' }, 'b');
    assert.throws(
      () => mergeSessions([one, { session: other, at: 'b.json' }]),
      (error) => error instanceof CaptiousError && error.at === 'b.json',
    );
  });

  it('need one file each', () => {
    assert.throws(() => mergeSessions([decided('a', ['accepted']), decided('a', ['accepted'])]), /"a"/);
  });
});
