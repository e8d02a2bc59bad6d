import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { CaptiousError } from '../../../src/base/errors';
import { type Shape, ShapeError } from '../../../src/base/shape';
import { createImageFinder } from '../../../src/dataset/images';
import { openDataset } from '../../../src/dataset/open';
import { readGraphHeader } from '../../../src/evaluator/onnxHeader';
import { fromPanel, panelMemory, toPanel } from '../../../src/protocol/panel';
import { fromReader, fromRunner, toReader, toRunner } from '../../../src/protocol/processes';
import { compareReports } from '../../../src/report/compare';
import { type ExportForm, exportReport } from '../../../src/report/export/export';
import { markdown } from '../../../src/report/export/markdown';
import { parseGate } from '../../../src/report/gate';
import { parseReport } from '../../../src/report/reportShape';
import { reportOf } from '../../unit/report/reportOf';
import { altered, mutated } from './mutate';
import { protocolSeeds, reportSeeds, rowSeeds } from './messages';
import { datasetSeeds } from './seeds';

/** Something that reads what others wrote. */
export interface Target {
  name: string;
  /** Of all inputs, how many are for it. */
  share: number;
  /** `folder`: of its own, to put files in. */
  property: (folder: string) => fc.IRawProperty<unknown>;
}

/** Longer than any small input takes, even where something else wants the processor. */
const longest = 5000;

/** Runs it; an error that a person can act on is a good end, any other is a find. */
async function orToldApart(act: () => Promise<void> | void): Promise<void> {
  const since = performance.now();
  try {
    await act();
  } catch (error) {
    if (!(error instanceof CaptiousError)) throw error;
    assert.ok(error.message.length > 0);
  }
  assert.ok(performance.now() - since < longest, 'it took too long');
}

const datasets: Target = {
  name: 'dataset files',
  share: 0.27,
  property: (folder) => {
    const path = join(folder, 'data');
    return fc.asyncProperty(mutated(datasetSeeds()), async (bytes) => {
      writeFileSync(path, bytes);
      await orToldApart(async () => {
        const dataset = await openDataset(path);
        const onProblem = ({
          message,
          place,
        }: {
          message: string;
          place?: { line: number; column: number; offset: number };
        }): void => {
          assert.ok(message.length > 0);
          if (place !== undefined) assert.ok(place.line >= 1 && place.column >= 1 && place.offset >= 0);
        };
        for await (const { captions, images } of dataset.read({ onProblem })) {
          for (const { text, place } of captions) {
            assert.equal(typeof text, 'string');
            if (place !== undefined) assert.ok(place.offset + place.length <= bytes.length);
          }
          for (const { name } of images) assert.equal(typeof name, 'string');
        }
      });
      assert.equal(({} as Record<string, unknown>).caption, undefined, 'a prototype was changed');
    });
  },
};

const photoNames: Target = {
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
    const finder = createImageFinder({ datasetPath: join(root, 'data.json'), folders: [] });
    return fc.asyncProperty(name, async (text) => {
      const found = await finder.find(text);
      if (found.ok) assert.equal(found.path, join(root, 'images', 'a.png'));
      else assert.ok(found.message.length > 0);
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
            compareReports(report, report).metrics.filter(
              ({ difference }) => difference !== null && difference !== 0,
            ).length,
            0,
          );
        });
      },
    ),
};

const forms: ExportForm[] = ['csv', 'junit', 'sarif', 'html'];

const rows: Target = {
  name: 'rows of reports',
  share: 0.05,
  property: (folder) => {
    const path = join(folder, 'x.report.json');
    const changed = altered(rowSeeds).map((row) => `${JSON.stringify(row) ?? ''}\n`);
    const bytes = mutated(rowSeeds.map((row) => Buffer.from(`${JSON.stringify(row)}\n`)));
    return fc.asyncProperty(
      fc.constantFrom('visla', 'lgip', 'sugarcrepe', 'winoground', 'nothing'),
      fc.constantFrom(...forms),
      fc.oneof(changed, bytes),
      async (probe, form, content) => {
        const report = reportOf({ probe });
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
  ['toRunner', toRunner],
  ['fromRunner', fromRunner],
  ['toReader', toReader],
  ['fromReader', fromReader],
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
        // What was let through is let through again, and stays the same.
        if (message !== undefined) assert.deepEqual(shape(message, ''), message);
      },
    ),
};

/** A gate and what it comes to. */
interface Sum {
  text: string;
  holds: boolean;
}

const metrics = { 'a.b': 0.5, 'c@0.7': -1, d: 0 };
const operand = fc.oneof(
  fc.constantFrom(...Object.entries(metrics)).map(([text, value]) => ({ text, value })),
  fc.double({ min: -9, max: 9, noNaN: true }).map((value) => ({ text: String(value), value })),
);
const signs: Record<string, (a: number, b: number) => boolean> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};
const { sum } = fc.letrec<{ sum: Sum }>((tie) => ({
  sum: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.tuple(operand, fc.constantFrom(...Object.entries(signs)), operand).map(([a, [sign, holds], b]) => ({
      text: `${a.text} ${sign} ${b.text}`,
      holds: holds(a.value, b.value),
    })),
    fc
      .tuple(tie('sum'), tie('sum'))
      .map(([a, b]) => ({ text: `(${a.text}) && (${b.text})`, holds: a.holds && b.holds })),
    fc
      .tuple(tie('sum'), tie('sum'))
      .map(([a, b]) => ({ text: `(${a.text})||(${b.text})`, holds: a.holds || b.holds })),
    tie('sum').map((a) => ({ text: `!(${a.text})`, holds: !a.holds })),
  ),
}));

const gates: Target = {
  name: 'gates',
  share: 0.15,
  property: () => {
    const report = reportOf({ metrics: Object.entries(metrics).map(([id, value]) => ({ id, value, n: 1 })) });
    const noise = fc
      .array(
        fc.constantFrom(
          '(',
          ')',
          '!',
          '&&',
          '||',
          '<',
          '<=',
          '==',
          '!=',
          '=',
          '1',
          '-.5',
          '1e999',
          'a.b',
          'd',
          '__proto__',
          'constructor',
          ' ',
          '\n',
          '"',
          '`',
          '${',
          '\0',
          'é',
        ),
        { maxLength: 24 },
      )
      .map((parts) => parts.join(''));
    return fc.asyncProperty(
      fc.oneof(sum, noise, fc.string({ unit: 'binary', maxLength: 60 })),
      async (given) => {
        if (typeof given !== 'string') {
          assert.equal(parseGate(given.text).holds([report]), given.holds, given.text);
          return;
        }
        await orToldApart(() => assert.equal(typeof parseGate(given).holds([report]), 'boolean'));
      },
    );
  },
};

export const targets: readonly Target[] = [datasets, photoNames, graphs, reports, rows, messages, gates];

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
