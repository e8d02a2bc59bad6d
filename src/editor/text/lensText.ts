import * as vscode from 'vscode';
import { inARow, say, type Words } from '../../base/say';
import type { Mark } from '../../protocol/rows';
import {
  briefName,
  type ExampleMark,
  perLine,
  shortName,
  isWrong,
  severityOf,
  telling,
  type Known,
  type PlacedMark,
} from './evaluatorMarks';
import { hasLens, type LensLevel, sharedText } from './lensLevel';
import type { Marks } from './marks';
import { localized } from '../messages';
import { codeLens } from '../notify';

/** Whether to grey out a line: all its results are stale, or at least one is stale and does not need a new run. */
export function isOutdated(line: readonly PlacedMark[]): boolean {
  const stale = line.filter((placed) => placed.stale);
  return (
    stale.some(({ known }) => known.again !== 'rerun') || (stale.length > 0 && stale.length === line.length)
  );
}

/** The most results that a line shows. The hover and the list of results show all. */
const mostNamed = 2;

export interface Naming {
  /** Whether to name the probe of each result, because several probes have results. */
  probes: boolean;
  /** Whether an example has a lens (default: at the level `wrong`). */
  has?: (placed: PlacedMark) => boolean;
}

/** VS Code cuts a hint after this many characters. Then the names of several evaluators have fewer letters. */
const longestHint = 43;
const shortestName = 6;

/** An example's hint, such as "✓". It names probes and evaluators where this is necessary. */
export function hintWords(placed: readonly PlacedMark[], { probes }: Naming): Words | undefined {
  const all = placed.flatMap(({ mark, known }) => {
    const words = hintOfProbe(mark);
    return words === undefined ? [] : [{ words, mark, title: known.title }];
  });
  if (all.length === 0) return undefined;
  const [worst] = [...all].sort((a, b) => severityOf(b.mark) - severityOf(a.mark));
  const isShared = all.length > 1 && all.every(({ words }) => localized(words) === localized(worst.words));
  return !probes || isShared ? worst.words : say('base.joinedParts', briefName(worst.title), worst.words);
}

/** The hint of one probe's result. */
function hintOfProbe(mark: ExampleMark): Words | undefined {
  const all = telling(mark).flatMap(({ name, mark: own }) => {
    const words = hintOf(own);
    return words === undefined ? [] : [{ name, words }];
  });
  if (all.length === 0) return undefined;
  const isShared = all.every(({ words }) => words === all[0].words);
  if (isShared && all.length === (mark.among ?? 1)) return all[0].words;
  const further = all.length - mostNamed;
  const withNames = (most?: number): Words =>
    inARow([
      ...all
        .slice(0, mostNamed)
        .map(({ name, words }) =>
          name === undefined ? words : say('base.joinedParts', briefName(name, mark, most), words),
        ),
      ...(further > 0 ? [say('editor.further', further)] : []),
    ]);
  const whole = withNames();
  return localized(whole).length > longestHint ? withNames(shortestName) : whole;
}

/** The mark's own hint. If it has none, a summary of its verdicts, such as "2/3" or "✓"; undefined without verdicts. */
function hintOf({ hint, captions }: Mark): string | undefined {
  if (hint !== undefined) return hint;
  const judged = captions.filter(({ verdict }) => verdict !== 'none');
  const right = judged.filter(({ verdict }) => verdict === 'right').length;
  if (judged.length === 0) return undefined;
  if (judged.length > 1) return `${right}/${judged.length}`;
  return right === 1 ? '✓' : '✗';
}

/** The results of the given marks: one for each evaluator of each mark, worst first. */
export function allResults(
  placed: readonly PlacedMark[],
  { probes }: Naming,
): { placed: PlacedMark; evaluator: string | undefined; name: Words | undefined; mark: Mark }[] {
  return placed
    .flatMap((each) =>
      (each.mark.evaluators ?? [{ evaluator: undefined, mark: each.mark }]).map(({ evaluator, mark }) => {
        const named = (each.mark.among ?? 1) > 1 ? evaluator : undefined;
        return { placed: each, evaluator: named, name: nameOf(each, named, probes), mark };
      }),
    )
    .sort((a, b) => severityOf(b.mark) - severityOf(a.mark));
}

/** A result's probe and evaluator, such as "VISLA · clip". Undefined if there is only one of each. */
function nameOf({ known }: PlacedMark, evaluator: string | undefined, probes: boolean): Words | undefined {
  const parts = [...(probes ? [known.title] : []), ...(evaluator === undefined ? [] : [evaluator])];
  return parts.length === 0 ? undefined : inARow(parts);
}

export function withName(name: Words | undefined, words: Words): Words {
  return name === undefined ? words : say('base.labelledPart', name, words);
}

/** A line's first two lenses. If the line has more, a further lens lists all results. */
export function lensesOf(
  document: vscode.TextDocument,
  placed: readonly PlacedMark[],
  naming: Naming,
): vscode.CodeLens[] {
  const [{ line }] = placed;
  const range = new vscode.Range(line, 0, line, 0);
  const has = naming.has ?? ((each) => hasLens('wrong', each));
  const rank = ({ mark, stale }: PlacedMark) => (stale ? 3 : severityOf(mark));
  const current = placed.filter((each) => !each.stale && has(each)).sort((a, b) => rank(b) - rank(a));
  // First the worst result of each probe, then the other results of the line.
  const isFirst = (each: PlacedMark) =>
    current.find(({ known }) => known.probe === each.known.probe) === each;
  const firsts = current.filter(isFirst).map((each) => resultsOf(each, naming));
  const others = current.filter((each) => !isFirst(each)).flatMap((each) => resultsOf(each, naming));
  const results = [...firsts.flatMap(([own]) => own), ...firsts.flatMap(([, ...own]) => own), ...others];
  const all = [...editedOf(document, placed, naming), ...results];
  const further = all.length - mostNamed;
  const lenses = all.slice(0, mostNamed).map((command) => codeLens(range, command));
  if (further <= 0) return lenses;
  const show = { command: 'captious.showResults', arguments: [document.uri.toString(), line] };
  return [...lenses, codeLens(range, { ...show, title: localized(say('editor.further', further)) })];
}

/** The link for edited captions: rescore, or run the audit again. */
function editedOf(
  document: vscode.TextDocument,
  placed: readonly PlacedMark[],
  { probes }: Naming,
): vscode.Command[] {
  const stale = placed.filter((each) => each.stale);
  if (stale.length === 0) return [];
  // Rescoring updates all probes that support it, so one link is enough.
  const first = stale.find(({ known }) => known.again === 'rescore') ?? stale[0];
  const isPart = probes && stale.length < placed.length;
  const titles = [...new Set(stale.map(({ known }) => known.title))];
  const words = localized(
    withName(isPart ? inARow(titles, ', ') : undefined, vscode.l10n.t('edited, not rescored')),
  );
  const again = againOf(document, first.known, first.line);
  return [
    again === undefined ? { title: words, command: '' } : { ...again, title: `${words} · ${again.title}` },
  ];
}

/**
 * Links to one probe's results: a link per evaluator, or a single link with the number of wrong evaluators. If any
 * evaluators are wrong, only these have links.
 */
function resultsOf(placed: PlacedMark, { probes }: Naming): vscode.Command[] {
  const { mark, fresh, known } = placed;
  const told = telling(mark);
  const scored = mark.evaluators?.length ?? 1;
  const linkTo = (words: Words, evaluator?: string) => ({
    title: localized(fresh ? inARow([words, vscode.l10n.t('rescored')]) : words),
    command: 'captious.openPanel',
    arguments: [known.id, mark.line, undefined, evaluator, known.probe],
  });
  if (scored <= mostNamed || told.length === 1)
    return told.map(({ name, mark: own }) => {
      const shown = name === undefined ? undefined : shortName(name, mark);
      return linkTo(withName(nameOf(placed, shown, probes), own.words), name);
    });
  const wrong = told.filter((own) => isWrong(own.mark));
  return [
    linkTo(withName(nameOf(placed, undefined, probes), countOf(wrong, mark)), (wrong.at(0) ?? told[0]).name),
  ];
}

function countOf(wrong: readonly { name?: string }[], mark: ExampleMark): Words {
  const scored = mark.evaluators?.length ?? 1;
  if (wrong.length === 0) return say('editor.lensNoneWrong', scored);
  const further = wrong.length - mostNamed;
  const names = inARow(
    [
      ...wrong.slice(0, mostNamed).map(({ name = '' }) => briefName(name, mark)),
      ...(further > 0 ? [say('editor.further', further)] : []),
    ],
    ', ',
  );
  return say('editor.lensSomeWrong', wrong.length, scored, names);
}

/** The longest file, in lines, whose lenses can become one. All its results are read for this. */
const longestShared = 2000;
const linesAtOnce = 500;

/** The lenses of whole files: which examples are among the worst, and whether nearly all lenses say the same. */
export class WholeFiles {
  private readonly kept = new WeakMap<vscode.TextDocument, { key: string; all: Promise<PlacedMark[]> }>();
  private readonly worst = new WeakMap<vscode.TextDocument, { key: string; lines: Worst }>();

  constructor(private readonly marks: Marks) {}

  /** Whether an example has a lens at this level. */
  async chooserOf(document: vscode.TextDocument, level: LensLevel): Promise<Required<Naming>['has']> {
    if (level !== 'worst') return (placed) => hasLens(level, placed);
    const key = keyOf(this.marks.latest(document));
    let own = this.worst.get(document);
    if (own?.key !== key) this.worst.set(document, (own = { key, lines: this.marks.worst(document) }));
    const lines = await own.lines;
    return (placed) => hasLens(level, placed, lines.get(placed.known.probe));
  }

  /** The lens that replaces those of the examples; undefined if they say different things or the file is long. */
  async sharedIn(
    document: vscode.TextDocument,
    naming: Required<Naming>,
  ): Promise<vscode.CodeLens | undefined> {
    if (document.lineCount > longestShared || this.marks.latest(document).length === 0) return undefined;
    const key = keyOf(this.marks.latest(document));
    let own = this.kept.get(document);
    if (own?.key !== key) this.kept.set(document, (own = { key, all: this.read(document) }));
    // The document may have been edited since the results were read.
    const placed = (await own.all).map(({ known, mark }) => this.marks.placed(document, known, mark));
    const lines = perLine(placed);
    const lenses = lines
      .filter((marks) => marks.some(naming.has))
      .map((marks) => lensesOf(document, marks, naming).flatMap(({ command }) => command ?? []));
    const shared = sharedText(
      lenses.map((commands) => commands.map(({ title }) => title).join(' | ')),
      lines.length,
    );
    const first = lenses.find((commands) => commands.length > 0)?.[0];
    if (shared === undefined || first === undefined) return undefined;
    const title = localized(say('editor.lensShared', shared.count, lines.length, shared.text));
    return codeLens(new vscode.Range(0, 0, 0, 0), { ...ofFile(document, first), title });
  }

  private async read(document: vscode.TextDocument): Promise<PlacedMark[]> {
    const all: PlacedMark[] = [];
    for (let from = 0; from < document.lineCount; from += linesAtOnce)
      for (const each of await this.marks.between(document, from, from + linesAtOnce - 1)) all.push(each);
    return all;
  }
}

type Worst = ReturnType<Marks['worst']>;

function keyOf(all: readonly Known[]): string {
  return JSON.stringify(all.map(({ id, probe }) => [id, probe]));
}

/** The command of one example's lens, for all examples. */
function ofFile(
  document: vscode.TextDocument,
  { command, arguments: given = [] }: vscode.Command,
): vscode.Command {
  const [id, , , , probe] = given as unknown[];
  const own =
    command === 'captious.rescore'
      ? [document.uri.toString()]
      : command === 'captious.openPanel'
        ? [id, undefined, undefined, undefined, probe]
        : given;
  return { title: '', command, arguments: own };
}

/** The command for an edited caption: rescore, or run the audit again. */
export function againOf(
  document: vscode.TextDocument,
  known: Known,
  line: number,
): vscode.Command | undefined {
  switch (known.again) {
    case 'rescore':
      return {
        title: vscode.l10n.t('rescore'),
        command: 'captious.rescore',
        arguments: [document.uri.toString(), [line]],
      };
    case 'rerun':
      return { title: vscode.l10n.t('run again'), command: 'captious.rerun', arguments: [known.id] };
    case undefined:
      return undefined;
  }
}
