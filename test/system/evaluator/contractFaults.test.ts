import { english } from '../../../src/base/english';
import assert from 'node:assert/strict';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import type { Evaluator } from '../../../src/evaluator/evaluator';
import type { OpenOptions } from '../../../src/evaluator/open';
import {
  cleanUp,
  copyOf,
  editJson,
  modelsPath,
  openPath,
  imageItem,
  scratch,
} from '../../unit/evaluator/fixtures';
import { poison } from '../../unit/evaluator/poison';
import { type Said, say } from '../../../src/base/say';
import { sentence } from '../../sentence';

/** Sets an image size that the graph rejects. */
const size = (path: string): void =>
  editJson(join(path, 'preprocessor_config.json'), (json) => {
    json.size =
      json.do_center_crop === false || json.crop_size === undefined
        ? { height: 48, width: 48 }
        : { shortest_edge: 48 };
    if (json.crop_size !== undefined) json.crop_size = { height: 48, width: 48 };
  });
/** Sets a patch size that the graph rejects. */
const patch = (path: string): void =>
  editJson(join(path, 'preprocessor_config.json'), (json) => (json.patch_size = 4));
/** Replaces the graph by one whose output lacks an axis that pooling needs. */
const rank = (path: string): void => {
  for (const file of ['onnx/model.onnx', 'tokenizer.json'])
    cpSync(join(modelsPath, 'odd-rank', file), join(path, file));
};

interface Kind {
  name: string;
  metric?: string;
  options?: OpenOptions;
  misfit: (path: string) => void;
  /** The expected error for a file of the wrong shape. */
  about: Said;
  /** The folder of region features, if the model needs one. */
  regions?: string;
}

const notFinite = sentence('native.notFinite');

const twoAxes = say('native.outputShapeWrong', 'last_hidden_state', 'float32', '1, 2', 3, 1);
const ofSize = (shape: string, type = 'float32'): Said =>
  say('model.pixelInputShape', 'pixel_values', type, shape, say('model.imageSizeExpected', 48, 48));
const patches = say('model.patchInputShape', 'pixel_values', 'float32', 'image_batch, 20, 192', 20, 48);

const kinds: Kind[] = [
  { name: 'bert-cls', misfit: rank, about: twoAxes },
  { name: 'bert-dense', misfit: rank, about: twoAxes },
  ...[
    { name: 'clip', about: ofSize('image_batch, 3, 32, 32') },
    { name: 'clip', metric: 'clipscore', about: ofSize('image_batch, 3, 32, 32') },
    { name: 'siglip', metric: 'pac-s', about: ofSize('b, 3, 32, 32') },
    { name: 'clip-two-graphs', about: ofSize('image_batch, 3, 32, 32') },
    {
      name: 'clip-two-graphs',
      options: { precision: 'float16' },
      about: ofSize('image_batch, 3, 32, 32', 'float16'),
    },
    { name: 'siglip', about: ofSize('b, 3, 32, 32') },
    { name: 'itm-blip', about: ofSize('batch, 3, 32, 32') },
    { name: 'itm-vilt', about: ofSize('batch, 3, 32, 32') },
  ].map((kind) => ({ ...kind, misfit: size })),
  { name: 'family-siglip2-naflex', misfit: patch, about: patches },
  ...[
    { name: 'itm-umic', columns: 7 },
    { name: 'itm-lxmert', columns: 4 },
  ].map(({ name, columns }) => ({
    name,
    regions: join(modelsPath, name, 'features'),
    misfit: () => undefined,
    about: say('native.regionColumns', columns, 10),
  })),
];

const pairs = ['a black cat', 'two dogs'].map((text) => ({ image: imageItem('wide.png'), text }));

/** The problem of each text and image, or of each pair. */
async function problemsOf(evaluator: Evaluator): Promise<(string | undefined)[]> {
  const outcomes = [
    ...((await evaluator.embedTexts?.(['one two'])) ?? []),
    ...((await evaluator.embedImages?.([imageItem('wide.png')])) ?? []),
    ...((await evaluator.scorePairs?.(pairs)) ?? []),
  ];
  assert.ok(outcomes.length > 0);
  return outcomes.map((outcome) => (outcome.ok ? undefined : english(outcome.problem)));
}

for (const { name, metric, options, misfit, about, regions } of kinds) {
  const called = `${metric === undefined ? '' : `${metric}:`}${name}${options === undefined ? '' : ' in 16 bits'}`;

  describe(`the contract of faulty models, kept by ${called}`, () => {
    afterEach(cleanUp);

    const open = (path: string, features = regions): Promise<Evaluator> => {
      if (features === undefined) return openPath(metric === undefined ? path : `${metric}:${path}`, options);
      const file = join(scratch(), 'regions.evaluator.json');
      writeFileSync(file, JSON.stringify({ kind: 'itm', folder: path, features }));
      return openPath(file, options);
    };

    it('reports non-finite numbers as a problem of each item, never as a score', async () => {
      const path = copyOf(name);
      poison(path);
      const problems = await problemsOf(await open(path));
      for (const problem of problems) assert.equal(problem, notFinite);
    });

    it('names a wrong shape and the expected one', async () => {
      const path = copyOf(name);
      misfit(path);
      let features = regions;
      if (regions !== undefined) {
        features = join(scratch(), 'features');
        cpSync(regions, features, { recursive: true });
        cpSync(join(features, 'wide.boxes.npy'), join(features, 'wide.npy'));
      }
      const localized = await open(path, features)
        .then(problemsOf)
        .then(
          (problems) => problems.join('\n'),
          (error: unknown) => {
            assert.ok(error instanceof CaptiousError, String(error));
            assert.equal(error.kind, 'evaluator');
            return error.describe();
          },
        );
      assert.ok(localized.includes(english(about)), localized);
    });
  });
}
