import type { Words } from '../../../src/base/say';
import type { Line } from '../../../src/protocol/rows';
import { shortNames } from '../../../src/base/text/shortNames';
import { button, el } from '../../base/dom';
import { plain, signed } from '../../base/format';
import { judgedMark, markedBoth, verdictMark } from './marked';
import type { ImageUrls } from './imageUrls';
import { localized, t } from '../../base/words';

/** The image column is hidden after this many missing images, unless an image was found before. */
const enoughMissing = 5;
const thumbnail = 48;
/** Widths in pixels: a wide row without its captions, a compact row without its captions, and an average letter. */
const [besideTexts, besideCompact, letter] = [458, 180, 6.6];
/** How many letters of an evaluator's name a row shows, and the width in pixels that they need. */
const [lettersOfName, besideName] = [12, 60];
/** How many letters before the first changed word stay visible in a shortened caption. */
const lettersBefore = 14;

type Result = Pick<Line, 'score' | 'delta' | 'verdict'>;

export class RowViews {
  private report = '';
  private imagesMissing = 0;
  /** The one or two evaluators whose results a row shows. */
  evaluators: readonly string[] = [];
  /** How many letters fit into the cell of a caption. */
  private fits = Infinity;

  constructor(
    private readonly imageUrls: ImageUrls,
    /** Called to show or hide the image column. */
    private readonly onImages: (some: boolean) => void,
  ) {}

  reset(report: string, evaluators: readonly string[]): void {
    this.evaluators = evaluators;
    if (report === this.report) return;
    this.report = report;
    this.imagesMissing = 0;
    this.onImages(true);
  }

  /** Adapts to the width of the list. Returns whether all rows must be drawn again. */
  fit(width: number, compact: boolean): boolean {
    const names = this.evaluators.length > 1 ? besideName : 0;
    const taken = names + (compact ? besideCompact : besideTexts);
    const fits = Math.floor((width - taken) / (compact ? 1 : 2) / letter);
    const changed = Math.abs(fits - this.fits) > 4;
    if (changed) this.fits = fits;
    return changed;
  }

  view(line: Line | undefined, position: number, reach: readonly number[]): HTMLElement {
    const row = el('div', {
      class: 'grid-row',
      role: 'row',
      id: `line-${position}`,
      'aria-rowindex': String(position + 1),
    });
    if (line === undefined) {
      row.append(el('div', { class: 'cell quiet', role: 'gridcell' }, '…'));
      return row;
    }
    const [first, second] = markedBoth(line.before, line.after);
    const cells: (Node | string)[][] = [
      [this.image(line)],
      this.withChange(first),
      [...(line.judged === undefined ? [] : [judgedMark(line.judged), ' ']), ...this.withChange(second)],
      [document.createTextNode(localized(line.label))],
      ...this.resultsOf(line, reach),
    ];
    for (const [i, content] of cells.entries()) {
      const cell = el('div', { class: `cell cell-${i}`, role: 'gridcell' }, ...content);
      if (i === 1) cell.title = line.before;
      if (i === 2) cell.title = line.after;
      if (i === 3) cell.title = this.kindOf(line);
      row.append(cell);
    }
    return row;
  }

  /** The kind of a row: of both evaluators, if they differ in it. */
  private kindOf({ label, beside }: Line): string {
    const kinds = [label, ...(beside === undefined ? [] : [beside.label])].map(localized);
    if (new Set(kinds).size === 1) return kinds[0];
    const names = shortNames(this.evaluators, lettersOfName);
    return kinds.map((kind, i) => `${names[i]}: ${kind}`).join(' · ');
  }

  /** The cells with score, change and verdict. In a comparison, each cell has a line for each of two evaluators. */
  private resultsOf(line: Line, reach: readonly number[]): Node[][] {
    const columns = [
      ({ score }: Result) => el('span', {}, score === undefined ? '' : plain(score)),
      (result: Result, i: number) => deltaView(result, reach[i]),
      ({ verdict }: Result) => verdictMark(verdict),
    ];
    if (this.evaluators.length < 2) return columns.map((draw) => [draw(line, 0)]);
    const names = shortNames(this.evaluators, lettersOfName);
    return columns.map((draw) =>
      [line, line.beside].map((result, i) =>
        el(
          'div',
          { class: 'result', title: this.evaluators[i] },
          el('span', { class: 'whose' }, names[i], ' '),
          result === undefined ? '–' : draw(result, i),
        ),
      ),
    );
  }

  /** Shortens the start of a caption if the first changed word would not be visible. */
  private withChange(nodes: Node[]): Node[] {
    const [start, changed] = nodes;
    const text = start.textContent ?? '';
    if (changed === undefined || text.length <= lettersBefore) return nodes;
    if (text.length + (changed.textContent ?? '').length <= this.fits) return nodes;
    const from = text.indexOf(' ', Math.max(0, text.length - lettersBefore));
    start.textContent = `…${from < 0 ? text.slice(-lettersBefore) : text.slice(from)}`;
    return nodes;
  }

  private image(line: Line): HTMLElement {
    const box = el('span', { class: 'thumb', 'aria-hidden': 'true' });
    if (line.image !== undefined) {
      void this.imageUrls
        .url(this.report, line.image, thumbnail, line.cropped ? line.index : undefined)
        .then((url) => {
          if (url === null) {
            this.imagesMissing++;
            if (this.imagesMissing >= enoughMissing) this.onImages(false);
            return;
          }
          this.imagesMissing = -Infinity;
          this.onImages(true);
          const image = el('img');
          image.alt = '';
          image.src = url;
          box.append(image);
        });
    }
    return box;
  }
}

/** The least change that can fill a bar. It prevents a division by zero. */
const leastReach = 0.001;

/** Says which of the two texts has the score of a row, by the names of their columns. */
export function aboutScore(score: Words, before: string, after: string): string {
  const texts: Record<string, string> = { 'probe.firstScore': before, 'probe.secondScore': after };
  const code = typeof score === 'string' ? score : score.code;
  return Object.hasOwn(texts, code)
    ? t('Score of the text in the column "{0}". The open example lists all scores.', texts[code])
    : localized(score);
}

/** A text that says which change fills the bar of each evaluator. */
export function barScales(reach: readonly number[], evaluators: readonly string[]): string {
  if (reach.length === 0) return '';
  const ends = reach.map((each) => `±${plain(Math.max(each, leastReach))}`);
  const isOne = new Set(ends).size === 1;
  return t(
    'A full bar means {0}',
    isOne ? ends[0] : ends.map((end, i) => `${evaluators[i]} ${end}`).join(', '),
  );
}

/** A text with the changes at the ends of the bars: one for each evaluator, or one if all are equal. */
export function barEnds(reach: readonly number[]): string {
  return [...new Set(reach.map((each) => `±${plain(Math.max(each, leastReach))}`))].join(' / ');
}

/** In place of the rows, if none is found. For screen readers, all content of a grid must be in cells of rows. */
export function noneFound(clear: () => void): HTMLElement {
  const words = t('Nothing matches the search and the filters.');
  const again = button(t('Clear search and filters'), clear, { class: 'link' });
  const view = el(
    'div',
    { class: 'none-found', role: 'row' },
    el('div', { role: 'gridcell' }, words, ' ', again),
  );
  view.hidden = true;
  return view;
}

/** A signed number and a bar from zero. The bar's pointed end shows the direction without colour. */
function deltaView({ delta, verdict }: Result, reach: number): HTMLElement {
  if (delta === undefined) return el('span', { class: 'delta' });
  const bar = el('span', {
    class: `delta-bar ${delta < 0 ? 'down' : 'up'} ${verdict}`,
    'aria-hidden': 'true',
  });
  const share = Math.abs(delta) / Math.max(reach, leastReach);
  bar.classList.toggle('beyond', share > 1);
  bar.style.width = `${Math.min(1, share) * 50}%`;
  return el(
    'span',
    { class: 'delta' },
    el('span', { class: 'number' }, signed(delta)),
    el('span', { class: 'track', 'aria-hidden': 'true' }, bar),
  );
}
