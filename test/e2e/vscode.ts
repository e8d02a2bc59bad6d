import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { chromium, errors, type Browser, type FrameLocator, type Locator, type Page } from 'playwright-core';

import { type EditorName, installBrowser, installEditor, usualEditor } from './install';

export const repository = resolve(__dirname, '../..');

export interface Settings {
  folder: string;
  /** User and machine settings of the window. */
  settings?: Record<string, unknown>;
  /** The editor; `usualEditor()` by default. */
  editor?: EditorName;
  /** A bundle with `run()` for the extension host. The editor's page is open only to keep the host running. */
  tests?: string;
  viewport?: { width: number; height: number };
  /** Environment variables of the extension host. */
  env?: Record<string, string>;
  /** The folder of the tested extension. */
  extension?: string;
  /** The folder of a second extension, which may use VS Code's proposed API. */
  beside?: string;
  /** Whether the folder is untrusted at first. */
  untrusted?: boolean;
  /** A packed extension to install before the start. */
  vsix?: string;
  /** The editor's language. The editor's own texts stay English, because tests download no language packs. */
  language?: string;
}

/** Recent editors say "Dark Modern" for "Default Dark Modern", and would replace the old name in the settings. */
const prefix = usualEditor() === 'oldest' ? 'Default ' : '';

export const themes = {
  dark: `${prefix}Dark Modern`,
  light: `${prefix}Light Modern`,
  'high-contrast': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
} as const;

export type Theme = keyof typeof themes;
export const themeNames = Object.keys(themes) as Theme[];

const startDeadline = 120_000;
const stopDeadline = 5_000;
/** A timeout that is long enough for a busy machine. Most waits are much shorter. */
const slow = 60_000;
/** A timeout of steps that are repeated. */
export const brief = 3000;

/** A real VS Code with Captious in a browser. `close` ends all its processes. */
export class VSCode {
  private constructor(
    readonly page: Page,
    readonly url: string,
    private readonly state: string,
    private readonly server: ChildProcess,
    private readonly browser: Browser,
  ) {}

  static async open(wanted: Settings): Promise<VSCode> {
    const state = await mkdtemp(join(tmpdir(), 'captious-vscode-'));
    const cleanups: (() => Promise<unknown>)[] = [() => rm(state, { recursive: true, force: true })];
    try {
      await writeSettings(state, wanted.settings ?? {});
      const extension = wanted.extension ?? (await stage(state));
      const besides = wanted.beside === undefined ? [] : [wanted.beside];
      await place(state, wanted.tests === undefined ? [extension, ...besides] : besides);
      if (wanted.vsix !== undefined) await installExtension(state, wanted.vsix, wanted.editor);
      const { server, port } = await startServer(state, wanted);
      cleanups.unshift(() => stop(server));
      const browser = await startBrowser();
      cleanups.unshift(() => browser.close());
      const page = await browser.newPage({ viewport: wanted.viewport ?? { width: 1400, height: 900 } });
      page.setDefaultTimeout(slow);
      await page.addInitScript(stayStill);
      // Without these permissions, the browser's question about the clipboard could take the focus from the editor.
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.context().route(
        (url) => url.hostname !== 'localhost' && !url.hostname.endsWith('.localhost'),
        (route) => route.abort(),
      );
      if (wanted.language !== undefined) await speak(page, wanted.language);
      const url = address(port, wanted, extension);
      return new VSCode(page, url, state, server, browser);
    } catch (error) {
      for (const cleanup of cleanups) await cleanup();
      throw error;
    }
  }

  /** Opens a page in the same browser, and records its errors, warnings and requests. */
  async visit(url: string): Promise<{ problems: string[]; asked: string[]; text: string }> {
    const page = await this.browser.newPage();
    const problems: string[] = [];
    const asked: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
    });
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('request', (request) => {
      if (request.url() !== url && !request.url().startsWith('data:')) asked.push(request.url());
    });
    try {
      await page.goto(url, { waitUntil: 'networkidle' });
      return { problems, asked, text: await page.locator('body').innerText() };
    } finally {
      await page.close();
    }
  }

  /** The run folders of the open workspace. */
  async runFolders(): Promise<string[]> {
    const storage = join(this.state, 'data/User/workspaceStorage');
    const found: string[] = [];
    for (const workspace of await readdir(storage)) {
      const runs = join(storage, workspace, 'captious.captious/runs');
      if (existsSync(runs)) found.push(...(await readdir(runs)).map((name) => join(runs, name)));
    }
    return found;
  }

  /** Loads or reloads the window, and waits until it is usable. */
  async load(): Promise<void> {
    await this.page.goto(this.url, { timeout: startDeadline });
    await this.page.locator('.monaco-workbench .statusbar').waitFor({ timeout: startDeadline });
  }

  /** Reloads the window by the editor's command, so that pages keep their state. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load', { timeout: startDeadline });
    await this.command('Developer: Reload Window');
    await loaded;
    await this.page.locator('.monaco-workbench .statusbar').waitFor({ timeout: startDeadline });
  }

  /** Runs the bundle `Settings.tests`, and passes every output line to `onLine`. Returns VS Code's exit code. */
  async runTests(onLine: (line: string) => void, deadline: number): Promise<number> {
    let finish: (code: number) => void = () => undefined;
    const code = new Promise<number>((resolveCode) => (finish = resolveCode));
    await this.page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
      onLine(args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg))).join(' '));
    });
    await this.page.exposeFunction('codeAutomationExit', (value: number) => {
      finish(value);
    });
    await this.page.goto(this.url, { timeout: startDeadline });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`The tests did not end within ${deadline / 1000} s.`));
      }, deadline);
    });
    try {
      return await Promise.race([code, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The visible quick input. A previous one may still be closing. */
  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget:not([inert]):not([inert] *)');
  }

  /** Runs a command by its title in the palette. */
  async command(title: string): Promise<void> {
    const row = this.quickInput.locator('.monaco-list-row', { hasText: title }).first();
    for (let tries = 0; tries < 15; tries++) {
      const input = await this.openQuickInput('F1');
      try {
        // Clears the input, because the palette lacks extensions' commands after a reload and does not repeat
        // an equal search.
        await input.fill('>', { timeout: brief });
        await input.fill(`>${title}`, { timeout: brief });
        if (!(await appears(row, 1000))) {
          // A failed test may have left another quick input open.
          await this.page.keyboard.press('Escape');
          continue;
        }
        await input.press('Enter', { timeout: brief });
        return;
      } catch (error) {
        // Tries again, because a previous input may have closed or another part may have taken the focus.
        if (!(error instanceof errors.TimeoutError)) throw error;
      }
    }
    throw new Error(`The palette does not offer "${title}".`);
  }

  /** Searches the palette, up to 20 times, until `isComplete` accepts the titles. Returns the last titles. */
  async search(text: string, isComplete: (titles: string[]) => boolean): Promise<string[]> {
    const input = await this.openQuickInput('F1');
    const rows = this.quickInput.locator('.monaco-list-row');
    let titles: string[] = [];
    for (let tries = 0; tries < 20 && !isComplete(titles); tries++) {
      await input.fill('>');
      await input.fill(text);
      await appears(rows.first(), 1000);
      titles = await rows.allInnerTexts();
    }
    await this.page.keyboard.press('Escape');
    return titles;
  }

  /** Accepts a quick pick's suggestion. */
  async accept(): Promise<void> {
    await this.quickInput
      .locator('.monaco-list-row.focused, .monaco-list-row[aria-checked]')
      .first()
      .waitFor();
    await this.confirm();
  }

  /** Presses Enter until the input changes or closes. While the input opens, the text editor may have the focus. */
  async confirm(): Promise<void> {
    const text = () => this.quickInput.innerText({ timeout: 100 }).catch(() => '');
    await this.quickInput.locator(':focus').waitFor();
    const asked = await text();
    for (let tries = 0; tries < 10; tries++) {
      await this.page.keyboard.press('Enter');
      for (let looks = 0; looks < 50; looks++) {
        if ((await text()) !== asked || (await disappears(this.quickInput, 100))) return;
      }
    }
    throw new Error(`The editor still asks: ${asked}`);
  }

  async openFile(name: string): Promise<void> {
    const tab = this.page.locator(`.tab.active[data-resource-name="${name}"]`);
    for (let tries = 0; tries < 20; tries++) {
      try {
        await this.pickFile(name);
        // A late search result may have replaced the selection.
        await tab.waitFor({ timeout: 5000 });
        await this.page.locator('.editor-instance').waitFor();
        return;
      } catch (error) {
        // Another part may have taken the focus and closed the list.
        if (!(error instanceof errors.TimeoutError)) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
    throw new Error(`The editor does not open ${name}.`);
  }

  private async pickFile(name: string): Promise<void> {
    const input = await this.openQuickInput('Control+P');
    await input.fill(name, { timeout: brief });
    // A panel's name begins with its file's name, so the panel may be the first result.
    const row = this.quickInput
      .locator('.monaco-list-row')
      // The highlighted part of a longer name may be a separate element.
      .filter({
        has: this.page
          .locator('.label-name')
          .filter({ hasText: new RegExp(`^${name.replace(/[^\w ]/g, '.')}$`) }),
      })
      .first();
    // The first results may lack a new file, and the quick pick does not repeat its search.
    for (let tries = 0; tries < 20 && !(await appears(row, 2000)); tries++) {
      await input.fill('', { timeout: brief });
      await input.fill(name, { timeout: brief });
    }
    const focused = row.and(this.quickInput.locator('.focused'));
    for (let tries = 0; tries < 50 && !(await appears(focused, 100)); tries++)
      await this.page.keyboard.press('ArrowDown');
    await this.page.keyboard.press('Enter');
  }

  /** Presses the key until the quick input opens, because a busy window ignores keys. */
  private async openQuickInput(key: string): Promise<Locator> {
    const input = this.quickInput.locator('input').first();
    for (let tries = 0; tries < 20 && !(await input.isVisible()); tries++) {
      await this.page.keyboard.press(key);
      if (await appears(input, 2000)) break;
    }
    return input;
  }

  /** The visible webview's document. */
  panel(): FrameLocator {
    // Only webviews in editor tabs have this attribute.
    return this.page
      .locator('[data-parent-flow-to-element-id] iframe.webview.ready')
      .filter({ visible: true })
      .last()
      .contentFrame()
      .frameLocator('#active-frame');
  }

  async screenshot(name: string): Promise<string> {
    const path = join(repository, 'out/screenshots', `${name}.png`);
    await mkdir(dirname(path), { recursive: true });
    await this.page.screenshot({ path, timeout: slow });
    return path;
  }

  async changeSettings(settings: Record<string, unknown>): Promise<void> {
    await writeSettings(this.state, settings);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await stop(this.server);
    await rm(this.state, { recursive: true, force: true });
  }
}

/**
 * Copies the extension out of the repository. A development window would load the themes of the editors in
 * .vscode-test as Captious's own. A link to the repository would not help, because the editor resolves links.
 */
async function stage(state: string): Promise<string> {
  const folder = join(state, 'extension');
  await mkdir(folder);
  for (const name of [
    'package.json',
    'package.nls.json',
    'package.nls.de.json',
    'dist',
    'media',
    'l10n',
    'fonts',
    'schemas',
    'snippets',
    'python',
  ])
    await cp(join(repository, name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.endsWith('.map'),
    });
  for (const name of ['models', 'samples', 'node_modules'])
    await symlink(join(repository, name), join(folder, name));
  return folder;
}

function address(port: number, { folder, tests, beside }: Settings, extension: string): string {
  const remote = (path: string) => `vscode-remote://localhost:${port}${path}`;
  const inside = (bundle: string) => [
    ['extensionDevelopmentPath', remote(extension)],
    ['extensionTestsPath', remote(bundle)],
    ...(beside === undefined ? [] : [['enableProposedApi', '']]),
  ];
  const payload = [['skipWelcome', 'true'], ...(tests === undefined ? [] : inside(tests))];
  const query = new URLSearchParams({ folder, payload: JSON.stringify(payload) });
  return `http://localhost:${port}/?${query.toString()}`;
}

export async function disappears(what: Locator, within = 1000): Promise<boolean> {
  return what
    .first()
    .waitFor({ state: 'hidden', timeout: within })
    .then(
      () => true,
      () => false,
    );
}

export async function appears(what: Locator, within: number): Promise<boolean> {
  return what.waitFor({ timeout: within }).then(
    () => true,
    () => false,
  );
}

async function speak(page: Page, language: string): Promise<void> {
  await page.context().route(/\/nls\.messages\.js$/, async (route) => {
    const response = await route.fetch();
    const says = `globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(language)};`;
    await route.fulfill({ response, body: `${await response.text()}\n${says}` });
  });
}

interface Manifest {
  contributes: { configuration: { properties: Record<string, { scope?: string }> } };
}

/** Separates machine settings from user settings. A remote window reads machine settings from the remote machine. */
async function writeSettings(state: string, settings: Record<string, unknown>): Promise<void> {
  const manifest = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as Manifest;
  const { properties } = manifest.contributes.configuration;
  const isOfMachine = ([key]: [string, unknown]) => properties[key]?.scope?.startsWith('machine') ?? false;
  const all = Object.entries(settings);
  await writeJson(join(state, 'data/Machine/settings.json'), Object.fromEntries(all.filter(isOfMachine)));
  const quiet = {
    'workbench.startupEditor': 'none',
    'extensions.autoCheckUpdates': false,
    'extensions.ignoreRecommendations': true,
    'telemetry.telemetryLevel': 'off',
    'chat.commandCenter.enabled': false,
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'window.commandCenter': false,
  };
  const own = Object.fromEntries(all.filter((entry) => !isOfMachine(entry)));
  await writeJson(join(state, 'data/User/settings.json'), { ...quiet, ...own });
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(value, null, 2));
}

/** Stops animations and transitions, because drawing them without a GPU takes as much time as an audit. */
const stayStill = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { animation: none !important; transition: none !important; }');
  document.adoptedStyleSheets.push(sheet);
}`;

async function startBrowser(): Promise<Browser> {
  const { executable, env } = await installBrowser();
  return chromium.launch({
    executablePath: executable,
    env: { ...definedEnv(), ...env },
    // Without --disable-gpu, Chromium emulates a GPU on the processor, which takes as much time as the page.
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu'],
    timeout: startDeadline,
  });
}

async function startServer(
  state: string,
  { env = {}, untrusted = false, editor = usualEditor(), tests }: Settings,
): Promise<{ server: ChildProcess; port: number }> {
  const { folder, node } = await installEditor(editor);
  const server = spawn(
    node,
    [
      'out/server-main.js',
      ...[
        '--host',
        '127.0.0.1',
        '--port',
        '0',
        '--without-connection-token',
        '--accept-server-license-terms',
      ],
      ...(untrusted ? [] : ['--disable-workspace-trust']),
      // Without this flag, recent editors run no tests and no extensions in development.
      ...(tests === undefined ? [] : ['--enable-smoke-test-driver']),
      ...['--server-data-dir', state],
    ],
    // A separate process group, because the extension host and its children must end with the server.
    { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'], env: { ...definedEnv(), ...env } },
  );
  const kill = () => {
    killGroup(server);
  };
  process.once('exit', kill);
  server.once('exit', () => process.off('exit', kill));
  let log = '';
  const port = new Promise<number>((resolvePort, reject) => {
    const listen = (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-20_000);
      const match = /Extension host agent listening on (\d+)/.exec(log);
      if (match) resolvePort(Number(match[1]));
    };
    server.stdout.on('data', listen);
    server.stderr.on('data', listen);
    server.once('error', reject);
    server.once('exit', (code) => {
      reject(new Error(`The VS Code server ended with ${code}.\n${log}`));
    });
    setTimeout(() => {
      reject(new Error(`The VS Code server did not start.\n${log}`));
    }, startDeadline).unref();
  });
  try {
    return { server, port: await port };
  } catch (error) {
    await stop(server);
    throw error;
  }
}

/** Copies extensions into the folder of installed ones, without packing. */
async function place(state: string, sources: readonly string[]): Promise<void> {
  const entries: unknown[] = [];
  for (const source of sources) {
    const { publisher, name, version } = JSON.parse(
      await readFile(join(source, 'package.json'), 'utf8'),
    ) as Record<'publisher' | 'name' | 'version', string>;
    const id = `${publisher}.${name}`;
    const folder = join(state, 'extensions', `${id}-${version}`);
    await cp(source, folder, { recursive: true });
    entries.push({
      identifier: { id },
      version,
      location: { $mid: 1, path: folder, scheme: 'file' },
      relativeLocation: `${id}-${version}`,
    });
  }
  await mkdir(join(state, 'extensions'), { recursive: true });
  await writeFile(join(state, 'extensions/extensions.json'), JSON.stringify(entries));
}

async function installExtension(state: string, vsix: string, editor = usualEditor()): Promise<void> {
  const { folder, node } = await installEditor(editor);
  const args = ['out/server-main.js', '--install-extension', vsix, '--server-data-dir', state];
  await promisify(execFile)(node, args, {
    cwd: folder,
    env: definedEnv(),
    timeout: startDeadline,
  });
}

/** This process's environment without the variables of a VS Code terminal. */
function definedEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && !entry[0].startsWith('VSCODE_') && entry[0] !== 'NODE_OPTIONS',
    ),
  );
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, 'exit');
  server.kill('SIGTERM');
  const timer = setTimeout(() => {
    killGroup(server);
  }, stopDeadline);
  await gone;
  clearTimeout(timer);
  killGroup(server);
}

function killGroup(server: ChildProcess): void {
  if (server.pid === undefined) return;
  try {
    process.kill(-server.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
