import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../../../src/base/random';
import { cosine } from '../../../../src/bench/similarity';
import type { Example } from '../../../../src/dataset/example';
import type { Evaluator } from '../../../../src/evaluator/evaluator';
import { reranked } from '../../../../src/evaluator/ranking/rerank';
import { prsm } from '../../../../src/probe/prsm/prsm';
import type { QueryRow } from '../../../../src/probe/prsm/row';
import { rococo } from '../../../../src/probe/rococo/rococo';
import type { ImageRow } from '../../../../src/probe/rococo/row';
import type { OptionValue } from '../../../../src/probe/probe';
import type { ImageItem, TextItem } from '../../../../src/protocol/item';
import { encoder, type GalleryRun, metricOf, pairScorer, runGalleryProbe } from '../../probe/galleryHarness';
import type { CaptiousError } from '../../../../src/base/errors';
import { findSaid } from '../../../../src/base/say';
import { saying, sentence } from '../../../sentence';

const count = 24;
const top = 12;
const depths = [1, 5, 10];

/** A random but fixed direction per item. */
function embeddingOf(item: TextItem | ImageItem): Float32Array {
  const random = new Random(
    1,
    JSON.stringify(item.kind === 'text' ? item.text : [item.source.name, item.transforms]),
  );
  return Float32Array.from({ length: 6 }, () => random.uniform() - 0.5);
}

/** The score of a pair. There are few distinct scores, so that ties occur. */
function ownScore(image: ImageItem, text: string): number {
  return Math.floor(
    new Random(2, JSON.stringify([image.source.name, image.transforms, text])).uniform() * 40,
  );
}

function cosineOf(image: ImageItem, text: string): number {
  return cosine(embeddingOf(image), embeddingOf({ kind: 'text', text }));
}

function imageAt(name: string): ImageItem {
  return { kind: 'image', source: { name, path: name }, transforms: [] };
}

describe('a search by the scores of pairs', function () {
  this.timeout(60_000);
  let folder: string;
  let examples: Example[];
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'captious-rerank-'));
    examples = Array.from({ length: count }, (_, at): Example => {
      const name = join(folder, `image ${at}`);
      writeFileSync(name, `image ${at}`);
      const said = (text: string, role: 'caption' | 'altered') => ({
        text,
        role,
        image: 0,
        field: 'caption',
      });
      const variants = [{ text: `another wording of ${at}`, family: 'paraphrase' as const, kind: '' }];
      return {
        id: String(at),
        form: 'altered',
        row: at,
        images: [{ name }],
        captions: [
          { ...said(`first caption ${at}`, 'caption'), variants },
          said(`second caption ${at}`, 'caption'),
          said(`first altered ${at}`, 'altered'),
          said(`second altered ${at}`, 'altered'),
        ],
        attributes: {},
      };
    });
  });
  after(() => rmSync(folder, { recursive: true }));

  async function run(
    probe: typeof rococo | typeof prsm,
    evaluator: Evaluator,
    scoreOf: (image: ImageItem, text: string) => number | undefined,
    more: Record<string, number | string> = {},
  ): Promise<GalleryRun> {
    const options: Record<string, OptionValue> =
      probe.id === 'prsm'
        ? { sets: 'P1', k: '3,10' }
        : { images: 'mix-0.9', imageSeeds: '1,2', influence: false };
    const found = await runGalleryProbe(probe, examples, embeddingOf, {
      evaluators: [evaluator],
      scoreOf,
      options: { ...options, ...more },
    });
    return found[0];
  }

  for (const [what, evaluator] of [
    ['of all pairs', pairScorer()],
    ['of the first ten results', pairScorer({ top: 10 })],
  ] as const) {
    it(`ranks as an encoder does if the scores ${what} are its cosines: RoCOCO`, async () => {
      const expected = await run(rococo, encoder(), ownScore);
      const found = await run(rococo, evaluator, cosineOf);
      const searches = (all: GalleryRun): unknown[] =>
        all.findings.metrics.filter(({ id }) => /^rococo\.(i2t|t2i)/.test(id));
      assert.ok(searches(expected).length > 10);
      assert.deepEqual(searches(found), searches(expected));
      assert.deepEqual(found.markUsed, expected.markUsed);
      const images = (all: GalleryRun): unknown[] =>
        all.rows.filter((row) => (row as ImageRow).kind === 'image').map((row) => (row as ImageRow).clean);
      assert.deepEqual(images(found), images(expected));
    });

    it(`ranks as an encoder does if the scores ${what} are its cosines: PRSM`, async () => {
      const expected = await run(prsm, encoder(), ownScore);
      const found = await run(prsm, evaluator, cosineOf);
      // Only captions with a paraphrase are queries. Templates are wordings of the set P2.
      assert.ok(expected.rows.length >= count, String(expected.rows.length));
      assert.deepEqual(found.findings, expected.findings);
      assert.deepEqual(found.rows, expected.rows);
    });
  }

  it('orders the first results of the encoder by score, among altered captions too', async () => {
    const { findings, rows } = await run(rococo, pairScorer({ top }), ownScore);
    const texts = (role: string): string[] =>
      examples.flatMap(({ captions }) => captions.filter((one) => one.role === role).map(({ text }) => text));
    const [captions, altered] = [texts('caption'), texts('altered')];
    const place = (gallery: readonly string[], at: number): { ahead: number; equal: number } => {
      const image = imageAt(examples[at].images[0].name);
      const nearest = gallery
        .map((text) => ({ text, cosine: cosineOf(image, text), score: ownScore(image, text) }))
        .sort((a, b) => b.cosine - a.cosine)
        .slice(0, top);
      const own = nearest.filter(({ text }) => captions.includes(text) && text.endsWith(` ${at}`));
      if (own.length === 0) return { ahead: Infinity, equal: 0 };
      const best = Math.max(...own.map(({ score }) => score));
      const isWrong = ({ text }: { text: string }): boolean =>
        captions.includes(text) && !text.endsWith(` ${at}`);
      const equals = nearest.filter((one) => one.score === best && !own.includes(one));
      const greater = nearest.filter(({ score }) => score > best).length;
      // In a tie, captions of other images rank ahead, and altered captions share the rank.
      return {
        ahead: greater + equals.filter(isWrong).length,
        equal: equals.filter((one) => !isWrong(one)).length,
      };
    };
    for (const [name, gallery] of [
      ['', captions],
      ['stressed.', [...captions, ...altered]],
    ] as const)
      for (const depth of depths) {
        const hits = examples.map((_, at) => {
          const { ahead, equal } = place(gallery, at);
          return ahead >= depth ? 0 : ahead + equal < depth ? 1 : 0.5;
        });
        const mean = hits.reduce<number>((a, b) => a + b, 0) / count;
        assert.ok(
          Math.abs(metricOf(findings, `rococo.i2t.${name}r${depth}`)!.value! - mean) < 1e-12,
          `${name}${depth}`,
        );
      }
    for (const row of rows as ImageRow[])
      if (row.kind === 'image') {
        const scores = row.lists[0].first.map(({ score }) => score);
        assert.deepEqual(
          scores,
          [...scores].sort((a, b) => b - a),
        );
        assert.ok(Number.isFinite(row.score));
      }
  });

  it('compares the orders of all images: first by score, then by cosine', async () => {
    const { rows } = await run(
      prsm,
      pairScorer({ top }),
      (image, text) => ownScore(image, text) + cosineOf(image, text),
    );
    const names = examples.map(({ images }) => images[0].name);
    const order = (text: string): string[] => {
      const byCosine = [...names].sort((a, b) => cosineOf(imageAt(b), text) - cosineOf(imageAt(a), text));
      const score = (name: string): number => ownScore(imageAt(name), text) + cosineOf(imageAt(name), text);
      return [...byCosine.slice(0, top).sort((a, b) => score(b) - score(a)), ...byCosine.slice(top)];
    };
    const rho = (one: string, other: string): number => {
      const [a, b] = [order(one), order(other)];
      const squares = names.reduce((sum, name) => sum + (a.indexOf(name) - b.indexOf(name)) ** 2, 0);
      return 1 - (6 * squares) / (count * (count ** 2 - 1));
    };
    for (const { wordings, pairs } of rows as QueryRow[]) {
      const textOf = (label: string): string => wordings.find((one) => one.label === label)!.text;
      for (const { first, second, rho: found } of pairs)
        assert.ok(Math.abs(found! - rho(textOf(first), textOf(second))) < 1e-12);
    }
  });

  it('leaves out an evaluator that would have to score too many pairs, and says how many', async () => {
    for (const probe of [rococo, prsm]) {
      const { leftOut, findings } = await run(probe, pairScorer(), ownScore, { pairs: 100 });
      assert.equal(leftOut.length, count);
      assert.match(leftOut[0].reason, saying('probe.tooManyPairs'));
      assert.match(leftOut[0].reason, / \d+ .* 100\b.*"rerank"/);
      assert.deepEqual(findings.metrics, []);
    }
  });

  it('does not ask a judge about all pairs', async () => {
    const judge: Evaluator = {
      ...pairScorer(),
      consent: { endpoint: 'x', given: true, terms: () => '', give: () => Promise.resolve() },
    };
    for (const probe of [rococo, prsm]) {
      const { leftOut } = await run(probe, judge, ownScore);
      assert.equal(leftOut.length, count);
      const reason = probe === rococo ? 'rococo.evaluatorLacksTexts' : 'prsm.evaluatorLacksEmbeddings';
      assert.ok(leftOut[0].reason.startsWith(sentence(reason)), leftOut[0].reason);
    }
  });

  it('cannot be reranked by a judge', () => {
    const scorer: Evaluator = { ...pairScorer(), scorePairs: () => Promise.resolve([]) };
    const judge: Evaluator = { ...scorer, info: { ...scorer.info, kind: 'judge' } };
    const file = { kind: 'rerank', encoder: 'fake', scorer: 'judge' } as const;
    const own = { id: 'own', name: 'own', path: 'own.json' };
    assert.equal(reranked(encoder(), scorer, file, own).rerank, 32);
    assert.throws(
      () => reranked(encoder(), judge, file, own),
      ({ what }: CaptiousError) => findSaid(what, 'ranking.scorerCannotRerank') !== undefined,
    );
  });

  it('leaves out images and captions whose own pair has no score', async () => {
    const bad = examples[3].images[0].name;
    for (const evaluator of [pairScorer(), pairScorer({ top })]) {
      const { leftOut, findings } = await run(rococo, evaluator, (image, text) =>
        image.source.name === bad || text === 'first caption 5' ? undefined : ownScore(image, text),
      );
      assert.deepEqual(leftOut, [{ reason: 'it has no score', example: '3' }]);
      assert.equal(metricOf(findings, 'rococo.i2t.r1')!.n, count - 1);
      assert.equal(metricOf(findings, 'rococo.t2i.r1')!.n, 2 * (count - 1) - 1);
    }
    const { leftOut } = await run(prsm, pairScorer(), (image, text) =>
      image.source.name === bad ? undefined : ownScore(image, text),
    );
    assert.deepEqual(leftOut, [{ reason: 'it has no score', example: '3' }]);
  });

  it('draws the altered noun at random if no evaluator embeds captions, and says so', async () => {
    const captions = ['A dog on a beach.', 'Two cats on a sofa.'];
    const plain = captions.map((text, at) => ({
      ...examples[at],
      captions: [{ text, role: 'caption' as const, image: 0, field: 'caption' }],
    }));
    const options = { images: 'none', captions: 'same-concept' };
    const [{ findings, rows }] = await runGalleryProbe(rococo, plain, embeddingOf, {
      ...{ evaluators: [pairScorer()], scoreOf: ownScore, options },
    });
    assert.ok(findings.warnings.some((warning) => findSaid(warning, 'rococo.nounsDrawnRandomly')));
    const altered = rows.flatMap((row) => ('altered' in row ? (row.altered as { text: string }[]) : []));
    assert.equal(altered.length, 2);
    assert.ok(altered.every(({ text }) => !captions.includes(text)));
  });
});
