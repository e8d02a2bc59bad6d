import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as errors from '../../../src/base/errors';
import { say, type Words } from '../../../src/base/say';
import type * as messages from '../../../src/editor/messages';
import { bundle } from './bundle';
import { sentence } from '../../sentence';

const german = JSON.parse(
  readFileSync(join(__dirname, '../../../l10n/bundle.l10n.de.json'), 'utf8'),
) as Record<string, string>;

describe('a remedy in the editor', function () {
  this.timeout(60_000);
  let load: (vscode: object) => typeof messages & typeof errors;

  before(async () => {
    load = await bundle(`export * from './src/editor/messages';
      export * from './src/base/errors';`);
  });

  const what = 'The evaluator cannot be opened.';
  const home = say('base.setWritableHome');
  const memory = say('native.shrinkModelOrRaise', 'CAPTIOUS_MODEL_MEMORY');

  it('names the setting instead of the variable or the option, in both languages', () => {
    const shown = (vscode: object, remedy: Words) => {
      const { trouble, CaptiousError } = load(vscode);
      return trouble(new CaptiousError('evaluator', what, { remedy }));
    };
    const english = { l10n: {}, env: { language: 'en' } };
    assert.equal(shown(english, home), `${what} ${sentence('editor.setHomeSetting')}`);
    const translated = shown({ l10n: { bundle: german }, env: { language: 'de' } }, home);
    assert.match(translated, /Einstellung captious\.home/);
    assert.equal(
      shown(english, memory),
      `${what} ${sentence('editor.useSmallerModel', 'CAPTIOUS_MODEL_MEMORY')}`,
    );
    const key = say('judge.checkKey', 'MODEL_KEY');
    assert.equal(shown(english, key), `${what} ${sentence('editor.checkOrReplaceKey', 'MODEL_KEY')}`);
  });

  it('replaces texts that exist', () => {
    const { inEditor } = load({ l10n: {}, env: { language: 'en' } });
    // messages.test.ts checks that `german` translates exactly the texts of the code.
    assert.deepEqual(
      [...inEditor].flat().filter((words) => !(words in german)),
      [],
    );
  });
});
