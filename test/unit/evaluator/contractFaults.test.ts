import { english } from '../../../src/base/english';
import assert from 'node:assert/strict';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import type { Evaluator } from '../../../src/evaluator/evaluator';
import type { OpenOptions } from '../../../src/evaluator/open';
import { cleanUp, copyOf, editJson, modelsPath, openPath, imageItem, scratch } from './fixtures';
import { poison } from './poison';

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
  about: RegExp;
  /** The folder of region features, if the model needs one. */
  regions?: string;
}

const kinds: Kind[] = [
  { name: 'bert-cls', misfit: rank, about: /model\.onnx: .*last_hidden_state.* 3 axes/s },
  { name: 'bert-dense', misfit: rank, about: /model\.onnx: .*last_hidden_state.* 3 axes/s },
  ...[
    { name: 'clip' },
    { name: 'clip', metric: 'clipscore' },
    { name: 'siglip', metric: 'pac-s' },
    { name: 'clip-two-graphs' },
    { name: 'clip-two-graphs', options: { precision: 'float16' } },
    { name: 'siglip' },
    { name: 'itm-blip' },
    { name: 'itm-vilt' },
  ].map((kind) => ({ ...kind, misfit: size, about: /pixel_values.*(48|32)/s })),
  { name: 'family-siglip2-naflex', misfit: patch, about: /pixel_values.*patches/s },
  ...['itm-umic', 'itm-lxmert'].map((name) => ({
    name,
    regions: join(modelsPath, name, 'features'),
    misfit: () => undefined,
    about: /has \d+ numbers for each region; the model needs \d+/,
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
      for (const problem of problems) assert.match(problem ?? 'no problem', /not (a )?finite/);
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
      assert.match(localized, about);
    });
  });
}
