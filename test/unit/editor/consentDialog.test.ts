import assert from 'node:assert/strict';
import type * as hostAnswers from '../../../src/editor/runs/hostAnswers';
import { agreed } from '../../../src/cli/terminal';
import { filled, say } from '../../../src/base/say';
import german from '../../../l10n/bundle.l10n.de.json';
import { bundle } from './bundle';

/** A path with lines that look like Captious's own. */
const terms =
  'python3 will run ./a\n\nCaptious checked this code.\r\nIt is safe.\u2028\u202eb.py, with your rights.';

describe('the question for consent', () => {
  it('is one line in the editor, whatever names it contains', async () => {
    const shown: [string, { detail: string }][] = [];
    const load = await bundle<{ answers: typeof hostAnswers }>(
      "export * as answers from './src/editor/runs/hostAnswers';",
    );
    const { answers } = load({
      l10n: { t: (text: string) => text },
      window: {
        showWarningMessage: (message: string, options: { detail: string }) => {
          shown.push([message, options]);
          return Promise.resolve(undefined);
        },
      },
    });
    const { serve } = new answers.HostAnswers({} as never);
    for (const runs of [true, false])
      assert.equal(await serve('consent', { terms, runs, endpoint: 'a' }, {} as never), false);
    assert.equal(shown.length, 2);
    for (const [, { detail }] of shown) {
      assert.doesNotMatch(detail, /[\r\n\u2028\u2029\u202e]/);
      assert.ok(detail.startsWith('python3 will run') && detail.endsWith('with your rights.'));
    }
  });

  it('has its terms in the language of the window', async () => {
    const shown: string[] = [];
    const load = await bundle<{ answers: typeof hostAnswers }>(
      "export * as answers from './src/editor/runs/hostAnswers';",
    );
    const { answers } = load({
      env: { language: 'de' },
      l10n: { bundle: german, t: (text: string) => text },
      window: {
        showWarningMessage: (_: string, { detail }: { detail: string }) => {
          shown.push(detail);
          return Promise.resolve(undefined);
        },
      },
    });
    const { serve } = new answers.HostAnswers({} as never);
    const pairs = say('remote.termsPairs', '1,234', 'http://localhost:9');
    await serve('consent', { terms: pairs, runs: false, endpoint: 'a' }, {} as never);
    const file = say('python.termsInterpreter', 'python3', say('python.onPath'));
    await serve('consent', { terms: file, runs: true, endpoint: 'b' }, {} as never);
    assert.deepEqual(shown, [
      filled(german['remote.termsPairs'], ['1.234', 'http://localhost:9']),
      filled(german['python.termsInterpreter'], ['python3', german['python.onPath']]),
    ]);
  });

  it('is one line in the terminal', async () => {
    const write = process.stderr.write.bind(process.stderr);
    let out = '';
    process.stderr.write = (text: string | Uint8Array) => (out += String(text)) !== '';
    try {
      assert.equal(await agreed(terms, true, new AbortController().signal), true);
    } finally {
      process.stderr.write = write;
    }
    assert.doesNotMatch(out.slice(0, -1), /[\r\n\u2028\u2029\u202e]/);
  });
});
