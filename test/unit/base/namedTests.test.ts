import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The test files that a document names, each with the test titles after it, as in "`unit/x.test.ts`: title; title". */
function named(text: string): { file: string; titles: string[] }[] {
  const found = [
    ...text.matchAll(
      /`(?:test\/)?((?:unit|system|host|e2e|faults|package|python)\/[\w/.-]+\.ts)`((?::\s*[^|`]+)?)/g,
    ),
  ];
  return found.map(([, file, after]) => ({
    file,
    titles: after
      .replace(/^:\s*/, '')
      .split('; ')
      .map((title) => title.replace(/…|[;,.\s]+$/g, '').trim())
      .filter((title) => title !== ''),
  }));
}

const sections: [string, RegExp][] = [
  ['SECURITY.md', /## Which test checks which promise\n([\s\S]*?)\n## /],
  ['docs/faults.md', /## Attacks\n([\s\S]*?)\n## /],
];

/** The titles of a file's tests and suites. A title may contain values. */
function titlesIn(source: string): string {
  const titles = source.matchAll(/\b(?:it|describe)(?:\.skip|\.only)?\(\s*(['"`])([\s\S]*?)(?<!\\)\1/g);
  return [...titles].map(([, , title]) => title.replaceAll('\\', '')).join('\n');
}

describe('tests named in documents', () => {
  for (const [path, part] of sections)
    it(`${path}: exist with their titles`, () => {
      const section = part.exec(readFileSync(path, 'utf8'))?.[1] ?? '';
      const lines = section.split('\n').filter((line) => /^\| (?!-|Promise|number|attack)/.test(line));
      assert.ok(lines.length >= 14, `${lines.length} lines`);
      for (const line of lines) {
        const tests = named(line);
        assert.ok(tests.length > 0 || line.includes('eslint.config.mjs'), line);
        for (const { file, titles } of tests) {
          // A promise is checked by a test, not by a file with some tests.
          if (path === 'SECURITY.md')
            assert.ok(titles.length > 0, `${file} is named without a test: ${line}`);
          const own = titlesIn(readFileSync(join('test', file), 'utf8'));
          for (const title of titles) assert.ok(own.includes(title), `${file} has no test "${title}"`);
        }
      }
    });

  it('docs/faults.md: exist, at least one for each of the 17 attacks', () => {
    const text = readFileSync('docs/faults.md', 'utf8');
    for (const { file } of named(text)) assert.ok(existsSync(join('test', file)), file);
    const attacks = /## Attacks\n([\s\S]*?)\n## /.exec(text)?.[1] ?? '';
    const numbers = [...attacks.matchAll(/^\| +(\d+) \|/gm)].map(([, number]) => Number(number));
    assert.deepEqual(
      numbers,
      Array.from({ length: 17 }, (_, i) => i + 1),
    );
  });
});
