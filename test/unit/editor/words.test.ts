import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const words = (path: string) => JSON.parse(read(path)) as Record<string, string>;

/** Every text that is handed to `l10n.t`, or made with `say`, which the editor translates when it shows it. */
function texts(): Set<string> {
  const found = new Set<string>();
  for (const file of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const source = ts.createSourceFile(file, read(join('src', file)), ts.ScriptTarget.Latest, true);
    const walk = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && /\bl10n\.t$/.test(node.expression.getText())) {
        const [text] = node.arguments;
        assert.ok(ts.isStringLiteralLike(text), `${file}: ${text.getText()}`);
        found.add(text.text);
      }
      if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'say') {
        const { template } = node;
        const text = ts.isNoSubstitutionTemplateLiteral(template)
          ? template.text
          : template.head.text +
            template.templateSpans.map(({ literal }, i) => `{${i}}${literal.text}`).join('');
        // Of holes and signs alone, it is the same in every language.
        if (/\p{L}/u.test(text)) found.add(text);
      }
      ts.forEachChild(node, walk);
    };
    walk(source);
  }
  return found;
}

const holes = (text: string) =>
  [...text.matchAll(/\{\d\}|`[^`]*`|\(command:[^)]*\)/g)].map(([hole]) => hole).sort();

describe('the second language', () => {
  it('has every text of the code, and none besides', () => {
    assert.deepEqual(Object.keys(words('l10n/bundle.l10n.de.json')).sort(), [...texts()].sort());
  });

  it('has every text of package.json', () => {
    const english = words('package.nls.json');
    assert.deepEqual(Object.keys(words('package.nls.de.json')), Object.keys(english));
    const asked = [...read('package.json').matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key);
    assert.deepEqual(
      asked.filter((key) => !(key in english)),
      [],
    );
  });

  it('leaves what is filled in, code and commands where they are', () => {
    for (const [text, translated] of Object.entries(words('l10n/bundle.l10n.de.json')))
      assert.deepEqual(holes(translated), holes(text), text);
    const german = words('package.nls.de.json');
    for (const [key, text] of Object.entries(words('package.nls.json')))
      assert.deepEqual(holes(german[key]), holes(text), key);
  });
});
