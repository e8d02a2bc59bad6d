import type { Line, Results, Selection } from '../../../src/protocol/rows';
import { ask } from '../../base/rows';
import { commonReach } from './commonReach';
import { judgedEvent } from './judging';

const pageSize = 100;
const pagesKept = 40;
const none: Results = { right: 0, wrong: 0, tie: 0, none: 0 };

/** The rows of a selection. A page of rows is requested when one of its rows becomes visible. */
export class Lines {
  total = 0;
  results: Results = none;
  /** For each shown evaluator, the score change at which a bar is full. */
  reach: readonly number[] = [];
  private pages = new Map<number, Line[]>();
  private asked = new Set<number>();
  private generation = 0;

  constructor(
    private readonly onChange: () => void,
    private readonly onProblem: (message: string) => void,
  ) {
    // A judgment marks rows, so that pages are read again when they are next drawn. Until then, they stay.
    document.addEventListener(judgedEvent, () => {
      this.asked.clear();
      this.onChange();
    });
  }

  private report = '';
  private selection: Selection = { text: '', facets: {}, sort: 'image' };

  /** Shows the rows of a selection after the first page has arrived. Until then, the list keeps its old rows. */
  async show(report: string, selection: Selection): Promise<void> {
    const generation = ++this.generation;
    this.report = report;
    this.selection = selection;
    const first = await ask('lines', { report, selection, offset: 0, limit: pageSize });
    if (generation !== this.generation) return;
    this.pages = new Map([[0, first.lines]]);
    this.asked = new Set([0]);
    this.total = first.total;
    this.results = first.results;
    this.reach = commonReach(first.reach);
    this.onChange();
  }

  clear(): void {
    this.generation++;
    this.total = 0;
    this.pages.clear();
    this.asked.clear();
  }

  /** The row at a position, or undefined if its page is not loaded. Requests a page that is missing or outdated. */
  at(position: number): Line | undefined {
    const page = Math.floor(position / pageSize);
    this.fetch(page);
    return this.pages.get(page)?.[position % pageSize];
  }

  /** The list position of the row with this index in the report's rows; undefined if no loaded page contains it. */
  positionOf(index: number): number | undefined {
    for (const [page, lines] of this.pages) {
      const at = lines.findIndex((line) => line.index === index);
      if (at >= 0) return page * pageSize + at;
    }
    return undefined;
  }

  /** Whether the selection has no rows. False until the first page has arrived. */
  get isEmpty(): boolean {
    return this.total === 0 && this.pages.has(0);
  }

  firstPage(): readonly Line[] {
    return this.pages.get(0) ?? [];
  }

  private fetch(page: number): void {
    if (this.asked.has(page)) return;
    this.asked.add(page);
    const { generation, report, selection } = this;
    ask('lines', { report, selection, offset: page * pageSize, limit: pageSize }).then(
      ({ lines }) => {
        if (generation !== this.generation) return;
        this.pages.set(page, lines);
        const [oldest] = this.pages.keys();
        if (this.pages.size > pagesKept && oldest !== undefined) {
          this.pages.delete(oldest);
          this.asked.delete(oldest);
        }
        this.onChange();
      },
      (error: unknown) => {
        this.asked.delete(page);
        if (generation === this.generation)
          this.onProblem(error instanceof Error ? error.message : String(error));
      },
    );
  }
}
