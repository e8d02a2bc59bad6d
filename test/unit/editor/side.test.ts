import assert from 'node:assert/strict';
import { captionAround, captionOnLine, layoutOf } from '../../../src/editor/side/cursorEntry';
import { Follower } from '../../../src/editor/side/follower';
import { fromSide } from '../../../src/protocol/side';
import { turns } from '../../until';

describe('the follower of a cursor', () => {
  interface Asked {
    place: number;
    answer: () => Promise<void>;
  }
  let asked: Asked[];
  let shown: number[];
  let follower: Follower<number>;

  beforeEach(() => {
    asked = [];
    shown = [];
    follower = new Follower((place) => {
      return new Promise((resolve) => {
        const answer = async () => {
          resolve(() => shown.push(place));
          await turns(2);
        };
        asked.push({ place, answer });
      });
    });
  });

  const places = () => asked.map(({ place }) => place);

  it('asks for a place at once and shows the answer', async () => {
    follower.start();
    follower.move(1);
    assert.deepEqual(places(), [1]);
    await asked[0].answer();
    assert.deepEqual(shown, [1]);
  });

  it('drops a stale answer and asks only for the latest place', async () => {
    follower.start();
    for (const place of [1, 2, 3, 4]) follower.move(place);
    await asked[0].answer();
    assert.deepEqual([places(), shown], [[1, 4], []]);
    await asked[1].answer();
    assert.deepEqual([places(), shown], [[1, 4], [4]]);
  });

  it('asks for nothing before it starts and while paused', async () => {
    follower.move(1);
    follower.start();
    follower.pause();
    follower.move(2);
    await turns(2);
    assert.deepEqual(places(), []);
  });

  it('shows no answer that arrives while paused', async () => {
    follower.start();
    follower.move(1);
    follower.move(2);
    follower.pause();
    await asked[0].answer();
    assert.deepEqual([places(), shown], [[1], []]);
    follower.start();
    follower.move(3);
    await asked[1].answer();
    assert.deepEqual([places(), shown], [[1, 3], [3]]);
  });

  it('shows no answer from before a pause after it', async () => {
    follower.start();
    follower.move(1);
    follower.pause();
    follower.start();
    await asked[0].answer();
    assert.deepEqual(shown, []);
    follower.move(2);
    await asked[1].answer();
    assert.deepEqual(shown, [2]);
  });
});

describe('the example under the cursor', () => {
  const captions = (...lines: (number | [number, number])[]) =>
    lines.map((at) => (typeof at === 'number' ? { line: at, start: 2 } : { line: at[0], start: at[1] }));

  it('is the caption before the cursor on a line that holds several', () => {
    const all = captions([3, 10], [3, 40], [3, 70], [4, 5]);
    const start = (character: number) => captionOnLine(all, { line: 3, character })?.start;
    assert.deepEqual([0, 10, 39, 40, 500].map(start), [10, 10, 10, 40, 70]);
    assert.equal(captionOnLine(all, { line: 2, character: 0 }), undefined);
  });

  /**
   * For a cursor on each line of `text`, the line of the caption that is found: a caption on the cursor's line or, if
   * that line has no caption, the caption of the entry around it. If no caption is found, -1.
   */
  function around(path: string, text: string, lines: readonly number[]): number[] {
    const all = text.split('\n');
    return all.map((_, line) => {
      const found = captions(...lines);
      const on = captionOnLine(found, { line, character: 0 });
      const near = on ?? captionAround(found, { line }, layoutOf(path), (at) => all[at]);
      return near?.line ?? -1;
    });
  }

  it('is found from every line of an object whose caption has a separate line', () => {
    const text = [
      '[', // 0
      '{', // 1
      '  "id": 1,',
      '  "note": "a } in a text",',
      '  "caption": "a"', // 4
      '}, {', // 5
      '  "caption": "not audited",',
      '  "size": {"width": 3}',
      '},', // 8
      '{', // 9
      '  "size": {"width": 3},',
      '  "caption": "b",', // 11
      '  "tags": {',
      '    "x": 1',
      '  }',
      '}',
      ']', // 16
    ].join('\n');
    assert.deepEqual(
      around('a.json', text, [4, 11]),
      [4, 4, 4, 4, 4, 4, -1, -1, -1, 11, 11, 11, 11, 11, 11, 11, -1],
    );
  });

  it('is found from every line of an object that begins on the line of the mark', () => {
    const text = [
      '{',
      '  "0": {',
      '    "caption": "a"',
      '  },',
      '  "1": {',
      '    "caption": "b"',
      '  }',
      '}',
    ];
    assert.deepEqual(around('a.json', text.join('\n'), [1]), [-1, 1, 1, 1, -1, -1, -1, -1]);
  });

  it('does not belong to the row above in files with one row per line', () => {
    const rows = ['{"caption": "a"}', '{"caption": "b"}', '', '{"caption": "c"}'].join('\n');
    for (const path of ['a.jsonl', 'a.tsv', 'a.json'])
      assert.deepEqual(around(path, rows, [0, 3]), [0, -1, -1, 3], path);
  });

  it('continues over the lines of a quoted CSV value', () => {
    const rows = ['a.jpg,"two', 'lines"', 'b.jpg,one', 'c.jpg,two'].join('\n');
    assert.deepEqual(around('a.csv', rows, [0, 2]), [0, 0, 2, -1]);
  });
});

it('accepts the messages of the side panel and rejects others', () => {
  const message = { type: 'go', report: 'r', index: 1 };
  assert.deepEqual(fromSide(message, ''), message);
  assert.throws(() => fromSide({ ...message, index: -1 }, ''), /index is not an integer of 0 or more/);
  assert.throws(() => fromSide({ type: 'save', path: 'a' }, ''), /type is not known/);
});
