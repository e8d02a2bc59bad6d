import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBench } from '../../../src/bench/createBench';
import { Family } from '../../../src/evaluator/model/family';
import { makeDataset } from '../../unit/parity/plantedImages';
import { type Plant, Planting, plantsFor } from '../../unit/parity/plants';

const root = join(__dirname, '../../..');

interface Tokenizer {
  normalizer: { type: string; normalizers: { type: string; pattern?: { Regex: string } }[] };
  pre_tokenizer: unknown;
}

/** Tokenizers of the usual models collapse whitespace. These edits leave it to the vocabulary, as others do. */
const keepsWhitespace = (tokenizer: Tokenizer): void => {
  const own = tokenizer.normalizer.normalizers;
  tokenizer.normalizer.normalizers = own.filter(
    ({ type, pattern }) => type !== 'Strip' && pattern?.Regex !== '\\s+',
  );
};
// Most cosines of the tiny SigLIP are positive, so that clipping shows.
const { whitespace, padding, clipping } = plantsFor(32, 12);
const models: { name: string; folder: string; edit: (tokenizer: Tokenizer) => void; plants: Plant[] }[] = [
  {
    name: 'SentencePiece, padded to a fixed length',
    folder: 'siglip',
    edit: keepsWhitespace,
    plants: [whitespace, padding, clipping],
  },
  {
    name: 'bytes',
    folder: 'clip',
    edit: (tokenizer) => {
      keepsWhitespace(tokenizer);
      tokenizer.pre_tokenizer = { type: 'ByteLevel', add_prefix_space: false, use_regex: true };
    },
    plants: [whitespace],
  },
];

for (const { name, folder: own, edit, plants } of models)
  describe(`parity of a model whose tokenizer keeps whitespace: ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'captious-parity-'));
    const model = join(folder, 'model');
    const bench = createBench();
    let planting: Planting;
    let a: Family;

    before(async () => {
      cpSync(join(root, 'test/fixtures/models', own), model, { recursive: true });
      const path = join(model, 'tokenizer.json');
      const tokenizer = JSON.parse(readFileSync(path, 'utf8')) as Tokenizer;
      edit(tokenizer);
      writeFileSync(path, JSON.stringify(tokenizer));
      const home = join(folder, 'home');
      a = await Family.describe(model, { home });
      const square = { side: 32, squashes: own === 'siglip' };
      const data = await makeDataset(folder, join(root, 'samples'), 44, square);
      planting = new Planting(folder, model, data, bench, a, home);
    });

    after(async () => {
      await bench.close();
      await a.close();
      rmSync(folder, { recursive: true, force: true });
    });

    for (const plant of plants)
      it(`names ${plant.setting}, from scores alone`, async () => {
        const { causes, doubted, verdict } = await planting.compare([plant]);
        assert.deepEqual(
          causes.map(({ setting }) => setting),
          [plant.setting],
          JSON.stringify(doubted),
        );
        assert.equal(verdict, 'explained');
      });
  });
