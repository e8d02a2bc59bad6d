import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';

const root = join(__dirname, '../../..');

describe('the bundle for browsers', function () {
  this.timeout(30_000);

  it('contains nothing of Node, is small, and loads without Node', async () => {
    const { outputFiles, metafile } = await build({
      absWorkingDir: root,
      entryPoints: ['src/web.ts'],
      bundle: true,
      minify: true,
      platform: 'browser',
      target: 'es2022',
      format: 'cjs',
      external: ['vscode'],
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    const [output] = Object.values(metafile.outputs);
    assert.deepEqual([...new Set(output.imports.map(({ path }) => path))], ['vscode']);
    assert.deepEqual(
      Object.keys(metafile.inputs).filter(
        (path) => path.includes('node_modules') && !path.startsWith('node_modules/zod/'),
      ),
      [],
    );
    // About 34 kB are zod, which checks reports and rows. The quick test of rows reads zod's own definitions, because
    // their JSON Schema would need 21 kB more.
    // Each probe adds its view and its verdict, whose tests are 3 kB. The shapes of judgments on rows are 0.6 kB, and
    // what stands beside the verdicts of exploit, explain and long is 1.5 kB. Instructions to evaluators are 1 kB, and so are
    // the faults of benchmarks, and what audited evaluators say about their items. The editor of report files is 1 kB,
    // and so are the levels of lenses, and the shape of what reports say of drafts. Views load with the first use, which
    // wraps their modules and costs 5 kB. What a shape expects is a message by its code, which costs 1 kB. Several
    // reports in a panel, the former names of fields, the comparison that decides a row of two images, and which cards
    // the first screen has are 3 kB.
    const { bytesInOutput: messages } = output.inputs['l10n/messages.en.json'];
    const own = outputFiles[0].contents.length - messages;
    assert.ok(own < 226_600, `${own} bytes and ${messages} of messages`);
    const exported: { activate?: unknown } = {};
    const browser = createContext({
      module: { exports: exported },
      exports: exported,
      require: (name: string) => {
        assert.equal(name, 'vscode');
        return { l10n: { t: (words: string) => words } };
      },
      ...{ TextDecoder, TextEncoder, crypto, btoa },
    });
    runInContext(outputFiles[0].text, browser);
    const { module } = browser as { module: { exports: { activate?: unknown } } };
    assert.equal(typeof module.exports.activate, 'function');
  });
});
