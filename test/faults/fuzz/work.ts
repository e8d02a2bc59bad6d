import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { CheckSession, checkSchema } from '../../../src/sessions/check';
import { findLeft } from '../../../src/audit/resume/checkpoint';
import { readInstances } from '../../../src/dataset/instances';
import { positivesByChat } from '../../../src/mining/chat';
import { TripletSession, sessionSchema } from '../../../src/sessions/triplets';
import { readLexicon } from '../../../src/perturb/society/lexicon';
import lexicon from '../../../src/perturb/society/lexicon.json';
import { type RowAsk, rowRequests, type Selection } from '../../../src/protocol/rows';
import { reportFiles } from '../../../src/service/rows/rowFile';
import { Shelf, type ShelfRequest } from '../../../src/service/rows/shelf';
import { reportOf, sealOfText } from '../../unit/report/reportOf';
import { rowSeeds } from './messages';
import { altered, mutated } from './mutate';
import { orToldApart, type Target } from './target';

/** The name of an unfinished file that any process may claim. */
const freePart = (name: string): string => `.${name}.0123456789abcdef.free.part`;

/** A seed with changes to its value or to its bytes. */
function changed(seeds: readonly unknown[]): fc.Arbitrary<Buffer> {
  return fc.oneof(
    altered(seeds).map((value) => Buffer.from(JSON.stringify(value) ?? '')),
    mutated(seeds.map((seed) => Buffer.from(JSON.stringify(seed)))),
  );
}

const decision = { status: 'open', caption: 'a cat', second: 'one cat', negative: 'a dog' };
const triplets = {
  schema: sessionSchema,
  annotator: 'a',
  origin: { path: 'd.tsv', sha256: 'aa', how: 'pairs', seed: 1 },
  items: [
    {
      ...{ id: '1', image: '1.jpg', caption: 'a cat', decision },
      positives: [{ text: 'one cat', from: 'rule' }],
      negatives: [{ text: 'a dog', from: 'rule' }],
    },
  ],
  done: [{ item: 0, before: decision, after: { ...decision, status: 'accepted' } }],
  undone: [{ item: 0, before: decision, after: { ...decision, status: 'rejected' } }],
};
const version = { image: '1.jpg', transforms: [{ op: 'blur', sigma: 2 }], text: 'a cat' };
const judgement = { left: 'fully', right: null, better: 'equal' };
const check = {
  schema: checkSchema,
  annotator: 'a',
  origin: { report: 'r', rowsSha256: 'aa', dataset: 'd', images: ['i'], seed: 1 },
  items: [
    {
      ...{ id: '1', axis: 'a', family: 'f', variant: 'v', original: version, changed: version },
      ...{ changedOn: 'left', judgement },
    },
  ],
  done: [{ item: 0, before: judgement, after: judgement }],
  undone: [],
};

const sessions: Target = {
  name: 'sessions of people',
  share: 0.04,
  property: () =>
    fc.asyncProperty(
      fc.constantFrom<(text: string) => TripletSession | CheckSession>(
        (text) => TripletSession.parse(text, 'x'),
        (text) => CheckSession.parse(text, 'x'),
      ),
      changed([triplets, check]),
      async (parse, content) => {
        await orToldApart(() => {
          const session = parse(content.toString());
          assert.deepEqual(JSON.parse(parse(session.toString()).toString()), JSON.parse(session.toString()));
          while (session.canUndo) session.undo();
          while (session.canRedo) session.redo();
          if (session instanceof TripletSession)
            assert.ok([...session.triplets()].length <= session.items.length);
        });
      },
    ),
};

const selection: Selection = { text: 'a', facets: {}, sort: 'worst' };

/** The panel's requests for untrusted rows. */
const panelRows: Target = {
  name: 'rows in the panel',
  share: 0.03,
  property: (folder) => {
    const path = join(folder, 'x.report.json');
    const content = fc.array(
      fc.oneof(
        changed(rowSeeds),
        fc.constantFrom(...rowSeeds).map((seed) => Buffer.from(JSON.stringify(seed))),
      ),
      { maxLength: 3 },
    );
    const probe = fc.constantFrom(
      'visla',
      'lgip',
      'sugarcrepe',
      'winoground',
      'rococo',
      'prsm',
      'invariance',
    );
    return fc.asyncProperty(probe, content, async (name, lines) => {
      const text = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
      const report = reportOf({ probe: name, ...sealOfText(text) });
      writeFileSync(path, JSON.stringify(report));
      writeFileSync(join(folder, report.rows), text);
      const shelf = new Shelf(reportFiles);
      const base = { report: path, selection };
      const answers = async <N extends ShelfRequest>(name: N, ...asks: RowAsk<N>[]): Promise<void> => {
        for (const ask of asks)
          await orToldApart(async () => {
            const answer = await shelf.answer(name, ask);
            rowRequests[name].answer(structuredClone(answer), '');
          });
      };
      try {
        await answers('facets', { report: path });
        const plain = { ...selection, sort: 'length', text: '' } as const;
        await answers(
          'lines',
          { ...base, offset: 0, limit: 10 },
          { ...base, selection: plain, offset: 0, limit: 10 },
        );
        await answers('charts', base);
        await answers('detail', { report: path, index: 0 }, { report: path, index: 1 });
        await answers('marks', { report: path, from: 1, to: 9 });
        await answers('find', { report: path, line: 2 });
        await answers(
          'miss',
          { report: path, line: 1, back: false },
          { report: path, line: 9, index: 1, back: true },
        );
        await orToldApart(async () => void (await shelf.transforms(path, 0)));
      } finally {
        await shelf.close();
      }
    });
  },
};

const mark = {
  examples: 2,
  position: { row: 1, nth: 1, place: { line: 2, column: 1, offset: 9, length: 8 } },
  images: 'aa',
  evaluatorRuns: [
    { bytes: 2, lines: 1, crc: 5, examples: 1, leftOut: [{ reason: 'r', line: 3 }], cut: 'aa' },
  ],
};

const checkpoints: Target = {
  name: 'checkpoints of runs',
  share: 0.02,
  property: (folder) => {
    const identity = '0123456789abcdef'.repeat(4);
    const part = freePart('rows.jsonl');
    const head = { schema: 'captious/journal@1', identity, host: 'h', parts: [part] };
    const summed = (json: string): string => `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`;
    const line = (seed: unknown): fc.Arbitrary<Buffer> =>
      fc.oneof(
        altered([seed]).map((value) => Buffer.from(summed(JSON.stringify(value) ?? ''))),
        fc.constant(Buffer.from(summed(JSON.stringify(seed)))),
        mutated([Buffer.from(summed(JSON.stringify(seed)))]),
      );
    return fc.asyncProperty(line(head), fc.array(line(mark), { maxLength: 3 }), async (first, marks) => {
      writeFileSync(join(folder, part), 'x\n');
      writeFileSync(
        join(folder, freePart(`journal-${identity.slice(0, 16)}`)),
        Buffer.concat([first, ...marks]),
      );
      try {
        await orToldApart(async () => {
          const left = await findLeft(folder, identity);
          for (const file of [...(left?.files ?? []), ...(left?.parts ?? [])])
            assert.equal(join(file, '..'), folder);
          await left?.release();
        });
      } finally {
        for (const name of readdirSync(folder)) rmSync(join(folder, name));
      }
    });
  },
};

const coco = {
  images: [{ id: 1, file_name: 'a/1.jpg', width: 4, height: 4 }],
  annotations: [
    {
      image_id: 1,
      category_id: 2,
      bbox: [0, 0, 2, 2],
      area: 3,
      iscrowd: 0,
      segmentation: [[0, 0, 2, 0, 2, 2]],
    },
    { image_id: 1, category_id: 2, bbox: [0, 0, 2, 2], segmentation: { size: [4, 4], counts: [3, 2, 11] } },
    { image_id: 1, category_id: 2, bbox: [0, 0, 2, 2], segmentation: { size: [4, 4], counts: '32;' } },
  ],
  categories: [{ id: 2, name: 'cat' }],
};

/** Files that a probe's options name. */
const beside: Target = {
  name: 'lexicons and outlines',
  share: 0.03,
  property: (folder) => {
    const path = join(folder, 'x.json');
    const cases = fc.oneof(
      changed([lexicon]).map((bytes) => ({ bytes, read: (): unknown => readLexicon(path) })),
      changed([coco]).map((bytes) => ({ bytes, read: (): unknown => readInstances(path) })),
    );
    return fc.asyncProperty(cases, async ({ bytes, read }) => {
      writeFileSync(path, bytes);
      await orToldApart(() => void read());
    });
  },
};

const wordings: Target = {
  name: 'wordings by chat models',
  share: 0.02,
  property: () => {
    const first = mutated(
      ['["one cat", "a single cat"]', 'Here:\n```json\n["x"]\n```'].map((t) => Buffer.from(t)),
    );
    const second = mutated(
      ['{"same": true}', '{"same": false, "better": "a cat"}'].map((t) => Buffer.from(t)),
    );
    return fc.asyncProperty(first, second, async (reworded, checked) => {
      let asked = 0;
      await orToldApart(async () => {
        const found = await positivesByChat('the cat', 'm', () =>
          Promise.resolve((asked++ === 0 ? reworded : checked).toString()),
        );
        for (const { text } of found) assert.ok(text !== '' && text !== 'the cat');
      });
    });
  },
};

export const workTargets: readonly Target[] = [sessions, panelRows, checkpoints, beside, wordings];
