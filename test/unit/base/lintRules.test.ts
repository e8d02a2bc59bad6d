import assert from 'node:assert/strict';
import { ESLint } from 'eslint';

/** Only the rules in SECURITY.md. They need no types, which take seconds to load for each file. */
const eslint = new ESLint({
  ruleFilter: ({ ruleId }) => ruleId.startsWith('no-restricted-'),
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
});

/** Lints these lines as a file at this path. Returns the violations of the rules in SECURITY.md. */
async function foundIn(path: string, lines: readonly string[]): Promise<string[]> {
  const [{ messages }] = await eslint.lintText(`${lines.join('\n')}\n`, { filePath: path });
  return messages
    .filter(({ ruleId, fatal }) => fatal === true || /^no-restricted-/.test(ruleId ?? ''))
    .map(({ line, message }) => `${line} ${message}`);
}

describe('lint rules', function () {
  this.timeout(120_000);

  it('forbid reading and writing files without the helpers', async () => {
    const lines = [
      "import { readFile } from 'node:fs/promises';",
      "import { createReadStream, readFileSync } from 'node:fs';",
      "import { writeFile } from 'node:fs/promises';",
      "import { stat, readdir } from 'node:fs/promises';",
      "import fs from 'node:fs';",
      "import * as every from 'node:fs';",
    ];
    const found = await foundIn('src/dataset/inspect.ts', lines);
    for (const line of [1, 2, 3, 5, 6])
      assert.ok(
        found.some((one) => one.startsWith(`${line} `)),
        `line ${line}: ${found.join('\n')}`,
      );
    assert.ok(found.every((one) => !one.startsWith('4 ')));
    const editor = ["import * as vscode from 'vscode';", 'void vscode.workspace.fs.readFile(u);'];
    assert.match((await foundIn('src/editor/datasets.ts', editor)).join(), /^2 .*readFrom/);
  });

  it('forbid making names of files from texts except by fileName()', async () => {
    const lines = [
      "export const a = text.replace(/[^\\w.-]+/g, '_');",
      "export const b = text.replaceAll(/[^\\p{L}\\p{N}-]+/gu, '-');",
      "export const c = text.replace(/[^a-z]/g, '');",
    ];
    for (const path of [
      'src/report/report.ts',
      'src/editor/datasets.ts',
      'webview/panel/bridge.ts',
      'src/web.ts',
    ])
      assert.deepEqual(
        (await foundIn(path, lines)).map((one) => one[0]),
        ['1', '2'],
        path,
      );
  });

  it("forbid spreading a list into a call's arguments", async () => {
    const lines = [
      'a.push(...b);',
      'a.splice(0, 1, ...b);',
      'a.unshift(...b);',
      'Math.max(...b);',
      'a.push(1, 2);',
    ];
    for (const path of ['src/report/report.ts', 'src/editor/datasets.ts', 'webview/panel/bridge.ts'])
      assert.deepEqual(
        (await foundIn(path, lines)).map((one) => one[0]),
        ['1', '2', '3', '4'],
        path,
      );
  });
});
