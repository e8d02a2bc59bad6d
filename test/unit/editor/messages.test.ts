import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { lengthBand } from '../../../src/probe/lgip/names';
import { probes } from '../../../src/probe/generated/probes';
import { reportViews } from '../../../src/probe/views';

const root = join(__dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const words = (path: string) => JSON.parse(read(path)) as Record<string, string>;

function sourcesIn(folder: string): ts.SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file))
    .map((file) => ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true));
}

/** Whether the node calls the editor's translation function or the views' `t`. */
function isTranslation(node: ts.Node): node is ts.CallExpression {
  return ts.isCallExpression(node) && /^(.*\bl10n\.)?t$/.test(node.expression.getText());
}

function isSaid(node: ts.Node): node is ts.CallExpression {
  return ts.isCallExpression(node) && node.expression.getText() === 'say';
}

const english = words('l10n/messages.en.json');

interface Found {
  /** The texts that `t` translates. */
  texts: Set<string>;
  /** The codes that appear as literals. */
  codes: Set<string>;
  /** Calls of `say` whose code is no literal or whose number of values differs from the sentence's. */
  wrong: string[];
}

function found(): Found {
  const all: Found = { texts: new Set(), codes: new Set(), wrong: [] };
  for (const source of [...sourcesIn('src'), ...sourcesIn('webview')]) {
    const walk = (node: ts.Node): void => {
      if (isTranslation(node)) {
        const [text] = node.arguments;
        assert.ok(ts.isStringLiteralLike(text), `${source.fileName}: ${text.getText()}`);
        all.texts.add(text.text);
      }
      if (isSaid(node) && !isWhole(node)) all.wrong.push(`${source.fileName}: ${node.getText()}`);
      if (ts.isStringLiteral(node) && Object.hasOwn(english, node.text)) all.codes.add(node.text);
      ts.forEachChild(node, walk);
    };
    walk(source);
  }
  for (const file of readdirSync(join(root, 'python/captious'), { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.py'))
      for (const [, name] of read(join('python/captious', file)).matchAll(/"(\w+)"/g))
        if (Object.hasOwn(english, `python.${name}`)) all.codes.add(`python.${name}`);
  for (const [, code] of read('src/perturb/society/lexicon.json').matchAll(/"code": "([^"]+)"/g))
    if (Object.hasOwn(english, code)) all.codes.add(code);
  // The views translate these texts of reports and probes.
  for (const { question, options } of probes) {
    all.texts.add(question);
    for (const { describe } of options) all.texts.add(describe);
  }
  for (const { question } of reportViews()) all.texts.add(question);
  for (let words = 1; words < 20; words++) all.texts.add(lengthBand(words));
  return all;
}

function isWhole({ arguments: [code, ...values] }: ts.CallExpression): boolean {
  if (!ts.isStringLiteral(code)) return false;
  if (values.some(ts.isSpreadElement)) return true;
  const holes = [...english[code.text].matchAll(/\{(\d+)[|}]/g)].map(([, i]) => Number(i));
  return values.length === Math.max(-1, ...holes) + 1;
}

/** Properties with values that users do not see: classes, keys, kinds of elements. */
const unread = /^(class|id|type|role|scope|shape|style|preserveAspectRatio)$/;

/** Untranslated strings of the views that look like texts for users. */
function untold(): string[] {
  const found: string[] = [];
  // Charts for papers are in English, like reports.
  for (const source of sourcesIn('webview').filter(({ fileName }) => !fileName.endsWith('paper.ts'))) {
    const walk = (node: ts.Node): void => {
      if (isTranslation(node) || isSaid(node)) {
        if (ts.isCallExpression(node)) node.arguments.slice(1).forEach(walk);
        return;
      }
      if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isThrowStatement(node)) return;
      if (ts.isPropertyAssignment(node)) {
        if (!unread.test(node.name.getText())) walk(node.initializer);
        return;
      }
      if (ts.isBinaryExpression(node) && /^[!=]==$/.test(node.operatorToken.getText())) return;
      const text =
        ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)
          ? node.text
          : '';
      if (/\p{L}[\p{L},:;]* \p{L}|^\p{Lu}\p{Ll}+[….]?$|\p{L}{3}\.$/u.test(text))
        found.push(`${source.fileName}: ${text}`);
      ts.forEachChild(node, walk);
    };
    walk(source);
  }
  return found;
}

/** Their number is a threshold, or other messages say what is to be said of one. */
const neverOne = [
  ...[
    'bench.pairKindUnscorable',
    'benchmark.fewJoined',
    'benchmark.partOfImages',
    'benchmark.tooFewForBlind',
  ],
  ...['calibrate.fitted', 'dataset.readAsGrid', 'dataset.severalFilesOfName', 'editor.lensNoneWrong'],
  ...['embeddings.repeatedIdSeveral', 'exploit.searchMeaning', 'export.drawsJoined', 'long.someChanged'],
  ...['inference.fromOnClustersBoth', 'inference.skillingsMackOnClusters', 'inference.testedOnMeanScores'],
  ...['invariance.skillingsMackTest', 'invariance.testedOnImageMeans', 'invariance.widestWordPair'],
  ...['parity.fewImages', 'probe.notFromChanceNeeds', 'probe.tooManyPairs', 'prsm.unrelatedOverlap'],
  ...['report.draws', 'report.drawsByDefault', 'report.rowsLeftOut', 'rococo.leastInfluentialNouns'],
  ...['spread.repeatRule', 'Delete {0} runs and their reports?', '{0} draws of the variants', '{0} items/s'],
  ...['One file for the browser, with the {0} reports one below the other', '{0} texts'],
];

const holes = (text: string) =>
  [...text.replace(/\{\d\|[^}]*\}/g, '').matchAll(/\{\d\}|`[^`]*`|\(command:[^)]*\)/g)]
    .map(([hole]) => hole)
    .sort();

describe('the second language', () => {
  const { texts, codes, wrong } = found();

  it('has exactly the messages and texts of the code', () => {
    // A sentence without letters is equal in every language.
    const spoken = [...codes].filter((code) => /\p{L}/u.test(english[code]));
    const translated = new Set(Object.keys(words('l10n/bundle.l10n.de.json')));
    const needed = new Set([...texts, ...spoken]);
    assert.deepEqual(
      {
        untranslated: [...needed].filter((text) => !translated.has(text)),
        unused: [...translated].filter((text) => !needed.has(text)),
      },
      { untranslated: [], unused: [] },
    );
  });

  it('translates messages that exist, are used, and have as many values as their sentences', () => {
    assert.deepEqual(wrong, []);
    assert.deepEqual(Object.keys(english), [...codes].sort());
    assert.equal(new Set(Object.values(english)).size, codes.size);
  });

  it('has the noun that fits the number 1', () => {
    const noun =
      'captions|clusters|comparisons|draws|edits|errors|evaluators|examples|files|flips|folders|images|items|lines|metrics|pairs|places|problems|questions|reports|rows|runs|texts|triplets|variants|words';
    // Limits and totals are never 1, and shares such as "70 % of flips" are no counts.
    const limit =
      /(?:than|at most|up to|top|all|best of|[Oo]ver|first|has|only|by|to|±|because|and) $|\{\d\} (?:of|to) $/;
    const wrong = Object.entries({
      ...english,
      ...Object.fromEntries([...texts].map((text) => [text, text])),
    });
    const counts = wrong.flatMap(([code, text]) =>
      [...text.matchAll(new RegExp(`\\{\\d\\} (?:${noun})\\b`, 'g'))].flatMap(({ 0: found, index }) =>
        limit.test(text.slice(0, index)) || neverOne.includes(code) ? [] : [`${code}: ${found}`],
      ),
    );
    assert.deepEqual(counts, []);
  });

  it('covers every text of the views', () => {
    assert.deepEqual(untold(), []);
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

  it('keeps placeholders, code and commands', () => {
    for (const [text, translated] of Object.entries(words('l10n/bundle.l10n.de.json')))
      assert.deepEqual(holes(translated), holes(english[text] ?? text), text);
    const german = words('package.nls.de.json');
    for (const [key, text] of Object.entries(words('package.nls.json')))
      assert.deepEqual(holes(german[key]), holes(text), key);
  });
});
