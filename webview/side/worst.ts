import { messageOf } from '../../src/base/errors';
import type { Line, Selection } from '../../src/protocol/rows';
import type { SideReport } from '../../src/protocol/side';
import { button, el } from '../base/dom';
import { signed, whole } from '../base/format';
import { ask } from '../base/rows';
import { t } from '../base/words';
import { markedAgainst, verdictMark } from '../panel/examples/marked';

const pageSize = 20;
const selection: Selection = { text: '', facets: {}, sort: 'image' };

/**
 * Lists wrong rows and ties, then all others. Both parts have the worst row of each image first, then the
 * second-worst, and so on. While the list is open, it loads rows in pages.
 */
export class WorstList {
  private readonly list = el('ol', { class: 'worst-rows' });
  private readonly foot = el('div', { class: 'worst-foot' });
  private readonly choice = el('select', {
    id: 'worst-by',
    'aria-label': t('Evaluator that ranks the worst examples'),
  });
  private readonly summary = el('summary', {}, t('Worst in this file'));
  readonly root = el('details', { class: 'worst' }, this.summary, this.choice, this.list, this.foot);
  private report: string | undefined;
  private isFilled = false;
  private generation = 0;

  constructor(
    private readonly go: (report: string, index: number) => void,
    isOpen: boolean,
    onFold: (isOpen: boolean) => void,
  ) {
    this.root.open = isOpen;
    this.root.addEventListener('toggle', () => {
      onFold(this.root.open);
      this.fill();
    });
    this.choice.addEventListener('change', () => {
      this.report = this.choice.value;
      this.empty();
    });
  }

  show(reports: readonly SideReport[]): void {
    this.root.hidden = reports.length === 0;
    this.choice.hidden = reports.length < 2;
    this.choice.replaceChildren(
      ...reports.map(({ key, evaluator }) => {
        const option = el('option', {}, evaluator);
        option.value = key;
        return option;
      }),
    );
    if (!reports.some(({ key }) => key === this.report)) this.report = reports.at(0)?.key;
    if (this.report !== undefined) this.choice.value = this.report;
    this.empty();
  }

  /** Marks the row of the example at the cursor, by its line in the dataset file. */
  mark(line: number | undefined): void {
    for (const row of this.list.querySelectorAll<HTMLElement>('[data-line]')) {
      if (line !== undefined && row.dataset.line === String(line)) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    }
  }

  private empty(): void {
    this.generation++;
    this.isFilled = false;
    this.list.replaceChildren();
    this.foot.replaceChildren();
    this.fill();
  }

  private fill(): void {
    if (this.isFilled || !this.root.open || this.report === undefined) return;
    this.isFilled = true;
    void this.more(this.report);
  }

  private async more(report: string): Promise<void> {
    const { generation } = this;
    const offset = this.list.childElementCount;
    try {
      const { lines, total } = await ask('lines', { report, selection, offset, limit: pageSize });
      if (generation !== this.generation) return;
      const first = this.rows(report, lines);
      const shown = this.list.childElementCount;
      const further = button(t('Show more'), () => {
        further.disabled = true;
        void this.more(report);
      });
      this.foot.replaceChildren(
        el('span', { class: 'quiet' }, t('{0} of {1}', whole(shown), whole(total))),
        ...(shown < total ? [further] : []),
      );
      if (offset > 0) first?.focus();
    } catch (error) {
      if (generation === this.generation)
        this.foot.replaceChildren(el('p', { class: 'problem' }, messageOf(error)));
    }
  }

  /** Adds rows to the list. Returns the button of the first added row. */
  private rows(report: string, lines: readonly Line[]): HTMLButtonElement | undefined {
    const buttons = lines.map((line) => this.row(report, line));
    this.list.append(...buttons.map((row) => el('li', {}, row)));
    return buttons.at(0);
  }

  private row(report: string, { index, line, before, after, delta, verdict }: Line): HTMLButtonElement {
    const row = el(
      'button',
      { type: 'button', class: 'worst-row', title: after, 'data-line': String(line ?? '') },
      verdictMark(verdict),
      el('span', { class: 'words' }, ...markedAgainst(before, after)),
      el(
        'span',
        { class: 'facts' },
        el('span', { class: 'number' }, delta === undefined ? '' : signed(delta)),
        el('span', { class: 'quiet' }, line === undefined ? '' : t('line {0}', whole(line))),
      ),
    );
    row.disabled = line === undefined;
    row.addEventListener('click', () => {
      this.go(report, index);
    });
    return row;
  }
}
