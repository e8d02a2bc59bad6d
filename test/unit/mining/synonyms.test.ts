import assert from 'node:assert/strict';
import type { Example } from '../../../src/dataset/example';
import type { AskChat } from '../../../src/mining/chat';
import { Unanswered } from '../../../src/mining/lm';
import {
  adjectivesOfPeople,
  attributesOf,
  type Attribute,
  type Put,
  refuseSynonym,
  type Synonym,
  synonymsByLm,
} from '../../../src/mining/synonyms';
import { attributed } from '../../../src/probe/prsm/wordings';

const put: Put = (caption, attribute, synonym) =>
  attributed(caption, [attribute], new Map([[attribute, synonym]])).get('a1');

async function* stream(captions: readonly string[], race?: string): AsyncGenerator<Example> {
  await Promise.resolve();
  for (const [row, text] of captions.entries())
    yield {
      id: String(row),
      form: 'captions',
      row,
      images: [{ name: `${row}.jpg` }],
      captions: [{ text, role: 'caption', image: 0, field: 'caption' }],
      attributes: race === undefined ? {} : { race },
    };
}

const old: Attribute = { attribute: 'old', caption: 'An old man riding a horse', count: 1 };

async function written(ask: AskChat, attributes = [old]) {
  const reasons: string[] = [];
  const found: Synonym[] = [];
  const options = { model: 'tiny', ask, parallel: 2 };
  for await (const one of synonymsByLm(attributes, put, options, (reason) => reasons.push(reason)))
    found.push(one);
  return { found, reasons };
}

describe('synonyms by a language model', () => {
  it('cover the adjectives of people, most frequent first', async () => {
    assert.deepEqual(adjectivesOfPeople('An old happy man next to several young women and a red car'), [
      'old',
      'happy',
      'young',
    ]);
    const captions = ['A young man.', 'An old man on a red bus.', 'A young girl.'];
    assert.deepEqual(
      (await attributesOf(stream(captions), [], put)).map(({ attribute, count }) => [attribute, count]),
      [
        ['young', 2],
        ['old', 1],
      ],
    );
  });

  it('cover the attributes that columns name, if the caption has them', async () => {
    const found = await attributesOf(
      stream(['A photo of an Indian doctor', 'A nurse'], 'Indian'),
      ['race'],
      put,
    );
    assert.deepEqual(found, [{ attribute: 'indian', caption: 'A photo of an Indian doctor', count: 1 }]);
  });

  it('are the first that passes the lint and keeps the meaning of a caption', async () => {
    const asked: string[] = [];
    const { found, reasons } = await written((prompt) => {
      asked.push(prompt);
      if (prompt.startsWith('You write synonyms')) return Promise.resolve('["very old", "young", "aged"]');
      return Promise.resolve(prompt.includes('A young man') ? '{"same": false}' : '{"same": true}');
    });
    assert.deepEqual(found, [
      { attribute: 'old', synonym: 'aged', example: 'An aged man riding a horse', from: 'tiny, checked' },
    ]);
    assert.deepEqual(reasons, ['a synonym repeats the attribute', 'the model rejects a synonym']);
    assert.equal(asked.length, 3);
    assert.ok(asked[2].includes(JSON.stringify('An aged man riding a horse')));
  });

  it('are missing, with the reason, where the model gives no usable answer', async () => {
    const { found, reasons } = await written(
      (prompt) =>
        !prompt.includes('"happy"') ? Promise.resolve('aged') : Promise.reject(new Unanswered('cut off')),
      [old, { attribute: 'happy', caption: 'A happy man', count: 1 }],
    );
    assert.deepEqual(found, []);
    assert.deepEqual(reasons.sort(), ['an answer is not in the expected format', 'cut off']);
  });

  it('are plain words of the same attribute', () => {
    for (const [synonym, reason] of [
      ['Old', 'equals'],
      ['very old', 'repeats'],
      ['not young', 'negation'],
      ['{"aged"}', 'plain'],
      ['old enough to be wise', 'long'],
      ['grandfather', 'person'],
    ])
      assert.match(refuseSynonym('old', synonym) ?? '', new RegExp(reason), synonym);
    for (const synonym of ['elderly', 'aged', 'up in years'])
      assert.equal(refuseSynonym('old', synonym), undefined);
    assert.equal(refuseSynonym('black', 'African American'), undefined);
  });
});
