import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { fileName, fileNames, fileNameWithCase, proposedName } from '../../../../src/base/files/fileName';

/** The form in which a file system that ignores case and normalises Unicode compares names. */
function folded(name: string): string {
  return name.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC');
}

const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i;

function assertPortable(name: string): void {
  const shown = JSON.stringify(name);
  assert.ok(Buffer.byteLength(name) <= 100 && name !== '', shown);
  assert.doesNotMatch(name, /[/\\:*?"<>|\p{Cc}\s]/u, shown);
  assert.doesNotMatch(name, /^[.\s-]|[.\s]$/u, shown);
  assert.doesNotMatch(name, device, shown);
  assert.equal(Buffer.from(name).toString(), name, `${shown} is not valid Unicode`);
}

/** Texts that are likely to have the same name: few signs, in several forms and cases. */
const alike = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      ...'aA_-. /\\:@1',
      'é',
      'e\u0301',
      'É',
      'ß',
      'ẞ',
      'İ',
      'K',
      'ſ',
      '模',
      '型',
      '\ud800',
    ),
  }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    'CON',
    'con',
    'nul',
    'NUL.txt',
    'com1',
    'LPT¹',
    '..',
    '.',
    '',
    ' ',
    'a.',
    'a ',
    '-rf',
    '日本',
    '中国',
  ),
  fc.string({ unit: fc.constantFrom('a', 'b', '界'), minLength: 90, maxLength: 400 }),
);

describe('names of files', () => {
  it('are portable and different for different texts', () => {
    const owners = new Map<string, string>();
    fc.assert(
      fc.property(alike, (text) => {
        for (const name of [fileName(text), fileName(fileName(text)), fileNameWithCase(text)])
          assertPortable(name);
        for (const one of [text, fileName(text)]) {
          const name = folded(fileName(one));
          assert.equal(owners.get(name) ?? one, one, `${JSON.stringify([owners.get(name), one])}: ${name}`);
          owners.set(name, one);
        }
      }),
      { numRuns: 20_000 },
    );
    assert.ok(owners.size > 10_000);
  });

  it('are different for a set of texts, which keep their capitals if they can', () => {
    fc.assert(
      fc.property(fc.uniqueArray(alike, { maxLength: 8 }), (texts) => {
        const names = fileNames(texts);
        assert.equal(new Set([...names.values()].map(folded)).size, texts.length);
      }),
      { numRuns: 3000 },
    );
    assert.deepEqual([...fileNames(['ViT-B-32', 'Gemma']).values()], ['ViT-B-32', 'Gemma']);
    const [one, other] = fileNames(['gemma', 'Gemma']).values();
    assert.equal(one, 'gemma');
    assert.match(other, /^Gemma-[0-9a-f]{12}$/);
  });

  it('stay readable', () => {
    for (const text of ['starter', 'clip-vit-base-patch32', 'visla.triplets', 'my_metric', 'recall@1'])
      assert.equal(fileName(text), text);
    assert.match(fileName('日本語モデル'), /^日本語モデル-[0-9a-f]{12}$/);
    assert.match(fileName('../../etc/passwd'), /^etc_passwd-[0-9a-f]{12}$/);
  });

  it('is readable where a dialog proposes it', () => {
    for (const [text, name] of [
      ['My judge', 'My-judge'],
      ['tiny (judge)', 'tiny-judge'],
      ['a/../b', 'a-..-b'],
    ])
      assert.equal(proposedName(text), name);
    for (const text of ['', '..', 'CON', '/']) assert.match(proposedName(text), /^_.*-[0-9a-f]{12}$/);
  });
});
