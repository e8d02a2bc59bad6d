import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import { say } from '../../../src/base/say';
import type * as messages from '../../../src/editor/messages';
import { bundle } from './bundle';

const german = JSON.parse(
  readFileSync(join(__dirname, '../../../l10n/bundle.l10n.de.json'), 'utf8'),
) as Record<string, string>;

describe('a remedy in the editor', function () {
  this.timeout(60_000);
  let load: (vscode: object) => typeof messages;

  before(async () => {
    load = await bundle("export * from './src/editor/messages';");
  });

  const home = new CaptiousError('usage', say`This user has no home folder.`, {
    remedy: say`Set the environment variable CAPTIOUS_HOME to a folder that you can write to.`,
  });

  it('names the setting instead of the variable or the option, in both languages', () => {
    const english = load({ l10n: {}, env: { language: 'en' } });
    assert.equal(
      english.trouble(home),
      'This user has no home folder. Set the setting captious.home to a folder that you can write to.',
    );
    const translated = load({ l10n: { bundle: german }, env: { language: 'de' } }).trouble(home);
    assert.match(translated, /Einstellung captious\.home/);
    const memory = new CaptiousError('evaluator', say`The model is too large.`, {
      remedy: say`Use a smaller model, or raise the limit (in GB) with the environment variable ${'CAPTIOUS_MODEL_MEMORY'}.`,
    });
    assert.match(
      english.trouble(memory),
      / set the environment variable CAPTIOUS_MODEL_MEMORY, then start VS Code/,
    );
  });

  it('replaces texts that exist', () => {
    const { inEditor } = load({ l10n: {}, env: { language: 'en' } });
    // The messages test makes sure that the German texts are exactly the texts of the code.
    assert.deepEqual(
      [...inEditor].flat().filter((words) => !(words in german)),
      [],
    );
  });
});
