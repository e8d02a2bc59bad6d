import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../../..');

/** Whether this is a string literal, or a conditional or binary expression with one. */
function isLiteral(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isLiteral(node.expression);
  if (ts.isConditionalExpression(node)) return isLiteral(node.whenTrue) || isLiteral(node.whenFalse);
  if (ts.isBinaryExpression(node)) return isLiteral(node.left) || isLiteral(node.right);
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

/** The messages and remedies of CaptiousErrors and Reasons that are literals outside `say`. */
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
    if (ts.isCallExpression(node) && errorFunctions.test(node.expression.getText(source)))
      for (const text of node.arguments.slice(0, 2).filter(isLiteral))
        found.push(`${source.fileName}: ${text.getText(source)}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The functions of src/base/errors.ts that take a message and a remedy. */
const errorFunctions = /^(usage|input|evaluator|interrupted)Error$/;

/** The message and the remedy of a CaptiousError or Reason. */
function textsOf(node: ts.NewExpression | ts.CallExpression): ts.Expression[] {
  const all = [...(node.arguments ?? [])];
  if (ts.isCallExpression(node)) return all.slice(0, 2);
  const remedies = all
    .filter(ts.isObjectLiteralExpression)
    .flatMap(({ properties }) => properties)
    .filter((property) => property.name?.getText() === 'remedy')
    .map((property) => (ts.isPropertyAssignment(property) ? property.initializer : property.name))
    .filter((node): node is ts.Expression => node !== undefined && ts.isExpression(node));
  return [...(node.expression.getText() === 'Reason' ? all.slice(0, 1) : all.slice(1, 2)), ...remedies];
}

function makesError(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  if (ts.isCallExpression(node)) return errorFunctions.test(node.expression.getText());
  return ts.isNewExpression(node) && /^(CaptiousError|Reason)$/.test(node.expression.getText());
}

function mentions(node: ts.Node, name: string): boolean {
  return (
    (ts.isIdentifier(node) && node.text === name) ||
    (ts.forEachChild(node, (child) => mentions(child, name) || undefined) ?? false)
  );
}

/** For each file: its functions that put parameters into error texts, and the indices of these parameters. */
const helpersIn = new WeakMap<ts.SourceFile, Map<string, Set<number>>>();
function helpersOf(source: ts.SourceFile): Map<string, Set<number>> {
  const known = helpersIn.get(source);
  if (known !== undefined) return known;
  const found = new Map<string, Set<number>>();
  helpersIn.set(source, found);
  const visit = (node: ts.Node, around?: ts.SignatureDeclaration): void => {
    const within = ts.isFunctionLike(node) ? node : around;
    if (within !== undefined && makesError(node)) {
      const name = (within.name ?? (within.parent as ts.Node & { name?: ts.Node }).name)?.getText();
      for (const [at, parameter] of within.parameters.entries())
        if (name !== undefined && textsOf(node).some((text) => mentions(text, parameter.name.getText())))
          found.set(name, (found.get(name) ?? new Set()).add(at));
    }
    ts.forEachChild(node, (child) => visit(child, within));
  };
  visit(source);
  return found;
}

/**
 * Sentences without `say` that reach an error text through a function of `helpersOf`. A text without a space
 * counts as a name.
 */
function unmarkedCalls(source: ts.SourceFile, others: readonly ts.SourceFile[] = []): string[] {
  const helpers = new Map(helpersOf(source));
  if (source.text.includes('FileContext'))
    for (const name of ['wrong', 'context.wrong']) if (!helpers.has(name)) helpers.set(name, new Set([1, 2]));
  const imported = /import \{([^}]*)\}/g;
  const names = [...source.text.matchAll(imported)].flatMap(([, list]) => list.split(/[\s,]+/));
  for (const other of others)
    for (const [name, places] of helpersOf(other))
      if (names.includes(name) && other.text.includes(`export function ${name}(`)) helpers.set(name, places);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node))
      for (const at of helpers.get(node.expression.getText()) ?? []) {
        const text = node.arguments.at(at);
        if (
          text !== undefined &&
          isLiteral(text) &&
          / [a-z]/i.test(text.getText().replace(/\$\{[^}]*\}/g, ''))
        )
          found.push(`${source.fileName}: ${text.getText()}`);
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
  it('are all marked for translation, except on the command line and in the server for assistants', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
    const sources = files
      .filter((file) => file.endsWith('.ts') && !/^(cli|mcp)[\\/]/.test(file))
      .map((file) => parsed(file, readFileSync(join(root, 'src', file), 'utf8')));
    const exporting = sources.filter(
      ({ text }) =>
        /export function/.test(text) &&
        /new (CaptiousError|Reason)|(usage|input|evaluator|interrupted)Error\(/.test(text),
    );
    const found = sources.flatMap((source) => [...unmarked(source), ...unmarkedCalls(source, exporting)]);
    assert.deepEqual(found, []);
  });

  it('are found if they are not marked', () => {
    const found = (content: string) => unmarked(parsed('a.ts', content)).length;
    assert.equal(found("new CaptiousError('input', 'Wrong.')"), 1);
    assert.equal(found("inputError('Wrong.', `Use ${x}.`)"), 2);
    assert.equal(found("inputError(say('a.code'), say('another.code'), 'file.json:3')"), 0);
    assert.equal(found("new CaptiousError('input', say`Wrong.`, { remedy: `Use ${x}.` })"), 1);
    assert.equal(found("new CaptiousError('input', a ? say`One.` : 'Two.')"), 1);
    assert.equal(found("new Reason('too late')"), 1);
    assert.equal(found("new CaptiousError('input', say`Wrong.`, { remedy: say`Use ${x}.` })"), 0);
  });

  it('are found if a helper gets them without a mark', () => {
    const helper = "const wrong = (key, why: Words) => new CaptiousError('input', say`${key}: ${why}`);";
    const found = (call: string) => unmarkedCalls(parsed('a.ts', `${helper}\n${call}`)).length;
    assert.equal(found("wrong('key', 'it is wrong');"), 1);
    assert.equal(found("wrong('key', `it has ${n} rows`);"), 1);
    assert.equal(found("wrong('key', say`it is wrong`);"), 0);
  });
});
