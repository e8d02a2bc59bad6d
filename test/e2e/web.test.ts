import assert from 'node:assert/strict';
import { createReadStream, existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { build } from 'esbuild';
import { runAudit } from '../../src/audit';
import { repository, VSCode } from './vscode';

/** What stands in the window's page for its configuration. */
const configurationTag = /(<meta id="vscode-workbench-web-configuration" data-settings=")([^"]*)(")/;

/** The extension in a window that has no machine behind it: only what a browser has. */
describe('in a browser', function () {
  this.timeout(5 * 60_000);
  let scratch: string;
  let files: Server;
  let base: string;
  let code: VSCode;

  before(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'captious-web-'));
    const served = join(scratch, 'served');
    for (const name of ['package.json', 'package.nls.json', 'dist', 'media', 'l10n', 'schemas', 'snippets'])
      await cp(join(repository, name), join(served, 'extension', name), { recursive: true });
    await mkdir(join(served, 'files'), { recursive: true });
    const dataset = join(served, 'files/triplets.tsv');
    await cp(join(repository, 'test/host/workspace/triplets.tsv'), dataset);
    await runAudit({
      dataset,
      probes: ['visla'],
      evaluators: [join(repository, 'test/fixtures/models/bert-cls')],
      home: join(scratch, 'home'),
      out: join(served, 'files'),
      signal: new AbortController().signal,
    });
    files = createServer((request, response) => {
      const path = join(served, normalize(decodeURIComponent(request.url ?? '/').split('?')[0]));
      response.setHeader('Access-Control-Allow-Origin', '*');
      if (!path.startsWith(served) || !existsSync(path)) {
        response.writeHead(404).end();
        return;
      }
      if (path.endsWith('.json')) response.setHeader('Content-Type', 'application/json');
      if (path.endsWith('.js')) response.setHeader('Content-Type', 'text/javascript');
      createReadStream(path).pipe(response);
    });
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
    base = `http://localhost:${(files.address() as AddressInfo).port}`;
    await build({
      entryPoints: [join(repository, 'test/web/index.ts')],
      outfile: join(served, 'tests/index.js'),
      bundle: true,
      platform: 'browser',
      format: 'cjs',
      target: 'es2022',
      external: ['vscode'],
      define: { base: JSON.stringify(base) },
    });
    code = await VSCode.open({ folder: scratch });
  });

  after(async () => {
    await code.close();
    files.close();
    await rm(scratch, { recursive: true, force: true });
  });

  it('opens a report, and shows what it knows in the dataset', async () => {
    const address = new URL(code.url);
    await code.page.route(`${address.origin}/**`, async (route) => {
      if (!route.request().isNavigationRequest() || new URL(route.request().url()).pathname !== '/') {
        await route.continue();
        return;
      }
      // Without a machine behind it the window starts no other host than the browser's.
      const answer = await route.fetch();
      const body = (await answer.text()).replace(
        configurationTag,
        (_, before: string, quoted: string, after: string) => {
          const settings = JSON.parse(quoted.replaceAll('&quot;', '"')) as Record<string, unknown>;
          delete settings.remoteAuthority;
          return `${before}${JSON.stringify(settings).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}${after}`;
        },
      );
      await route.fulfill({ response: answer, body });
    });
    const lines: string[] = [];
    await code.page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
      lines.push(args.map(String).join(' '));
    });
    const ended = new Promise<number>(
      (resolve) => void code.page.exposeFunction('codeAutomationExit', resolve),
    );
    const query = new URLSearchParams({
      folder: 'tmp:/workspace',
      payload: JSON.stringify([
        ['extensionDevelopmentPath', `${base}/extension`],
        ['extensionTestsPath', `${base}/tests/index.js`],
        ['skipWelcome', 'true'],
      ]),
    });
    await code.page.goto(`${address.origin}/?${query.toString()}`);
    const result = await Promise.race([
      ended,
      new Promise<string>((resolve) => setTimeout(resolve, 120_000, 'nothing came of it in two minutes')),
    ]);
    if (result !== 0) await code.screenshot('failed-web');
    assert.equal(result, 0, lines.join('\n'));
  });
});
