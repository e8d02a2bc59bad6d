import { largest, smallest } from '../../../src/base/extent';
import type { ReportView } from '../../../src/protocol/panel';
import { english } from '../../../src/base/english';
import { say } from '../../../src/base/say';
import type { Detail, LabelledCaption } from '../../../src/protocol/rows';
import { beforeAfterView } from './beforeAfter';
import { besideView } from './beside';
import { searchView } from './climbed';
import { crossedView } from './crossed';
import { button, el, svg } from '../../base/dom';
import { escapeMarkdown, inEnglish, plain, signed, whole } from '../../base/format';
import { Judging } from './judging';
import { markedAgainst, verdictMark } from './marked';
import type { ImageUrls } from './imageUrls';
import { rankingsView } from './ranking';
import { triangleView } from './triangle';
import { type Typed, whatIfView } from './whatIf';
import { t, localized } from '../../base/words';
import { whyView } from '../../why/why';

const side = 512;
const stepNames = {
  insert: say('exploit.stepInsert'),
  replace: say('exploit.stepReplace'),
  delete: say('exploit.stepDelete'),
} as const;

export interface DetailActions {
  reveal(): void;
  copy(text: string): void;
  save(name: string, bytes: Uint8Array): void;
  close(): void;
}

/** The details of an example, such as its image, its captions with marked changes, and the scores on one scale. */
export function detailView(
  report: ReportView,
  others: readonly ReportView[],
  detail: Detail,
  imageUrls: ImageUrls,
  typed: Typed | undefined,
  actions: DetailActions,
): HTMLElement {
  const place =
    detail.line === undefined ? t('example {0}', detail.example) : t('line {0}', whole(detail.line));
  const about = t('Score minus the score of the caption that it is compared with');
  const judging = new Judging([{ report: report.key, detail }]);
  const captions = captionsView(detail, about, judging);
  void judging.load();
  const lists =
    detail.rankings === undefined
      ? null
      : rankingsView(detail.rankings, detail.captions.at(0)?.text, report.key, imageUrls);
  return el(
    'aside',
    { class: 'detail', 'aria-label': t('Selected example, {0}', place) },
    el(
      'div',
      { class: 'detail-tools' },
      button(place, actions.reveal, {
        icon: '↗',
        class: 'link',
        title: t('Open the line in the file (Enter)'),
      }),
      el('span', { class: 'push' }),
      button(t('Copy'), () => actions.copy(asMarkdown(report, detail)), {
        class: 'link copy',
        title: t('Copy as Markdown (c)'),
      }),
      button(t('Close'), actions.close, { class: 'link', title: t('Close (Escape)') }),
    ),
    detail.crossed === undefined
      ? imageView(report.key, detail, imageUrls)
      : crossedView(detail.crossed, report.key, imageUrls),
    typed === undefined ? null : whatIfView([report], detail, typed),
    detail.triangle === undefined ? null : triangleView(detail.triangle),
    // A ranking of images is shown before the captions, a ranking of captions after the captions.
    ...(detail.rankings?.of === 'images' ? [lists, captions] : [captions, lists]),
    detail.search === undefined ? null : searchView(detail.search),
    typed === undefined ? null : whyView({ key: report.key }, detail, imageUrls, actions),
    besideView(report, others, detail),
    ...detail.notes.map((note) => el('p', { class: 'quiet' }, localized(note))),
  );
}

export function imageView(report: string, detail: Detail, imageUrls: ImageUrls): HTMLElement | null {
  const { change, index } = detail;
  const image = change?.image ?? detail.image;
  if (image === undefined) return null;
  const name = el('figcaption', { class: 'quiet' }, image);
  const figure = el('figure', { class: 'image' }, name);
  const asIs = imageUrls.url(report, image, side, detail.cropped ? index : undefined);
  const asChanged = change === undefined ? undefined : imageUrls.url(report, image, side, index);
  void Promise.all([asIs, asChanged]).then(([before, after]) => {
    if (before === null) {
      name.append(` – ${imageUrls.why(report, image)}`);
      return;
    }
    if (change !== undefined && typeof after === 'string') {
      figure.prepend(beforeAfterView(change, image, [before, after]));
      return;
    }
    const shown = el('img');
    shown.alt = detail.captions.at(0)?.text ?? image;
    shown.src = before;
    figure.prepend(shown);
    if (after === null) name.append(` – ${t('the changed image could not be shown')}`);
  });
  return figure;
}

/** The captions with their scores. Null if `crossedView` shows the captions already. */
function captionsView({ captions, crossed }: Detail, about: string, judging: Judging): HTMLElement | null {
  if (crossed !== undefined) return null;
  const scores = captions.flatMap(({ score }) => score ?? []);
  const [low, high] = [Math.min(0, smallest(scores)), Math.max(largest(scores), 0.0001)];
  return el(
    'ul',
    { class: 'captions' },
    ...captions.map((caption) =>
      el(
        'li',
        caption.chosen ? { class: 'chosen' } : {},
        ...captionView(caption, captions, low, high, about),
        judging.placeFor(caption),
      ),
    ),
  );
}

function captionView(
  caption: LabelledCaption,
  all: readonly LabelledCaption[],
  low: number,
  high: number,
  about: string,
): Node[] {
  const other = caption.against === undefined ? undefined : all.at(caption.against);
  const words =
    other === undefined ? [document.createTextNode(caption.text)] : markedAgainst(other.text, caption.text);
  const parts: Node[] = [
    el(
      'div',
      { class: 'caption-head' },
      el('span', { class: 'label' }, localized(caption.label)),
      caption.verdict === 'none' ? null : verdictMark(caption.verdict),
      el('span', { class: 'push' }),
      caption.score === undefined ? null : el('span', { class: 'number' }, plain(caption.score, 4)),
      caption.delta === undefined
        ? null
        : el('span', { class: 'number quiet', title: about }, signed(caption.delta, 4)),
    ),
    el('div', { class: 'caption-text' }, ...words),
  ];
  if (caption.score !== undefined)
    parts.push(bar(caption.score, low, high, all[caption.against ?? -1]?.score));
  return parts;
}

/** The score as a bar from zero. A tick shows `other`, the score of the caption to compare with. */
function bar(score: number, low: number, high: number, other: number | undefined): Node {
  const width = 200;
  const at = (value: number) => ((value - low) / (high - low)) * width;
  const from = Math.min(at(0), at(score));
  return svg(
    'svg',
    { viewBox: `0 0 ${width} 8`, class: 'score-bar', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    svg('rect', { x: 0, y: 3, width, height: 2, class: 'rail-box' }),
    svg('rect', { x: from, y: 1, width: Math.max(1, Math.abs(at(score) - at(0))), height: 6, class: 'bar' }),
    ...(other === undefined
      ? []
      : [svg('rect', { x: Math.min(width - 1.5, at(other)), y: 0, width: 1.5, height: 8, class: 'tick' })]),
  );
}

/** The example as Markdown to copy, in English. */
function asMarkdown(report: ReportView, { example, line, captions, triangle, search }: Detail): string {
  const escape = escapeMarkdown;
  const where = line === undefined ? escape(example) : `line ${line}`;
  const rows = captions.map(
    ({ label, text, score, delta }) =>
      `| ${escape(english(label))} | ${escape(text)} | ${score === undefined ? '' : inEnglish.plain(score, 4)} | ${delta === undefined ? '' : inEnglish.signed(delta, 4)} |`,
  );
  const steps = (search?.path ?? []).map(
    ({ kind, word, text, score, queries }) =>
      `| ${escape(english(say('exploit.searchStep', stepNames[kind], word, queries)))} | ${escape(text)} | ${inEnglish.plain(score, 4)} | ${inEnglish.signed(score - search!.score, 4)} |`,
  );
  const sides = triangle?.sides.map(
    ({ from, to, value }) =>
      `${english(triangle.corners[from])}–${english(triangle.corners[to])} ${inEnglish.plain(value, 4)}`,
  );
  return [
    `**${escape(report.title)} · ${escape(report.evaluator)} · ${where}**`,
    '',
    '| | caption | score | Δ |',
    '|---|---|---|---|',
    ...rows,
    ...steps,
    ...(sides === undefined ? [] : ['', sides.join(', ')]),
    '',
  ].join('\n');
}
