import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addParts, bleuOf, noParts } from '../../../../src/evaluator/overlap/bleu';
import {
  type OverlapMetric,
  overlapMetrics,
  type ReferencedCaption,
  scoreOverlap,
} from '../../../../src/evaluator/overlap/overlap';
import { captionWords } from '../../../../src/evaluator/overlap/ptb';
import { leaveOneOut } from './leaveOneOut';
import { mean } from '../../../../src/stats/summary';

const oracle = join('test', 'oracle', 'overlap');

interface Kept {
  corpus: Record<string, number>;
  each: Record<string, number[]>;
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

const kept = read(join(oracle, 'scores.json')) as Record<string, Kept>;

function agree(items: ReferencedCaption[], { corpus, each }: Kept): void {
  const scores = scoreOverlap(items, overlapMetrics);
  const total = noParts();
  for (const parts of scores.bleu) addParts(total, parts);
  const bleus = bleuOf(total);
  for (const [metric, expected] of Object.entries(each)) {
    const own = scores.each.get(metric as OverlapMetric)!;
    assert.equal(own.length, expected.length);
    expected.forEach((value, i) => {
      assert.ok(Math.abs(own[i] - value) <= 1e-6, `${metric} of caption ${i}: ${own[i]}, ${value} expected`);
    });
    const whole = metric.startsWith('bleu') ? bleus[Number(metric.slice(-1)) - 1] : mean(own);
    assert.ok(Math.abs(whole - corpus[metric]) <= 1e-9, `${metric}: ${whole}, ${corpus[metric]} expected`);
  }
  assert.deepEqual(scores.each.get('cider-d'), scores.each.get('cider'));
}

describe('reference-based metrics', () => {
  it('equal pycocoevalcap on every sample caption and over the corpus', () => {
    agree(leaveOneOut(join('samples', 'captions.json')), kept.samples);
  });

  it('equal pycocoevalcap on 1,195 COCO captions', function () {
    const path = join('..', 'shared', 'data', 'coco', 'captions.json');
    let items: ReferencedCaption[];
    try {
      items = leaveOneOut(path);
    } catch {
      this.skip();
    }
    assert.equal(items.length, 1195);
    agree(items, kept.coco);
  });

  it("give the metrics of CLIPScore's example", () => {
    const references = [
      [
        'two cats are sleeping next to each other.',
        'a grey cat is cuddling with an orange cat on a blanket.',
        'the orange cat is happy that the black cat is close to it.',
      ],
      [
        'a dog is wearing ear muffs as it lies on a carpet.',
        'a black dog and an orange cat are looking at the photographer.',
        'headphones are placed on a dogs ears.',
      ],
    ];
    const captions = {
      good_captions: [
        'an orange cat and a grey cat are lying together.',
        'a black dog wearing headphones looks at the camera as an orange cat walks in the background.',
      ],
      bad_captions: [
        'a calico cat and a white cat are lying together.',
        'a black dog wearing a hat looks at the camera as a tabby walks in the background.',
      ],
    };
    for (const [name, given] of Object.entries(captions))
      agree(
        given.map((caption, i) => ({ caption, references: references[i] })),
        kept[name],
      );
  });

  it('count document frequencies on a given corpus', () => {
    const items = [{ caption: 'a red bus', references: ['a red bus'] }];
    const own = scoreOverlap(items, ['cider']).each.get('cider')!;
    assert.equal(own[0], 0, 'one image: every n-gram is in all of them');
    const corpus = [['a red bus'], ['a dog'], ['two cats on a mat']];
    const [score] = scoreOverlap(items, ['cider'], corpus).each.get('cider')!;
    assert.ok(score > 7 && score <= 10, String(score));
  });

  it('score a caption without words 0', () => {
    const { each } = scoreOverlap([{ caption: '...', references: ['a dog'] }], overlapMetrics, [
      ['a dog'],
      ['a cat'],
    ]);
    for (const [metric, scores] of each) assert.ok(scores[0] < 1e-9, `${metric}: ${scores[0]}`);
  });
});

describe('captionWords', () => {
  const pairs = read(join(oracle, 'tokens.json')) as [string, string][];

  /**
   * A caption that ends with a single letter and a full stop. In pycocoevalcap, the next caption in the file decides
   * whether the letter and the full stop are split, so such captions are not compared.
   */
  const atTheEnd = /(^|[^A-Za-z.])[A-Za-z]\.$/;

  it('splits 500 fuzzed captions like the reference', () => {
    const wrong = pairs
      .filter(([caption, tokens]) => !atTheEnd.test(caption) && captionWords(caption).join(' ') !== tokens)
      .map(([caption, tokens]) => ({ caption, tokens, own: captionWords(caption).join(' ') }));
    assert.deepEqual(wrong, []);
    assert.ok(pairs.length === 500);
  });

  it('splits web addresses, accented words, entities and apostrophes like the reference', () => {
    for (const [caption, tokens] of read(join(oracle, 'oddTokens.json')) as [string, string][])
      assert.equal(captionWords(caption).join(' '), tokens, caption);
  });
});
