import { say } from '../../../src/base/say';
import { english } from '../../../src/base/english';
import assert from 'node:assert/strict';
import type { Caption, Example } from '../../../src/dataset/example';
import { rulesApply } from '../../../src/perturb/text/fileLanguage';
import { prsm } from '../../../src/probe/prsm/prsm';
import type { QueryRow } from '../../../src/probe/prsm/row';
import { rococo } from '../../../src/probe/rococo/rococo';
import { runGalleryProbe } from './galleryHarness';
import { invariance } from '../../../src/probe/invariance/invariance';
import { lexicon } from '../../../src/perturb/society/lexicon';
import { wholePlan } from './wholePlan';

const refusal = say('perturb.rulesForOthers', 'German', 'English');
const captions = ['Ein roter Bus steht am Hafen.', 'Zwei Hunde im Schnee.', 'An old man in Berlin.'];

function example(at: number, more: readonly Partial<Caption>[] = []): Example {
  const own = { text: captions[at], role: 'caption', image: 0, field: 'caption' } as const;
  return {
    id: String(at),
    form: 'captions',
    row: at,
    images: [{ name: `${at}.jpg` }],
    captions: [own, ...more.map((each): Caption => ({ ...own, ...each }))],
    attributes: {},
  };
}

/** Embeddings from the text or the image's name alone. */
const embeddingOf = (item: { kind: 'text'; text: string } | { kind: 'image'; source: { name: string } }) => {
  const name = item.kind === 'text' ? item.text : item.source.name;
  return Float32Array.from(
    [...name].reduce(
      (sums, letter, i) => {
        sums[i % 4] += letter.charCodeAt(0) - 90;
        return sums;
      },
      [1, 0, 0, 0],
    ),
  );
};
const plain = captions.map((_, at) => example(at));

describe('a file whose language has no rules', () => {
  it('decides for all of its captions, and an unknown one caption by caption', () => {
    assert.equal(rulesApply(captions[2], 'German'), false);
    assert.equal(rulesApply(captions[2], undefined), true);
    assert.equal(rulesApply(captions[1], undefined), false);
    assert.equal(rulesApply('Un chat dans la rue', 'English'), true);
  });

  for (const probe of [prsm, rococo])
    it(`has no example for ${probe.id}, and the reason names the language`, async () => {
      const [{ leftOut, markUsed }] = await runGalleryProbe(probe, plain, embeddingOf, {
        language: 'German',
      });
      assert.deepEqual(markUsed, []);
      assert.deepEqual(
        leftOut,
        plain.map(({ id }) => ({ reason: english(refusal), example: id })),
      );
    });

  it('keeps given paraphrases and the user’s own synonyms for PRSM', async () => {
    const examples = plain.map((each, at) => ({
      ...each,
      captions: each.captions.map((caption) => ({
        ...caption,
        variants: [{ text: `anders ${at}`, family: 'paraphrase' as const, kind: '' }],
      })),
    }));
    const beside = {
      builtIn: true,
      synonyms: new Map([['roter', 'rötlicher']]),
      anywhere: new Set(['roter']),
    };
    const [{ rows, findings }] = await runGalleryProbe(prsm, examples, embeddingOf, {
      language: 'German',
      beside,
    });
    const texts = (rows as QueryRow[]).flatMap(({ wordings }) => wordings.map(({ text }) => text)).sort();
    const expected = [...captions, 'anders 0', 'anders 1', 'anders 2', 'Ein rötlicher Bus steht am Hafen.'];
    assert.deepEqual(texts, expected.sort());
    assert.ok(findings.warnings.some((warning) => english(warning).includes(english(refusal))));
  });

  it('keeps altered captions of the file for RoCOCO, without the influence of nouns', async () => {
    const examples = plain.map((_, at) => example(at, [{ text: `Ein Löffel ${at}`, role: 'altered' }]));
    const [{ findings, markUsed }] = await runGalleryProbe(rococo, examples, embeddingOf, {
      language: 'German',
      options: { images: 'none', deletion: true, words: true },
    });
    assert.equal(markUsed.length, 3);
    assert.deepEqual(
      findings.metrics.filter(({ id, slice }) => /ei\b|influence|agreement/i.test(id) || slice !== undefined),
      [],
    );
    assert.ok(findings.metrics.some(({ id }) => id === 'rococo.i2t.rsms'));
    assert.ok(findings.warnings.some((warning) => english(warning).includes(english(refusal))));
    const [policy] = await runGalleryProbe(rococo, examples, embeddingOf, {
      language: 'German',
      options: { captions: 'same-concept' },
    });
    assert.equal(policy.leftOut.length, 3);
  });

  it('has no rewritten captions in an invariance audit, and the row says why', () => {
    const one = example(2, [{ text: 'A happy man with a poor woman.' }]);
    const planned = (language: string | undefined) =>
      wholePlan(invariance, one, {
        dataset: 'test',
        seed: 42,
        options: {},
        scores: ['image-text'],
        beside: { lexicon },
        ...(language === undefined ? {} : { language }),
        image: () => ({ kind: 'image', source: { name: 'a', path: 'a' }, transforms: [] }),
      });
    const natural = (language: string | undefined) =>
      planned(language).rows.flatMap(({ variants }) => variants.filter((variant) => 'natural' in variant));
    assert.ok(natural('English').length > 0);
    assert.deepEqual(natural('German'), []);
    assert.deepEqual(planned('German').rows[0].row.rejected.at(-1), {
      what: 'words in captions of the dataset',
      reason: refusal,
    });
  });
});
