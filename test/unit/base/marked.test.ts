import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../../..');

/** A string literal, or an expression that chooses one. */
function isLiteral(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isLiteral(node.expression);
  if (ts.isConditionalExpression(node)) return isLiteral(node.whenTrue) || isLiteral(node.whenFalse);
  if (ts.isBinaryExpression(node)) return isLiteral(node.left) || isLiteral(node.right);
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

/** The literal messages and remedies of new CaptiousErrors and Reasons outside `say`. */
function unmarked(source: ts.SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && /^(CaptiousError|Reason)$/.test(node.expression.getText(source))) {
      const all = [...(node.arguments ?? [])];
      const texts = node.expression.getText(source) === 'Reason' ? all.slice(0, 1) : all.slice(1, 2);
      for (const details of all.filter(ts.isObjectLiteralExpression))
        for (const property of details.properties)
          if (ts.isPropertyAssignment(property) && property.name.getText(source) === 'remedy')
            texts.push(property.initializer);
      for (const text of texts.filter(isLiteral)) found.push(`${source.fileName}: ${text.getText(source)}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function parsed(file: string, content: string): ts.SourceFile {
  return ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
}

describe('error messages', () => {
  it('are all marked for translation, except on the command line', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
    const found = files
      .filter((file) => file.endsWith('.ts') && !/^cli[\\/]/.test(file))
      .flatMap((file) => unmarked(parsed(file, readFileSync(join(root, 'src', file), 'utf8'))));
    assert.deepEqual(found, []);
  });

  it('are found if they are not marked', () => {
    const found = (content: string) => unmarked(parsed('a.ts', content)).length;
    assert.equal(found("new CaptiousError('input', 'Wrong.')"), 1);
    assert.equal(found("new CaptiousError('input', say`Wrong.`, { remedy: `Use ${x}.` })"), 1);
    assert.equal(found("new CaptiousError('input', a ? say`One.` : 'Two.')"), 1);
    assert.equal(found("new Reason('too late')"), 1);
    assert.equal(found("new CaptiousError('input', say`Wrong.`, { remedy: say`Use ${x}.` })"), 0);
  });
});
