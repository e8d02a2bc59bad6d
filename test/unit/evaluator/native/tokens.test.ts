import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ModelFolder } from '../../../../src/evaluator/model/modelFolder';
import { Tokens } from '../../../../src/evaluator/native/tokens';
import type { TokenRules } from '../../../../src/protocol/native';
import oracle from '../../../oracle/evaluator/tokens.json';
import { cleanUp, copyOf, editJson, modelsPath } from '../fixtures';

const unlimited: TokenRules = { max: 1e6, fixed: undefined, attendPadding: false, prompt: '' };
const fetched = join(__dirname, '../..', '..', '..', '.cache', 'models');

function tokens(path: string, rules: Partial<TokenRules> = {}): Tokens {
  return new Tokens(new ModelFolder(path), { ...unlimited, ...rules });
}

describe('Tokens', () => {
  afterEach(cleanUp);

  for (const [name, ids] of Object.entries(oracle.ids)) {
    it(`gives difficult texts the ids of Hugging Face's own tokenizers: ${name}`, function () {
      const path = [modelsPath, fetched].map((root) => join(root, name)).find((folder) => existsSync(folder));
      if (path === undefined) {
        console.log(`      ${name} was not fetched (npm run test:papers fetches it)`);
        this.skip();
      }
      const made = tokens(path);
      const wrong = oracle.texts.flatMap((text, i) => {
        const own = [...made.row(text).ids];
        return own.join() === ids[i].join()
          ? []
          : [{ text, own: own.slice(0, 40), reference: ids[i].slice(0, 40) }];
      });
      assert.deepEqual(wrong, []);
    });
  }

  it('reads a lone surrogate as the replacement character, as in a text file', () => {
    const made = tokens(join(modelsPath, 'clip'));
    assert.deepEqual(made.row('a \ud83d b').ids, made.row('a \ufffd b').ids);
    assert.notDeepEqual(made.row('a \ud83d b').ids, made.row('a b').ids);
  });

  it('truncates the text and keeps the tokens around it', () => {
    const whole = [...tokens(join(modelsPath, 'bert-cls')).row('a black cat sleeps').ids];
    const { ids, cut } = tokens(join(modelsPath, 'bert-cls'), { max: 4 }).row('a black cat sleeps');
    assert.deepEqual([...ids], [whole[0], whole[1], whole[2], whole.at(-1)]);
    assert.ok(cut);
    assert.ok(!tokens(join(modelsPath, 'bert-cls'), { max: whole.length }).row('a black cat sleeps').cut);
  });

  it('truncates on the left if the tokenizer says so', () => {
    const path = copyOf('bert-cls');
    const whole = [...tokens(path).row('a black cat sleeps').ids];
    editJson(join(path, 'tokenizer_config.json'), (json) => (json.truncation_side = 'left'));
    const { ids } = tokens(path, { max: 4 }).row('a black cat sleeps');
    assert.deepEqual([...ids], [whole[0], ...whole.slice(-3)]);
  });

  it('pads to a fixed length with the padding token, and counts the others', () => {
    const { ids, real } = tokens(join(modelsPath, 'siglip'), { max: 20, fixed: 20 }).row('cat');
    assert.equal(ids.length, 20);
    assert.ok(ids.subarray(real).every((id) => id === 1));
    assert.ok(real < 20);
    assert.equal(
      tokens(join(modelsPath, 'siglip'), { max: 20, fixed: 20, attendPadding: true }).row('cat').real,
      20,
    );
  });

  it('names a file that is not a tokenizer', () => {
    const path = copyOf('bert-cls');
    editJson(join(path, 'tokenizer.json'), (json) => (json.model = { type: 'Abacus' }));
    assert.throws(() => tokens(path), { kind: 'evaluator', at: join(path, 'tokenizer.json') });
    rmSync(join(path, 'tokenizer.json'));
    assert.throws(() => tokens(path), { kind: 'evaluator', message: /no tokenizer.json/ });
  });
});
