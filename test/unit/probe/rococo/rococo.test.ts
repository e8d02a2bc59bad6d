import assert from 'node:assert/strict';
import type { Metric } from '../../../../src/probe/metric';
import { findSaid, say } from '../../../../src/base/say';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Example } from '../../../../src/dataset/example';
import { english } from '../../../../src/base/english';
import type { Rows } from '../../../../src/evaluator/ranking/rows';
import { type Alteration, changedWord, plainly } from '../../../../src/probe/rococo/alter';
import { alteredBy, alteredByWords, type AlteredSet } from '../../../../src/probe/rococo/altered';
import { chooseNoun, lowest, type WeighedCaption } from '../../../../src/probe/rococo/influence';
import type { Participant } from '../../../../src/probe/rococo/participant';
import { rococo } from '../../../../src/probe/rococo/rococo';
import type { CaptionRow, ImageRow } from '../../../../src/probe/rococo/row';
import { headlineOf } from '../../../../src/probe/headline';
import { metricNameWithKind } from '../../../../src/report/figures';
import { metricOf as panelMetricOf } from '../../../../src/service/panelReport';
import { nounsOf } from '../../../../src/perturb/words/replace';
import { readOracle, type RetrievalExample, unpack } from '../../evaluator/ranking/oracle';
import { encoder, type EmbeddingOf, metricOf, runGalleryProbe } from '../galleryHarness';
import { type ControlOracle, isControl } from './controlOracle';
import { saying, sentence } from '../../../sentence';

function example(
  id: string,
  row: number,
  captions: string[],
  altered: string[],
  image = `${id}.jpg`,
): Example {
  return {
    id,
    form: 'altered',
    row,
    images: [{ name: image }],
    captions: [
      ...captions.map((text) => ({ text, role: 'caption' as const, image: 0, field: 'caption' })),
      ...altered.map((text) => ({ text, role: 'altered' as const, image: 0, field: 'caption' })),
    ],
    attributes: {},
  };
}

function participantOf(texts: string[]): Participant {
  const entry = example('x', 0, texts, []);
  return {
    ...{ example: entry, entries: [entry], given: [] },
    captions: entry.captions.map((caption) => ({ ...caption, entry })),
    ...{ truths: texts, own: new Set(texts.map(plainly)) },
  };
}

/** A direction from a text's words. Texts that share words are close. */
function bagOfWords(text: string): Float32Array {
  const row = new Float32Array(64);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    let hash = 7;
    for (const letter of word) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0;
    row[hash % 64] += 1 + word.length / 10;
  }
  row[0] += 0.01;
  return row;
}

describe('RoCOCO', function () {
  this.timeout(60_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'captious-rococo-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('counts the altered captions that an encoder which truncates cannot see', async () => {
    const examples = Array.from({ length: 4 }, (_, i) =>
      example(
        `e${i}`,
        i,
        [`one two three cat ${i}`],
        [i < 3 ? `one two three dog ${i}` : `six two three cat ${i}`],
      ),
    );
    const [{ findings }] = await runGalleryProbe(
      rococo,
      examples,
      (item) => (item.kind === 'text' ? bagOfWords(item.text.split(' ').slice(0, 3).join(' ')) : undefined),
      { evaluators: [encoder({ images: false })], options: { captions: 'file', images: 'none' } },
    );
    assert.equal(metricOf(findings, 'rococo.text.unseen')?.value, 0.75);
  });

  for (const name of ['random', 'ties'] as const) {
    it(`has the oracle's metrics, including ties: ${name}`, async () => {
      const oracle = readOracle<Record<typeof name, RetrievalExample>>('rococo/retrieval.json')[name];
      const sets = {
        photo: unpack(oracle.images),
        caption: unpack(oracle.captions),
        altered: unpack(oracle.alteredCaptions),
        mixed: unpack(oracle.alteredImages),
      };
      const rowOf = ({ data, dimension }: Rows, at: number): Float32Array =>
        data.slice(at * dimension, (at + 1) * dimension);
      const embeddingOf: EmbeddingOf = (item) => {
        if (item.kind === 'image') {
          const at = Number(/(\d+)$/.exec(item.source.name)![1]);
          return rowOf(item.transforms.length > 0 ? sets.mixed : sets.photo, at);
        }
        const [, kind, at] = /^(caption|altered) (\d+)$/.exec(item.text)!;
        return rowOf(sets[kind as 'caption' | 'altered'], Number(at));
      };
      const per = oracle.perImage;
      const numbers = (at: number): number[] => Array.from({ length: per }, (_, c) => at * per + c);
      const examples = Array.from({ length: sets.photo.count }, (_, at) => {
        const path = join(folder, `photo ${at}`);
        writeFileSync(path, `photo ${at}`);
        const captions = numbers(at).map((c) => `caption ${c}`);
        return example(
          String(at),
          at,
          captions,
          numbers(at).map((c) => `altered ${c}`),
          path,
        );
      });
      const options = { images: 'mix-0.9', imageSeeds: '1', influence: false };
      const [{ findings, rows, markUsed }] = await runGalleryProbe(rococo, examples, embeddingOf, {
        options,
      });
      assert.equal(markUsed.length, examples.length);
      for (const direction of ['i2t', 't2i'] as const) {
        const { rates, ties } = oracle[direction];
        for (const [own, theirs] of Object.entries({
          r1: 'r1',
          r5: 'r5',
          r10: 'r10',
          'stressed.r1': 's1',
          'stressed.r5': 's5',
          'stressed.r10': 's10',
          rsms: 'rsms',
          dropRate: 'dropRate',
        })) {
          const metric = metricOf(findings, `rococo.${direction}.${own}`)!;
          assert.equal(metric.value, rates[theirs], `${direction} ${own}`);
          if (own !== 'dropRate') assert.equal(metric.ties, ties[theirs], `ties of ${direction} ${own}`);
        }
      }
      isControl(findings.metrics, readOracle<ControlOracle>('rococo/control.json')[name].all);
      // Without a slice, a metric of altered entries covers one kind. Its name, the panel and the headline show the kind.
      const unlabelled = (id: string) => findings.metrics.find((m) => m.id === id && m.slice === undefined)!;
      const rsms = unlabelled('rococo.t2i.rsms');
      assert.equal(metricNameWithKind(rsms), 'rococo.t2i.rsms (mix-0.9)');
      assert.equal(panelMetricOf(rsms).kind, 'mix-0.9');
      assert.equal(panelMetricOf(unlabelled('rococo.t2i.r1')).kind, undefined);
      const drop = unlabelled('rococo.t2i.dropRate');
      const percent = `${Math.round(drop.value! * 100)} %`.replace('-', '−');
      const dropValues = (metrics: readonly Metric[]) =>
        findSaid(headlineOf(rococo, 'One', { metrics, claims: [] }), 'rococo.dropHeadline')?.values;
      const altered = say('probe.nameWithDetail', say('probe.alteredImages'), 'mix-0.9');
      assert.deepEqual(dropValues([drop]), ['One', percent, altered]);
      const fromFile = say('probe.nameWithDetail', say('rococo.alteredCaptions'), 'file');
      assert.deepEqual(dropValues(findings.metrics)?.[2], fromFile);
      const images = rows.filter((row): row is ImageRow => (row as ImageRow).kind === 'image');
      const leads = images.map(
        ({ lists, score }) => lists[0].first.find(({ kind }) => kind === 'altered')!.score - score,
      );
      assert.ok(
        leads[0] >= 0 && leads.slice(1).every((lead, at) => Math.max(0, lead) <= Math.max(0, leads[at])),
      );
      const hits = new Map(images.map(({ example, lists }) => [Number(example), lists[0].rsms]));
      assert.deepEqual(
        examples.map((_, at) => hits.get(at)),
        oracle.i2t.hits.rsms,
      );
    });
  }

  it('weighs nouns, lets encoders vote, and alters the noun with the lowest weight', async () => {
    const examples = [
      example('a', 0, ['A dog on a beach with an umbrella.', 'A brown dog by the sea.'], []),
      example('b', 1, ['Two cats sleep on a sofa.'], []),
    ];
    const evaluators = [encoder({ id: 'one', images: false }), encoder({ id: 'two', images: false })];
    const embeddingOf: EmbeddingOf = (item) => (item.kind === 'text' ? bagOfWords(item.text) : undefined);
    const [first, second] = await runGalleryProbe(rococo, examples, embeddingOf, { evaluators });
    const rows = first.rows as CaptionRow[];
    assert.deepEqual(
      rows.map(({ example }) => example),
      ['a', 'a', 'b'],
    );
    const [dog] = rows;
    assert.deepEqual(
      dog.words!.map(({ text }) => text),
      ['dog', 'beach', 'umbrella'],
    );
    const weights = dog.words!.map(({ influence }) => influence!);
    assert.equal(dog.chosen, weights.indexOf(Math.min(...weights)));
    assert.deepEqual([dog.votes, dog.voters], [2, 2]);
    const [altered] = dog.altered;
    assert.equal(altered.source, 'same-concept');
    assert.equal(altered.from, dog.words![dog.chosen].text);
    assert.equal(altered.fromConcept, altered.toConcept);
    assert.equal(altered.text, dog.caption.replace(altered.from, altered.to!));
    assert.deepEqual(second.rows, rows, 'both weigh alike and have the same alterations');
    assert.equal(metricOf(first.findings, 'rococo.agreement', { encoders: 2 })!.value, 1);
    assert.equal(metricOf(first.findings, 'rococo.agreement', { encoders: 1 })!.value, 0);
    assert.equal(
      first.findings.metrics.some(({ id }) => id.startsWith('rococo.i2t')),
      false,
    );
  });

  it('leaves out and counts altered captions that equal a true one', async () => {
    const examples = [example('a', 0, ['A dog. ', 'A cat on a mat'], ['a cat on a  mat', 'a gun on a mat'])];
    const embeddingOf: EmbeddingOf = (item) => (item.kind === 'text' ? bagOfWords(item.text) : undefined);
    const [{ findings, rows }] = await runGalleryProbe(rococo, examples, embeddingOf, {
      options: { textOnly: true },
    });
    assert.deepEqual(findings.warnings[0], say('rococo.fileAlterationsEqualTrue', 1));
    assert.deepEqual(
      (rows as CaptionRow[]).map(({ altered }) => altered.map(({ text }) => text)),
      [[], ['a gun on a mat']],
    );
  });

  it('counts random replacements that equal a true caption', async () => {
    const first = 'A dog and a cat sit on a sofa in a room.';
    const alone = participantOf([first]);
    const set = await alteredByWords(2, { participants: [alone] }, [1]);
    const [made] = set.draws[0].get(alone)!;
    assert.equal(set.dropped, 0);
    // The same seed makes the same altered caption. It is now also a true caption, so it is dropped.
    const twice = await alteredByWords(2, { participants: [participantOf([first, made.text])] }, [1]);
    assert.ok([...twice.draws[0].values()].flat().every(({ text }) => text !== made.text));
    assert.equal(twice.dropped, 1);
  });

  /** One entry for each caption of some images, in an order in which no image's entries are adjacent. */
  const apart = (images: Record<string, [caption: string, altered?: string][]>): Example[] => {
    const most = Math.max(...Object.values(images).map(({ length }) => length));
    return Array.from({ length: most }, (_, turn) =>
      Object.entries(images).flatMap(([image, texts]) =>
        turn < texts.length ? [{ image, texts: texts[turn] }] : [],
      ),
    )
      .flat()
      .map(({ image, texts: [caption, altered] }, row) => ({
        ...example(`e${row}`, row, [caption], altered === undefined ? [] : [altered], image),
        place: { line: row + 1, column: 1, offset: 0, length: 1 },
      }));
  };

  it('takes the entries of an image together, and leads each caption to its own', async () => {
    const texts: Record<string, [string, string?][]> = {
      'a.jpg': [
        ['A dog on a mat', 'A gun on a mat'],
        ['Two small pets'],
        ['A gun on a mat', 'A dog on a mat'],
      ],
      'b.jpg': [['A red bus'], ['Traffic in town', 'Traffic in jail']],
    };
    const grouped = Object.entries(texts).map(([image, own], row) => {
      const altered = own.flatMap(([, one]) => one ?? []);
      return example(
        image,
        row,
        own.map(([caption]) => caption),
        altered,
        image,
      );
    });
    const run = async (examples: readonly Example[]) => {
      const options = { captions: 'file', images: 'none', influence: false };
      const embeddingOf: EmbeddingOf = (item) =>
        bagOfWords(item.kind === 'text' ? item.text : item.source.name);
      const [done] = await runGalleryProbe(rococo, examples, embeddingOf, { options });
      return done;
    };
    const [one, each] = [await run(grouped), await run(apart(texts))];
    const searches = ({ findings }: typeof one) => findings.metrics.filter(({ id }) => /[it]2[it]/.test(id));
    assert.deepEqual(searches(each), searches(one));
    // An altered caption that is true in another entry of the image is none.
    assert.deepEqual(
      each.findings.warnings.map((words) => english(words).match(/\d+/)?.[0]),
      ['2'],
    );
    assert.deepEqual(each.markUsed, ['e0', 'e2', 'e4', 'e1', 'e3']);
    const rows = each.rows as (CaptionRow | ImageRow)[];
    assert.deepEqual(
      rows.flatMap(({ kind, caption, example: id, row, place }) =>
        kind === 'caption' ? [[caption, id, row, place?.line]] : [],
      ),
      [
        ['A dog on a mat', 'e0', 0, 1],
        ['Two small pets', 'e2', 2, 3],
        ['A gun on a mat', 'e4', 4, 5],
        ['A red bus', 'e1', 1, 2],
        ['Traffic in town', 'e3', 3, 4],
      ],
    );
    const images = rows.filter((row) => row.kind === 'image');
    assert.deepEqual(images.map(({ example: id }) => id).sort(), ['e0', 'e1']);
    const lineOf = new Map(apart(texts).map(({ captions, place }) => [captions[0].text, place?.line]));
    for (const { caption, place } of images) assert.equal(place?.line, lineOf.get(caption));
    const listed = images.flatMap(({ first }) => first.map(({ text, of }) => [text, of]));
    assert.deepEqual(
      new Set(listed.filter(([text]) => text === 'Two small pets').map(([, of]) => of)),
      new Set(['e2']),
    );
  });

  it('leaves out entries with further captions of an image, which are true all the same', async () => {
    const captions = ['one dog', 'two dogs', 'three dogs', 'four dogs', 'five dogs', 'six dogs'];
    const last: [string, string] = ['seven cats', 'seven dogs'];
    const examples = apart({
      'a.jpg': [...captions.map((text): [string, string?] => [text]), last],
      'b.jpg': [
        ['a mat', 'a hat'],
        ['a rug', 'six dogs'],
      ],
    });
    examples[0].captions.push({ ...examples[0].captions[0], role: 'altered', text: 'six dogs' });
    const [{ leftOut, markUsed, rows }] = await runGalleryProbe(
      rococo,
      examples,
      (item) => bagOfWords(item.kind === 'text' ? item.text : item.source.name),
      { options: { captions: 'file', images: 'none', influence: false } },
    );
    const beyond = examples.filter(({ captions: [{ text }] }) => /six dogs|seven/.test(text));
    assert.deepEqual(
      leftOut.map((one) => one.example),
      beyond.map(({ id }) => id),
    );
    assert.equal(markUsed.length, examples.length - 2);
    const altered = (rows as CaptionRow[]).flatMap((row) => (row.kind === 'caption' ? row.altered : []));
    assert.deepEqual(
      altered.map(({ text }) => text),
      ['a hat', 'six dogs'],
    );
  });

  it('uses the captions of the first image of an entry', async () => {
    const pair = example('p', 0, ['a dog'], [], 'dog.jpg');
    pair.images.push({ name: 'cat.jpg' });
    pair.captions.push({ ...pair.captions[0], text: 'a cat', image: 1 });
    const [{ rows }] = await runGalleryProbe(
      rococo,
      [pair, example('q', 1, ['a bus'], [], 'bus.jpg')],
      (item) => bagOfWords(item.kind === 'text' ? item.text : item.source.name),
      { options: { images: 'none', influence: false } },
    );
    assert.deepEqual(
      (rows as CaptionRow[]).flatMap((row) => (row.kind === 'caption' ? [row.caption] : [])),
      ['a dog', 'a bus'],
    );
  });

  it('tells parts of one image apart, and embedded images with one name', async () => {
    const crop = { x: 0, y: 0, width: 9, height: 9 };
    const refs: Example['images'] = [
      { name: 'a.jpg', crop },
      { name: 'a.jpg', crop: { ...crop, x: 9 } },
      { name: 'a.jpg', bytes: Uint8Array.of(1) },
      { name: 'a.jpg', bytes: Uint8Array.of(2) },
    ];
    const examples = [...refs, ...refs].map((ref, row) => ({
      ...example(`e${row}`, row, [`text ${row}`], []),
      images: [ref],
    }));
    const [{ rows }] = await runGalleryProbe(
      rococo,
      examples,
      (item) => bagOfWords(item.kind === 'text' ? item.text : item.source.name),
      { options: { images: 'none', influence: false } },
    );
    const images = (rows as ImageRow[]).filter(({ kind }) => kind === 'image');
    assert.deepEqual(
      images.map(({ example: id }) => id),
      ['e0', 'e1', 'e2', 'e3'],
    );
  });

  it('leaves out examples without an image if images are requested', async () => {
    const examples = [
      example('a', 0, ['A dog.'], []),
      example('b', 1, ['A cat.'], []),
      { ...example('c', 2, ['A cow.'], []), images: [] },
    ];
    const embeddingOf: EmbeddingOf = (item) =>
      bagOfWords(item.kind === 'text' ? item.text : item.source.name);
    const [{ markUsed, leftOut, findings }] = await runGalleryProbe(rococo, examples, embeddingOf, {
      options: { images: 'none' },
      image: ({ id }) =>
        id === 'a' ? { kind: 'image', source: { name: 'dog', path: 'dog' }, transforms: [] } : undefined,
    });
    assert.deepEqual(markUsed, ['a']);
    assert.deepEqual(leftOut, [
      { reason: sentence('probe.imageNotFound'), example: 'b' },
      { reason: sentence('probe.noImage'), example: 'c' },
    ]);
    assert.equal(metricOf(findings, 'rococo.i2t.r1')!.n, 1);
  });

  it('adds the prefix only to texts that are scored against an image', async () => {
    const seen = new Set<string>();
    const embeddingOf: EmbeddingOf = (item) => {
      if (item.kind === 'text') seen.add(item.text);
      return bagOfWords(item.kind === 'text' ? item.text : 'A photo depicts a dog');
    };
    const evaluators = [encoder({ prefix: 'A photo depicts ' })];
    const examples = [example('a', 0, ['A dog.'], ['a gun'])];
    await runGalleryProbe(rococo, examples, embeddingOf, { evaluators, options: { images: 'none' } });
    for (const text of ['A photo depicts A dog.', 'A photo depicts a gun', 'A dog.', 'a gun'])
      assert.ok(seen.has(text), text);
  });

  it('says what is wrong with an option', async () => {
    const run = (options: Record<string, string>) =>
      runGalleryProbe(rococo, [], () => undefined, { options });
    await assert.rejects(run({ images: 'blur-1' }), saying('rococo.alteredImageKindInvalid'));
    await assert.rejects(run({ imageSeeds: 'x' }), saying('rococo.seedsInvalid'));
    await assert.rejects(run({ captions: 'file' }), saying('rococo.noAlteredCaptions'));
  });
});

describe('the new word of an altered caption', () => {
  /** A voter that finds the first noun of each caption least influential. */
  const weighed = (captions: string[]): Map<Participant, WeighedCaption[]> => {
    const voter = encoder();
    const participant = participantOf(captions);
    const all = captions.map((text, index): WeighedCaption => {
      const nouns = nounsOf(text);
      return {
        ...{ example: 'x', index, text, key: ['x.jpg', text], nouns, voters: [voter] },
        influence: new Map([[voter, nouns.map((_, i) => i / 10)]]),
      };
    });
    return new Map([[participant, all]]);
  };
  const altered = async (
    captions: string[],
    seed: number,
  ): Promise<{ set: AlteredSet; made: Alteration[] }> => {
    const weights = weighed(captions);
    const set = await alteredBy('same-concept', { participants: [...weights.keys()], weights, seed }, false);
    return { set, made: [...set.draws[0].values()].flat() };
  };

  it('replaces the next noun if the policy has no word for the chosen one', async () => {
    const { set, made } = await altered(['A snorfle stands near a dog.'], 42);
    assert.equal(set.missing, 0);
    assert.equal(made[0].from, 'dog');
  });

  it('is missing, and counted, if the policy has no word for any noun', async () => {
    const { set, made } = await altered(['A snorfle.', 'A dog.'], 42);
    assert.deepEqual([set.missing, made.length], [1, 1]);
  });

  it('is in no caption of the image, and names nothing that they name', async () => {
    const others = ['A kitten and two horses.', 'A cow.', 'Three sheep by a puppy.'];
    for (let seed = 0; seed < 200; seed++) {
      const { made } = await altered(['A goat stands on a hill.', ...others], seed);
      const [{ to }] = made;
      assert.doesNotMatch(
        to!,
        /^(cat|kitten|horse|pony|cow|bull|ox|calf|sheep|lamb|dog|puppy)$/,
        String(seed),
      );
    }
  });
});

describe('the chart of chosen nouns', () => {
  it('names the number of nouns that it shows', async () => {
    const titled = async (nouns: number) => {
      const rows = Array.from({ length: nouns }, (_, at): CaptionRow => {
        const text = `noun${at}`;
        const words = [{ text, start: 0, end: text.length, influence: 0.1 }];
        return {
          ...{ example: text, row: at, kind: 'caption', caption: text, altered: [], words, chosen: 0 },
        };
      });
      const charts = await rococo.charts!(
        { evaluator: { name: 'Tiny' }, metrics: [] },
        (async function* () {
          yield* rows;
        })(),
      );
      const bars = charts.find((chart) => chart.type === 'bars')!;
      return [bars.title, bars.bars.length];
    };
    const title = (shown: number, captions: number) => say('rococo.leastInfluentialNouns', shown, captions);
    assert.deepEqual(await titled(3), [title(3, 3), 3]);
    assert.deepEqual(await titled(25), [title(20, 25), 20]);
  });
});

describe('the noun to alter', () => {
  const weighed = (influence: number[][]): Pick<WeighedCaption, 'key' | 'influence' | 'voters'> => {
    const voters = influence.map((_, at) => encoder({ id: String(at) }));
    return {
      key: ['x.jpg', 'A dog by a cat.'],
      influence: new Map(voters.map((one, at) => [one, influence[at]])),
      voters,
    };
  };

  it('is the word with the lowest weight in most encoders', () => {
    assert.deepEqual(
      chooseNoun(
        weighed([
          [0.3, 0.1],
          [0.1, 0.3],
          [0.4, 0.2],
        ]),
        42,
      ),
      { noun: 1, votes: 2, voters: 3 },
    );
    assert.equal(chooseNoun(weighed([[], []]), 42), undefined);
    assert.deepEqual(chooseNoun(weighed([[NaN, 0.5]]), 42), { noun: 1, votes: 1, voters: 1 });
  });

  it('is drawn among equals, the same for the same seed', () => {
    const equals = weighed([
      [0.1, 0.2],
      [0.2, 0.1],
    ]);
    const drawn = Array.from({ length: 40 }, (_, seed) => chooseNoun(equals, seed)!.noun);
    assert.deepEqual(new Set(drawn), new Set([0, 1]));
    assert.equal(chooseNoun(equals, 5)!.noun, chooseNoun(equals, 5)!.noun);
    assert.deepEqual(lowest([0.2, 0.1, 0.1]), [1, 2]);
  });

  it('is recognised in given alterations', () => {
    assert.equal(plainly('A  Dog runs. '), 'a dog runs');
    assert.deepEqual(changedWord('A dog, on a beach. ', 'a dog, on a desk'), {
      from: 'beach',
      to: 'desk',
      fromConcept: 'nature',
      toConcept: 'furniture',
    });
    assert.equal(changedWord('A dog on a beach', 'a cat on a desk'), undefined);
    assert.deepEqual(
      nounsOf('A dog on a beach').map(({ lower }) => lower),
      ['dog', 'beach'],
    );
  });
});
