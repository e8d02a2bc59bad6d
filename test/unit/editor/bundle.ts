import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Bundles `contents`, with paths relative to the project. Returns a function that loads the bundle with a
 * fake `vscode`.
 */
export async function bundle<Loaded>(contents: string): Promise<(vscode: object) => Loaded> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(__dirname, '../../..'), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
    write: false,
    logLevel: 'silent',
  });
  const run = new Function('module', 'require', outputFiles[0].text) as (
    module: object,
    require: (name: string) => unknown,
  ) => void;
  return (vscode) => {
    const module = { exports: {} };
    run(module, (name) => (name === 'vscode' ? vscode : createRequire(__filename)(name)));
    return module.exports as Loaded;
  };
}
