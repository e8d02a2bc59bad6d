import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { english } from '../../../src/base/english';
import { Reason } from '../../../src/base/errors';
import { archived, readArchived } from '../../../src/base/files/archived';
import { type Shape, ShapeError } from '../../../src/base/shape';
import type { Problem } from '../../../src/dataset/dataset';
import { createImageFinder } from '../../../src/dataset/images/images';
import { type OpenOptions, openDataset, unopened } from '../../../src/dataset/open';
import { readGraphHeader } from '../../../src/evaluator/model/onnx/onnxHeader';
import { hostRequests } from '../../../src/protocol/hostCalls';
import { fromPanel, panelMemory, toPanel } from '../../../src/protocol/panel';
import { fromRunner, runnerRequests } from '../../../src/protocol/runner';
import { readerRequests } from '../../../src/protocol/service';
import { rowRequests } from '../../../src/protocol/rows';
import { fromSession, pageRequests, toSession } from '../../../src/protocol/session';
import { lineUpReports } from '../../../src/report/lineUp';
import { exportReport } from '../../../src/report/export/export';
import { markdown } from '../../../src/report/export/markdown';
import { parseReport } from '../../../src/report/reportShape';
import { resealed } from '../../unit/dataset/archives';
import { reportOf, sealOfText } from '../../unit/report/reportOf';
import { answerTargets } from './answers';
import { embeddingTargets } from './embeddings';
import { gates } from './gates';
import { longLines } from './longFiles';
import { altered, mutated } from './mutate';
import { protocolSeeds, reportSeeds, rowSeeds } from './messages';
import { modelTargets } from './models';
import { arrowSeeds, datasetSeeds, parquetSeeds, tarSeeds, zipSeeds } from './seeds';
import { tableTargets } from './tables';
import { orToldApart, type Target } from './target';
import { workTargets } from './work';

/** Reads the whole file and checks the result's types. No caption may end after `length`. */
async function readWhole(path: string, length: number, options: OpenOptions): Promise<void> {
  const dataset = await openDataset(path, options);
  const onProblem = ({ message, place }: Problem): void => {
    assert.ok(english(message).length > 0);
    if (place !== undefined) assert.ok(place.line >= 1 && place.column >= 1 && place.offset >= 0);
  };
  for await (const { captions, images } of dataset.read({ onProblem })) {
    for (const { text, place } of captions) {
      assert.equal(typeof text, 'string');
      if (place !== undefined) assert.ok(place.offset + place.length <= length);
    }
    for (const { name } of images) assert.equal(typeof name, 'string');
  }
}

function reading(
  seeds: () => Buffer[],
  options: OpenOptions,
  arranged = (bytes: Buffer): Buffer => bytes,
): Target['property'] {
  return (folder) => {
    const path = join(folder, 'data');
    return fc.asyncProperty(mutated(seeds()).map(arranged), async (bytes) => {
      writeFileSync(path, bytes);
      await orToldApart(() => readWhole(path, bytes.length, options));
      assert.equal(({} as Record<string, unknown>).caption, undefined, 'a prototype was changed');
    });
  };
}

const datasets: Target = { name: 'dataset files', share: 0.25, property: reading(datasetSeeds, {}) };

/** About one changed page in several hundred makes the decoder loop forever. Captious stops it after `stallMs`. */
const parquet: Target = {
  name: 'Parquet files',
  share: 0.02,
  property: reading(parquetSeeds, { stallMs: 1000 }),
};

/** Most headers get right checksums, so that changed ones are read. */
const arrow: Target = { name: 'Arrow files', share: 0.05, property: reading(arrowSeeds, {}) };

const tar: Target = { name: 'tar archives', share: 0.05, property: reading(tarSeeds, {}, resealed) };

/** Images of a damaged archive are missing, or reading them gives one error. None leads out of the archive. */
const zip: Target = {
  name: 'ZIP archives of images',
  share: 0.03,
  property: (folder) => {
    const root = join(folder, 'zipped');
    mkdirSync(root, { recursive: true });
    const archive = join(root, 'x.zip');
    return fc.asyncProperty(mutated(zipSeeds()), async (bytes) => {
      writeFileSync(archive, bytes);
      const finder = createImageFinder({ dataset: unopened(join(root, 'd.json')), folders: [] });
      for (const name of ['a.png', 'c.png', 'b/c.png', '../a.png']) {
        const found = await finder.find(name);
        if (!found.ok) continue;
        assert.ok(found.path.startsWith(archive) && !found.path.includes('..'), found.path);
        const place = archived(found.path);
        assert.ok(place !== undefined);
        await readArchived(place).catch((error: unknown) => assert.ok(error instanceof Reason));
      }
    });
  },
};

const imageNames: Target = {
  name: 'names of photos',
  share: 0.05,
  property: (folder) => {
    const root = join(folder, 'data');
    mkdirSync(join(root, 'images'), { recursive: true });
    writeFileSync(join(folder, 'secret.png'), 'x');
    writeFileSync(join(root, 'images', 'a.png'), 'x');
    const piece = fc.constantFrom(
      '..',
      '.',
      '/',
      '\\',
      'images',
      'a.png',
      'secret.png',
      '%2e',
      '%2f',
      '%',
      '\0',
      'C:',
      'http:',
      'file:',
      '//',
      folder,
      root,
      '\u202e',
      '\ud800',
      'A.PNG',
    );
    const name = fc.oneof(
      fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary', maxLength: 30 }),
    );
    const finder = createImageFinder({ dataset: unopened(join(root, 'data.json')), folders: [] });
    return fc.asyncProperty(name, async (text) => {
      const found = await finder.find(text);
      if (found.ok) assert.equal(found.path, join(root, 'images', 'a.png'));
      else assert.ok(english(found.message).length > 0);
    });
  },
};

const graphs: Target = {
  name: 'model graphs',
  share: 0.08,
  property: (folder) => {
    const path = join(folder, 'model.onnx');
    const seeds = ['odd-table', 'odd-endless', 'odd-alone'].map((name) =>
      readFileSync(join('test', 'fixtures', 'models', name, 'onnx', 'model.onnx')),
    );
    return fc.asyncProperty(mutated(seeds.filter(({ length }) => length < 5000)), async (bytes) => {
      writeFileSync(path, bytes);
      await orToldApart(() => void readGraphHeader(path));
    });
  },
};

const reports: Target = {
  name: 'report files',
  share: 0.15,
  property: () =>
    fc.asyncProperty(
      fc.oneof(
        altered(reportSeeds),
        mutated(reportSeeds.map((report) => Buffer.from(JSON.stringify(report)))).map(parsed),
        fc.anything(),
      ),
      async (value) => {
        const report = checked(parseReport, value);
        if (report === undefined) return;
        assert.doesNotMatch(report.rows, /[/\\\0]|^\.\.$/);
        assert.deepEqual(parseReport(JSON.parse(JSON.stringify(report))), JSON.parse(JSON.stringify(report)));
        await orToldApart(() => {
          assert.ok(markdown(report).length > 0);
          assert.equal(
            lineUpReports([report, report]).metrics.filter(
              ({ values: [a, b] }) => !Object.is(a?.value, b?.value),
            ).length,
            0,
          );
        });
      },
    ),
};

const forms: string[] = ['csv', 'junit', 'sarif', 'html'];

const rows: Target = {
  name: 'rows of reports',
  share: 0.05,
  property: (folder) => {
    const path = join(folder, 'x.report.json');
    const changed = altered(rowSeeds).map((row) => `${JSON.stringify(row) ?? ''}\n`);
    const bytes = mutated(rowSeeds.map((row) => Buffer.from(`${JSON.stringify(row)}\n`)));
    return fc.asyncProperty(
      fc.constantFrom('visla', 'lgip', 'sugarcrepe', 'winoground', 'rococo', 'prsm', 'invariance', 'nothing'),
      fc.constantFrom(...forms),
      fc.oneof(changed, bytes),
      async (probe, form, content) => {
        const report = reportOf({ probe, ...sealOfText(content) });
        writeFileSync(path, JSON.stringify(report));
        writeFileSync(join(folder, report.rows), content);
        await orToldApart(async () => {
          for await (const piece of exportReport(path, form)) assert.ok(piece.length >= 0);
        });
      },
    );
  },
};

const shapes: [string, Shape<unknown>][] = [
  ['toPanel', toPanel],
  ['fromPanel', fromPanel],
  ['fromRunner', fromRunner],
  ['toSession', toSession],
  ['fromSession', fromSession],
  ...[rowRequests, readerRequests, runnerRequests, pageRequests, hostRequests].flatMap((requests) =>
    Object.entries<{ ask: Shape<unknown>; answer: Shape<unknown> }>(requests).flatMap(
      ([name, { ask, answer }]): [string, Shape<unknown>][] => [
        [`${name} asked`, ask],
        [`${name} answered`, answer],
      ],
    ),
  ),
  ['panelMemory', panelMemory],
];

const messages: Target = {
  name: 'messages between processes',
  share: 0.25,
  property: () =>
    fc.property(
      fc.constantFrom(...shapes),
      fc.oneof({ weight: 4, arbitrary: altered(protocolSeeds) }, { weight: 1, arbitrary: fc.anything() }),
      ([, shape], value) => {
        const message = checked((given) => shape(given, ''), value);
        // The checked message must be accepted again, and returned unchanged.
        if (message !== undefined) assert.deepEqual(shape(message, ''), message);
      },
    ),
};

export const targets: readonly Target[] = [
  datasets,
  parquet,
  arrow,
  tar,
  zip,
  imageNames,
  graphs,
  reports,
  rows,
  messages,
  gates,
  ...modelTargets,
  ...embeddingTargets,
  ...tableTargets,
  ...answerTargets,
  ...workTargets,
  longLines,
];

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

function checked<T>(check: (value: unknown) => T, value: unknown): T | undefined {
  try {
    return check(value);
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    assert.ok(error.message.length > 0);
    return undefined;
  }
}
