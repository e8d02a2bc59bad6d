import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readImageSpec } from '../../../../src/evaluator/model/images/preprocessing';
import { ModelFolder } from '../../../../src/evaluator/model/modelFolder';
import type { GraphHeader } from '../../../../src/evaluator/model/onnx/graphPorts';
import { CaptiousError } from '../../../../src/base/errors';
import { findSaid, say } from '../../../../src/base/say';
import { cleanUp, scratch } from '../fixtures';

describe('a file of a model folder', () => {
  afterEach(cleanUp);

  function problemWith(
    name: string,
    read: (folder: ModelFolder) => unknown,
    content?: string,
  ): CaptiousError | undefined {
    const path = scratch();
    if (content === undefined) mkdirSync(join(path, name));
    else writeFileSync(join(path, name), content);
    try {
      read(new ModelFolder(path));
    } catch (error) {
      assert.ok(error instanceof CaptiousError, String(error));
      return error;
    }
    return undefined;
  }

  it('is not called invalid JSON if it cannot be read', () => {
    const problem = (content?: string) =>
      problemWith('config.json', (folder) => folder.json('config.json'), content);
    for (const [content, code, remedy] of [
      ['{"a": ', 'model.jsonInvalid', 'model.downloadFileAgain'],
      ['['.repeat(100), 'base.jsonTooDeep', 'model.downloadFileAgain'],
      [undefined, 'base.folderNotFile', 'base.nameFileItself'],
    ] as const) {
      const error = problem(content);
      assert.ok(findSaid(error?.what, code));
      assert.deepEqual(error?.details.remedy, say(remedy));
      assert.match(error?.at ?? '', /config\.json$/);
    }
  });

  it('is missing if no file can have its name', () => {
    for (const name of ['\0/config.json', `${'long'.repeat(100)}/config.json`]) {
      const missing = { what: say('model.folderFileMissing', name) };
      assert.throws(() => new ModelFolder(scratch()).require(name), missing);
    }
  });

  it('tells a value in another form from a missing value', () => {
    const graph: GraphHeader = {
      path: '',
      inputs: [],
      outputs: [],
      operators: new Set(),
      weights: new Map(),
      scalars: new Map(),
      external: [],
    };
    const problem = (config: object) =>
      problemWith(
        'preprocessor_config.json',
        (folder) => readImageSpec(folder, graph, 'pixel_values'),
        JSON.stringify(config),
      );
    const size = { height: 32, width: 32 };
    const what = (config: object) => problem(config)?.what;
    assert.ok(findSaid(what({ resample: 3 }), 'model.imageSettingMissing'));
    const unusable = problem({ resample: 3, size: '224' });
    assert.deepEqual(unusable?.what, say('model.imageSettingUnusable', 'size', 'not named'));
    assert.deepEqual(unusable?.details.remedy, say('model.writeSizesAndColours'));
    const named = problem({ resample: 'bicubic', size });
    assert.deepEqual(named?.what, say('model.imageSettingUnusable', 'resample', 'not named'));
    assert.deepEqual(named?.details.remedy, say('model.setResampleNumber'));
    assert.deepEqual(
      what({
        resample: 3,
        size: { shortest_edge: 32 },
        crop_size: 32,
        image_mean: [0, 0, 0],
        image_std: [1, 1, 1],
      }),
      say('model.inputSizeUnclear'),
    );
  });
});
