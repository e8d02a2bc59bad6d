import { messageOf } from '../../src/base/errors';
import type { ReportView } from '../../src/protocol/panel';
import type { Detail, Line } from '../../src/protocol/rows';
import { button, el } from '../base/dom';
import { plain, whole } from '../base/format';
import { ask } from '../base/rows';
import { localized, t } from '../base/words';
import { clearest, isDoubted } from './clearest';
import { markedAgainst, markedBoth, verdictMark } from './examples/marked';
import type { ImageUrls } from './examples/imageUrls';

/** How many of the worst rows are candidates, and the side of the image in pixels. */
const [candidates, side] = [20, 256];

/** One of the worst examples of a report, as large as an example: its image, two captions and their scores. */
export class Worst {
  readonly root = el('section', { class: 'telling', 'aria-label': t('One of the worst examples') });
  private shown = '';

  constructor(
    private readonly imageUrls: ImageUrls,
    private readonly open: (index: number) => void,
    private readonly fail: (message: string) => void,
  ) {}

  /** Shows an example of this report, or nothing if `report` is undefined or has no wrong row. */
  async show(report: ReportView | undefined): Promise<void> {
    const key = report?.key ?? '';
    if (key === this.shown) return;
    this.shown = key;
    this.root.replaceChildren();
    if (report === undefined) return;
    try {
      const selection = { text: '', facets: {}, sort: 'image' } as const;
      const { lines } = await ask('lines', { report: key, selection, offset: 0, limit: candidates });
      const line = await this.undoubted(key, lines);
      if (line === undefined || key !== this.shown) return;
      const detail = await ask('detail', { report: key, index: line.index });
      if (key === this.shown) this.draw(report, line, detail);
    } catch (error) {
      if (key === this.shown) this.fail(messageOf(error));
    }
  }

  /** The clearest line that is no error by all that is known of it. Undefined if there is none. */
  private async undoubted(report: string, lines: readonly Line[]): Promise<Line | undefined> {
    for (let left = lines; ;) {
      const line = clearest(left);
      if (line === undefined) return undefined;
      if (!isDoubted(line, await ask('judge', { report, index: line.index }))) return line;
      left = left.filter((other) => other !== line);
    }
  }

  private draw({ key }: ReportView, line: Line, detail: Detail): void {
    const box = el('div', { class: 'telling-image' });
    const place =
      line.line === undefined ? t('example {0}', detail.example) : t('line {0}', whole(line.line));
    const shown = detail.change?.image ?? line.image;
    const isChanged = detail.change !== undefined || line.cropped === true;
    if (shown !== undefined)
      void this.imageUrls.url(key, shown, side, isChanged ? line.index : undefined).then((url) => {
        if (url === null) {
          box.append(el('span', { class: 'quiet' }, this.imageUrls.why(key, shown)));
          return;
        }
        const image = el('img');
        image.alt = line.before;
        image.src = url;
        box.append(image);
      });
    this.root.replaceChildren(
      box,
      el(
        'div',
        { class: 'telling-text' },
        el(
          'h2',
          {},
          verdictMark(line.verdict),
          el(
            'span',
            {
              class: 'push',
              // The list may begin with other examples.
              title:
                line.verdict === 'wrong'
                  ? t(
                      'Among the {0} worst: at least half of the largest difference, and the fewest changed words',
                      candidates,
                    )
                  : undefined,
            },
            line.verdict === 'none'
              ? t('One of the largest changes: {0}', localized(line.label))
              : t('One of the worst: {0}', localized(line.label)),
          ),
          button(place, () => this.open(line.index), { class: 'link', title: t('Open the example') }),
        ),
        ...(detail.crossed === undefined ? (captionsOf(detail) ?? pairOf(line)) : leadOf(line)),
      ),
    );
  }
}

/** The captions that were compared, if the example lists them with their scores. */
function captionsOf({ captions }: Detail): HTMLElement[] | undefined {
  const wrong = captions.find(({ chosen }) => chosen) ?? captions.find(({ verdict }) => verdict === 'wrong');
  const base = captions[wrong?.against ?? -1];
  if (wrong?.score === undefined || base === undefined) return undefined;
  // If the captions are compared with a caption and not with an image, the rival of the wrong caption is shown, too.
  const rivals = captions.filter(
    (one) =>
      one !== wrong &&
      base.score === undefined &&
      one.score !== undefined &&
      one.verdict === 'none' &&
      captions[one.against ?? -1] === base,
  );
  const shown = [base, ...rivals.slice(0, 1), wrong];
  // Two captions are the original and its variant, which the title names, unless only the image was changed.
  const isLabelled = shown.length > 2 || base.text === wrong.text;
  return shown.map((caption) => {
    const { label, text, score } = caption;
    const words = caption === base ? [document.createTextNode(text)] : markedAgainst(base.text, text);
    return lineView(isLabelled ? localized(label) : '', words, score);
  });
}

/** The two texts of the row. Only the second has a score. */
function pairOf({ before, after, score }: Line): HTMLElement[] {
  const [first, second] = markedBoth(before, after);
  return [lineView('', first, undefined), lineView('', second, score)];
}

/** The right pair and its rival, as in the list: with several images, the example's captions are of both. */
function leadOf({ before, after, score, delta }: Line): HTMLElement[] {
  const [first, second] = markedBoth(before, after);
  const rival = score === undefined || delta === undefined ? undefined : score - delta;
  return [lineView('', first, score), lineView('', second, rival)];
}

function lineView(label: string, text: Node[], score: number | undefined): HTMLElement {
  return el(
    'p',
    { class: 'telling-caption' },
    el(
      'span',
      { class: 'caption-text' },
      label === '' ? null : el('span', { class: 'label' }, label),
      ...text,
    ),
    el('span', { class: 'number' }, score === undefined ? '' : plain(score)),
  );
}
