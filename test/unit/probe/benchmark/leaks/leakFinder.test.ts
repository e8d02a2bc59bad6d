import assert from 'node:assert/strict';
import { Random } from '../../../../../src/base/random';
import { atOnce } from '../../../../../src/base/turns/steps';
import { LeakFinder } from '../../../../../src/probe/benchmark/leaks/leakFinder';
import type { Item } from '../../../../../src/probe/benchmark/items';

function item(image: string, caption: string, right = 0): Item {
  return {
    ...{ example: image, row: 0, image, observation: image, imageKey: image, seen: image },
    ...{ captions: [caption, 'a wrong caption of it'], right, isList: true, tags: {} },
  };
}

const pattern = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);

describe('leaks between files', () => {
  it('are right captions, without case and punctuation, of four words or more', () => {
    const items = [
      item('1.jpg', 'A dog on a sofa.'),
      item('2.jpg', 'a red dog'),
      item('3.jpg', 'a dog on a chair'),
      item('4.jpg', 'a cat on a sofa', 1),
    ];
    const finder = atOnce(LeakFinder.of(items, ['', '', '', '']));
    for (const text of ['a dog, on a SOFA', 'a red dog', 'sofa a on dog a', 'a wrong caption of it'])
      finder.caption(text, 'train');
    assert.deepEqual(finder.leaks, [
      { leakedCaption: 'train' },
      undefined,
      undefined,
      { leakedCaption: 'train' },
    ]);
  });

  it('are captions that share most words and pairs of words', () => {
    const long = 'a man in a red shirt rides a brown horse on the wide beach at noon';
    const finder = atOnce(
      LeakFinder.of([item('1.jpg', long), item('2.jpg', 'two cups on a table')], ['', '']),
    );
    finder.caption(`${long} today`, 'train');
    assert.deepEqual(finder.leaks, [{ leakedSimilarCaption: 'train' }, undefined]);
  });

  it('find 95 % or more of captions with one changed word in twenty', () => {
    const draws = new Random('leaks');
    const text = (): string[] => Array.from({ length: 20 }, () => `w${draws.below(5000)}`);
    const texts = Array.from({ length: 400 }, text);
    const finder = atOnce(
      LeakFinder.of(
        texts.map((own, i) => item(`${i}.jpg`, own.join(' '))),
        texts.map(() => ''),
      ),
    );
    for (const own of texts.slice(0, 200))
      finder.caption(own.with(draws.below(20), 'changed').join(' '), 'train');
    for (let i = 0; i < 200; i++) finder.caption(text().join(' '), 'train');
    const found = finder.leaks.map((own) => own?.leakedSimilarCaption !== undefined);
    assert.ok(found.slice(0, 200).filter(Boolean).length >= 190);
    assert.deepEqual(found.slice(200).filter(Boolean), []);
  });

  it('are images of one name, unless the name says too little or the pixels differ', () => {
    const looks = new Map([['photos/holiday.jpg', { pixels: 'own', pattern: new Uint8Array(0) }]]);
    const names = ['val/COCO_val2014_000000000042.jpg', '1.jpg', 'photos/holiday.jpg', 'photos/unread.jpg'];
    const items = names.map((name) => item(name, 'a dog on a sofa'));
    const finder = atOnce(LeakFinder.of(items, ['', '', '', ''], looks));
    finder.image('000000000042.jpg', 'train');
    finder.image('1.jpg', 'train');
    for (const name of ['other/holiday.png', 'other/unread.png'])
      finder.image(name, 'train', { pixels: 'other', pattern: new Uint8Array(0) });
    assert.deepEqual(finder.leaks, [
      { leakedImage: 'train' },
      undefined,
      undefined,
      { leakedImage: 'train' },
    ]);
  });

  it('are images of the same pixels or pattern, whatever their names', () => {
    const looks = new Map([
      ['a.jpg', { pixels: '1', pattern }],
      ['b.jpg', { pixels: '2', pattern: pattern.map((byte) => 255 - byte) }],
    ]);
    const items = [item('a.jpg', 'one two'), item('b.jpg', 'one two'), item('a.jpg', 'three')];
    const finder = atOnce(LeakFinder.of(items, ['', '', ''], looks));
    finder.image('x.jpg', 'near', { pixels: '3', pattern: pattern.with(0, 3) });
    finder.image('y.jpg', 'same', { pixels: '1', pattern });
    assert.deepEqual(finder.leaks, [
      { leakedSimilarImage: 'near', leakedImage: 'same' },
      undefined,
      { leakedSimilarImage: 'near', leakedImage: 'same' },
    ]);
  });

  it('are not between items of one split', () => {
    const items = ['train', 'train', 'test'].map((split, i) => ({
      ...item(`${split}-${i}.jpg`, 'a dog on a sofa'),
      tags: { split },
    }));
    const splits = ['train', 'train', 'test'];
    const finder = atOnce(LeakFinder.of(items.slice(0, 2), splits));
    for (const [i, { captions }] of items.slice(0, 2).entries()) finder.caption(captions[0], splits[i]);
    assert.deepEqual(finder.leaks, [undefined, undefined]);
    const all = atOnce(LeakFinder.of(items, splits));
    for (const [i, { captions }] of items.entries()) all.caption(captions[0], splits[i]);
    assert.deepEqual(all.leaks, [
      { leakedCaption: 'test' },
      { leakedCaption: 'test' },
      { leakedCaption: 'train' },
    ]);
  });
});
