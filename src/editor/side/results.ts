import type { Words } from '../../base/say';
import type * as vscode from 'vscode';
import type { PanelMemory, PanelState } from '../../protocol/panel';
import type { AnswerRows, Mark } from '../../protocol/rows';
import type { SideExample, SideReport } from '../../protocol/side';
import type { PanelSource } from '../panel/panel';
import { findWhole } from '../text/captionPlace';
import { type Marks, searched } from '../text/marks';
import { type AtLine, captionAround, captionOnLine, layoutOf, longestEntry } from './cursorEntry';
import type { Known, PlacedMark } from '../text/evaluatorMarks';

export type OpenResults = (memory: PanelMemory) => PanelSource | Promise<PanelSource>;

interface Found extends AtLine {
  placed: PlacedMark;
}

/** The latest results of one probe for a dataset file, and where the examples are in the edited file. */
export class Results {
  private constructor(
    readonly known: Known,
    private readonly state: PanelState,
    private readonly source: PanelSource,
    private readonly marks: Marks,
  ) {}

  static async open(known: Known, open: OpenResults, marks: Marks): Promise<Results> {
    const source = await open({ run: known.id, compare: [...(known.others ?? [])] });
    return new Results(known, await source.state(), source, marks);
  }

  /** The probe's reports, one per evaluator. */
  get reports(): SideReport[] {
    return this.state.reports
      .filter(({ probe }) => probe === this.known.probe)
      .map(({ key, probe, title, evaluator }) => ({ key, probe, title, evaluator }));
  }

  get canTry(): boolean {
    return this.state.can.whatIf;
  }

  get problem(): Words | undefined {
    return this.state.problem;
  }

  readonly answer: AnswerRows = (name, ask, context) => this.source.answer(name, ask, context);

  /** The results of the example at the cursor, from each report; null if there is no example. */
  async example(document: vscode.TextDocument, cursor: vscode.Position): Promise<SideExample | null> {
    const [first, ...others] = this.reports;
    if (first === undefined) return null;
    const line = this.marks.lineBefore(document, this.known, cursor.line) + 1;
    // Requests the other reports' marks for the cursor's line early, because the example is usually on this line.
    const [own, ...early] = await Promise.all([
      this.markAt(document, cursor, first.key),
      ...others.map(({ key }) => this.marksIn(key, line, line)),
    ]);
    if (own?.mark.index === undefined) return null;
    const { mark, stale, fresh } = own;
    const marks =
      fresh || mark.line === line
        ? early
        : await Promise.all(others.map(({ key }) => this.marksIn(key, mark.line, mark.line)));
    const places = [
      { report: first.key, index: mark.index },
      ...others.map(({ key }, i) => ({ report: key, index: sameIn(marks[i], own)?.index })),
    ];
    const entries = await Promise.all(
      places.flatMap(({ report, index }) => {
        if (index === undefined) return [];
        return [this.answer('detail', { report, index }).then((detail) => ({ report, detail }))];
      }),
    );
    // Only the captions of a rescored example have new scores, so its other details are outdated and left out.
    for (const entry of fresh ? entries : []) {
      const { evaluator } = this.reports.find(({ key }) => key === entry.report)!;
      const scored = mark.evaluators?.find((each) => each.evaluator === evaluator);
      if (scored === undefined) continue;
      const { index, example, image, line: audited } = entry.detail;
      const { captions } = scored.mark;
      entry.detail = { index, example, image, line: audited, captions, notes: [] };
    }
    return { line: own.line + 1, edited: stale, rescored: fresh, entries };
  }

  /** The nearest example that an evaluator gets wrong: above the cursor if `back` is true, otherwise below. */
  async miss(
    document: vscode.TextDocument,
    cursor: vscode.Position,
    shown: SideExample | null,
    back: boolean,
  ): Promise<PlacedMark | undefined> {
    const line = this.marks.lineBefore(document, this.known, cursor.line) + 1;
    const found = await Promise.all(
      this.reports.map(async ({ key }) => {
        const index = shown?.entries.find(({ report }) => report === key)?.detail.index;
        return (await this.answer('miss', { report: key, line, back, index })) ?? [];
      }),
    );
    const inOrder = found.flat().sort((a, b) => a.line - b.line || (a.column ?? 1) - (b.column ?? 1));
    const nearest = back ? inOrder.at(-1) : inOrder.at(0);
    return nearest && this.marks.placed(document, this.known, nearest);
  }

  /** The current place of a row's example. */
  async placeOf(
    document: vscode.TextDocument,
    report: string,
    index: number,
  ): Promise<PlacedMark | undefined> {
    const { line } = await this.answer('detail', { report, index });
    if (line === undefined) return undefined;
    const marks = await this.marksIn(report, line, line);
    // The row belongs to the last mark whose index does not exceed the row's index.
    const mark = marks.findLast((each) => each.index !== undefined && each.index <= index);
    return mark && this.marks.placed(document, this.known, mark);
  }

  private async markAt(
    document: vscode.TextDocument,
    cursor: vscode.Position,
    report: string,
  ): Promise<PlacedMark | undefined> {
    const layout = layoutOf(document.uri.path);
    const look = async (around: number, moved: number): Promise<Found[]> => {
      const range = [Math.max(0, cursor.line - around), cursor.line + around] as const;
      const marksOf = (from: number, to: number) => this.marksIn(report, from, to);
      const placed = await this.marks.placedBetween(document, this.known, marksOf, range, moved);
      return placed.map((each) => ({ placed: each, line: each.line, start: startOf(document, each) }));
    };
    // Usually, the caption is on the cursor's line and was not edited.
    const near = captionOnLine(await look(0, 0), cursor)?.placed;
    if (near !== undefined && !near.stale) return near;
    const around = await look(layout === 'lines' ? 0 : longestEntry, searched);
    const textOf = (line: number) => document.lineAt(line).text;
    const found = captionOnLine(around, cursor) ?? captionAround(around, cursor, layout, textOf);
    return found?.placed ?? near;
  }

  private marksIn(report: string, from: number, to: number): Promise<Mark[]> {
    return this.answer('marks', { report, from, to });
  }
}

/** Finds the mark of the same example among another report's marks. */
function sameIn(marks: readonly Mark[], { mark: { column, texts }, fresh }: PlacedMark): Mark | undefined {
  // The other reports do not contain the edited texts of a rescored mark.
  if (fresh) return marks.length === 1 ? marks[0] : undefined;
  const own = JSON.stringify([column, texts]);
  return marks.find((mark) => JSON.stringify([mark.column, mark.texts]) === own);
}

/** The character at which a mark's caption starts on its line, counted from 0. */
export function startOf(document: vscode.TextDocument, { line, mark }: PlacedMark): number {
  if (mark.column !== undefined) return mark.column - 1;
  const [text] = mark.texts;
  return text === undefined ? 0 : (findWhole(document.lineAt(line).text, text)?.start ?? 0);
}
