import type { ReportView } from '../src/protocol/panel';
import type { Detail, ScoredCaption } from '../src/protocol/rows';
import { diffWords } from './diff';
import { button, el, svg } from './dom';
import { escapeMarkdown, plain, signed, whole } from './format';
import { marked } from './marked';
import type { Pictures } from './pictures';
import { whatIfView } from './whatIf';

const side = 512;

export interface DetailActions {
  reveal(): void;
  copy(text: string): void;
  close(): void;
}

/** One example: its photo, its captions under each other with the changed words marked, and their scores on one scale. */
export function detailView(
  report: ReportView,
  detail: Detail,
  pictures: Pictures,
  actions: DetailActions,
): HTMLElement {
  const place = detail.line === undefined ? `example ${detail.example}` : `line ${whole(detail.line)}`;
  return el(
    'aside',
    { class: 'detail', 'aria-label': `Selected example, ${place}` },
    el(
      'div',
      { class: 'detail-tools' },
      button(place, actions.reveal, { icon: '↗', class: 'link', title: 'Open the line in the file (Enter)' }),
      el('span', { class: 'push' }),
      button(
        'Copy',
        () => {
          actions.copy(asMarkdown(report, detail));
        },
        { class: 'link', title: 'Copy as Markdown (c)' },
      ),
      button('Close', actions.close, { class: 'link', title: 'Close (Escape)' }),
    ),
    photoView(report, detail, pictures),
    detail.triangle === undefined ? null : triangleView(detail),
    captionsView(detail),
    whatIfView(report.key, detail),
    ...detail.notes.map((note) => el('p', { class: 'quiet' }, note)),
  );
}

function photoView(report: ReportView, detail: Detail, pictures: Pictures): HTMLElement | null {
  const { image } = detail;
  if (image === undefined) return null;
  const figure = el('figure', { class: 'photo' }, el('figcaption', { class: 'quiet' }, image));
  void pictures.url(report.key, image, side).then((url) => {
    if (url === null) {
      figure.append(el('span', { class: 'quiet' }, ' – photo not found'));
      return;
    }
    const picture = el('img');
    picture.alt = detail.captions.at(0)?.text ?? image;
    picture.src = url;
    figure.prepend(picture);
  });
  return figure;
}

const verdictGlyphs = { right: '✓', wrong: '✗', tie: '=', none: '' } as const;

function captionsView({ captions }: Detail): HTMLElement {
  const scores = captions.flatMap(({ score }) => score ?? []);
  const [low, high] = [Math.min(0, ...scores), Math.max(...scores, 0.0001)];
  return el(
    'ul',
    { class: 'captions' },
    ...captions.map((caption) =>
      el('li', caption.chosen ? { class: 'chosen' } : {}, ...captionView(caption, captions, low, high)),
    ),
  );
}

function captionView(
  caption: ScoredCaption,
  all: readonly ScoredCaption[],
  low: number,
  high: number,
): Node[] {
  const other = caption.against === undefined ? undefined : all.at(caption.against);
  const words =
    other === undefined
      ? [document.createTextNode(caption.text)]
      : marked(diffWords(other.text, caption.text).after, 'ins');
  const glyph = verdictGlyphs[caption.verdict];
  const parts: Node[] = [
    el(
      'div',
      { class: 'caption-head' },
      el('span', { class: 'label' }, caption.label),
      glyph === ''
        ? null
        : el(
            'span',
            { class: `verdict ${caption.verdict}`, role: 'img', 'aria-label': caption.verdict },
            glyph,
          ),
      el('span', { class: 'push' }),
      caption.score === undefined ? null : el('span', { class: 'number' }, plain(caption.score, 4)),
      caption.delta === undefined ? null : el('span', { class: 'number quiet' }, signed(caption.delta, 4)),
    ),
    el('div', { class: 'caption-text' }, ...words),
  ];
  if (caption.score !== undefined)
    parts.push(bar(caption.score, low, high, all[caption.against ?? -1]?.score));
  return parts;
}

/** A score from zero, and where the caption it is compared with stands. */
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

const corners = { P1: [50, 34], P2: [250, 34], N: [150, 150] } as const;

/** Three captions and the three similarities between them. The edge that should be the longest says so when it is not. */
function triangleView({ triangle }: Detail): HTMLElement {
  const { edges, wrong } = triangle!;
  const lines = [
    { id: 'p1p2', from: corners.P1, to: corners.P2, value: edges.p1p2, at: [150, 22], name: 'P1–P2' },
    { id: 'p1n', from: corners.P1, to: corners.N, value: edges.p1n, at: [68, 104], name: 'P1–N' },
    { id: 'p2n', from: corners.P2, to: corners.N, value: edges.p2n, at: [232, 104], name: 'P2–N' },
  ] as const;
  const isWrong = (id: string) => wrong.some((edge) => edge === id);
  const words = lines.map(
    ({ id, name, value }) =>
      `${name} ${plain(value)}${isWrong(id) ? ', as close as the right pair or closer' : ''}`,
  );
  const drawn = svg(
    'svg',
    {
      viewBox: '0 0 300 176',
      class: 'triangle',
      role: 'img',
      'aria-label': `Similarities: ${words.join('; ')}`,
    },
    ...lines.flatMap(({ id, from, to, value, at }) => [
      svg('line', {
        x1: from[0],
        y1: from[1],
        x2: to[0],
        y2: to[1],
        class: isWrong(id) ? 'edge wrong' : 'edge',
        'stroke-width': 1 + 5 * Math.max(0, value),
      }),
      svg(
        'text',
        { x: at[0], y: at[1], class: isWrong(id) ? 'edge-label wrong' : 'edge-label' },
        `${isWrong(id) ? '✗ ' : ''}${plain(value)}`,
      ),
    ]),
    ...Object.entries(corners).flatMap(([name, [x, y]]) => [
      svg('circle', { cx: x, cy: y, r: 15, class: 'corner' }),
      svg('text', { x, y: y + 4, class: 'corner-label' }, name),
    ]),
  );
  return el('div', { class: 'triangle-box' }, drawn);
}

function asMarkdown(report: ReportView, { example, line, captions, triangle }: Detail): string {
  const escape = escapeMarkdown;
  const where = line === undefined ? escape(example) : `line ${line}`;
  const rows = captions.map(
    ({ label, text, score, delta }) =>
      `| ${escape(label)} | ${escape(text)} | ${score === undefined ? '' : plain(score, 4)} | ${delta === undefined ? '' : signed(delta, 4)} |`,
  );
  const edges =
    triangle &&
    `P1–P2 ${plain(triangle.edges.p1p2, 4)}, P1–N ${plain(triangle.edges.p1n, 4)}, P2–N ${plain(triangle.edges.p2n, 4)}`;
  return [
    `**${escape(report.title)} · ${escape(report.evaluator)} · ${where}**`,
    '',
    '| | caption | score | Δ |',
    '|---|---|---|---|',
    ...rows,
    ...(edges === undefined ? [] : ['', edges]),
    '',
  ].join('\n');
}
