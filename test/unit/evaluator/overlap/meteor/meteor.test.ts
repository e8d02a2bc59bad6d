import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  addMeteorParts,
  Meteor,
  meteorOf,
  type MeteorParts,
  noMeteorParts,
} from '../../../../../src/evaluator/overlap/meteor/meteor';
import { meteorWords } from '../../../../../src/evaluator/overlap/meteor/normalise';
import { stem } from '../../../../../src/evaluator/overlap/meteor/stem';
import { Synonyms } from '../../../../../src/evaluator/overlap/meteor/synonyms';
import { scoreOverlap } from '../../../../../src/evaluator/overlap/overlap';
import { leaveOneOut } from '../leaveOneOut';

const oracle = join('test', 'oracle', 'overlap');
const wordnet = join('src', 'evaluator', 'overlap', 'meteor', 'wordnet.json');

interface Kept {
  corpus: number;
  each: number[];
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

const kept = read(join(oracle, 'meteor.json')) as Record<'samples' | 'coco', Record<'wordnet' | 'all', Kept>>;

function corpusOf(parts: readonly MeteorParts[]): number {
  const total = noMeteorParts();
  for (const one of parts) addMeteorParts(total, one);
  return meteorOf(total);
}

function agree(path: string, { wordnet: expected, all }: (typeof kept)['coco']): void {
  const items = leaveOneOut(path);
  const { each, meteor } = scoreOverlap(items, ['meteor']);
  const own = each.get('meteor')!;
  assert.equal(own.length, expected.each.length);
  expected.each.forEach((value, i) => {
    assert.ok(Math.abs(own[i] - value) <= 1e-9, `caption ${i}: ${own[i]}, ${value} expected`);
  });
  assert.ok(Math.abs(corpusOf(meteor) - expected.corpus) <= 1e-12);
  // Paraphrases only add matches. docs/metrics.md has the measured differences.
  assert.ok(all.corpus - expected.corpus > 0.007 && all.corpus - expected.corpus < 0.01);
}

describe('METEOR', () => {
  it('equals the jar without its paraphrase table on every sample caption and over the corpus', () => {
    agree(join('samples', 'captions.json'), kept.samples);
  });

  it('equals the jar without its paraphrase table on 1,195 COCO captions', function () {
    const path = join('..', 'shared', 'data', 'coco', 'captions.json');
    try {
      readFileSync(path);
    } catch {
      console.log('      skipped: ../shared/data/coco is missing');
      this.skip();
    }
    agree(path, kept.coco);
  });

  it('stems 2,172 words like the jar', () => {
    const stems = Object.entries(read(join(oracle, 'stems.json')) as Record<string, string>);
    assert.deepEqual(
      stems.filter(([word, expected]) => stem(word) !== expected),
      [],
    );
    assert.ok(stems.length > 2000);
  });

  it('divides hyphens, contractions, abbreviations and dots like the jar', () => {
    // The values are the output of the jar's edu.cmu.meteor.util.Normalizer.
    const divided: Record<string, string> = {
      'the interior of a.@kitchen yes': 'the interior of a . @ kitchen yes',
      'some-µ grass in the=middle': 'some- µ grass in the = middle',
      '$5 résumé t-shirt a-b-c š ж xµy': '$ 5 résumé t shirt a b-c š ж x µ y',
    };
    for (const [caption, words] of Object.entries(divided))
      assert.equal(meteorWords(caption).join(' '), words);
  });

  it('finds synonyms by synset, regular form and irregular form', () => {
    const synonyms = new Synonyms(wordnet);
    const share = (a: string, b: string): boolean =>
      [...synonyms.of(a)].some((synset) => synonyms.of(b).has(synset));
    assert.ok(share('couch', 'sofa'));
    assert.ok(share('couches', 'sofa'));
    assert.ok(share('geese', 'goose'));
    assert.ok(!share('dog', 'cat'));
    assert.equal(synonyms.of('qwxyz').size, 0);
  });

  it('weights a stem below a synonym below the same word, and prefers order', () => {
    const meteor = new Meteor();
    const score = (caption: string): number =>
      meteorOf(meteor.parts(caption, ['a dog sleeps near the sofa']));
    assert.equal(score('a dog sleeps near the sofa'), 1);
    assert.ok(score('a dog sleeps near the couch') < 1);
    assert.ok(score('a dog sleeping near the sofa') < score('a dog sleeps near the couch'));
    assert.ok(score('near the sofa a dog sleeps') < 1);
    assert.ok(score('sofa the near sleeps dog a') < score('near the sofa a dog sleeps'));
    assert.equal(score('two zebras'), 0);
    assert.equal(score(''), 0);
  });
});
