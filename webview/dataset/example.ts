import type { BrowsedExample } from '../../src/protocol/parts/browsed';
import { button, el } from '../base/dom';
import { localized, t } from '../base/words';
import { verdictMark } from '../panel/examples/marked';
import type { ImageUrls } from '../panel/examples/imageUrls';

const side = 512;

interface ExampleActions {
  /** Absent if the file has no lines. */
  reveal?: () => void;
  /** Absent if the example has no result. */
  openPanel?: () => void;
  copy(text: string): void;
  close(): void;
}

interface ExamplePlace {
  report: string;
  index: number;
  /** Images are opened only in a trusted workspace. */
  isTrusted: boolean;
}

/** An example with its images, captions, result and other values. */
export function exampleView(
  example: BrowsedExample,
  imageUrls: ImageUrls,
  at: ExamplePlace,
  { reveal, openPanel, copy, close }: ExampleActions,
): HTMLElement {
  const { id, part, captions, result, attributes, images, isNamed } = example;
  const place = localized(example.place);
  return el(
    'aside',
    { class: 'detail', 'aria-label': t('Selected example, {0}', place) },
    el(
      'div',
      { class: 'detail-tools' },
      ...(openPanel ? [button(t('Open in the panel'), openPanel, { icon: '↗', class: 'link' })] : []),
      ...(reveal
        ? [button(place, reveal, { icon: '↗', class: 'link', title: t('Open the line in the file') })]
        : []),
      el('span', { class: 'push' }),
      button(t('Copy'), () => copy(asText(example)), { class: 'link' }),
      button(t('Close'), close, { class: 'link', title: t('Close (Escape)') }),
    ),
    ...images.map((name) =>
      imageView(name, isNamed ? name : '', captions.at(0)?.text ?? name, imageUrls, at),
    ),
    result === undefined
      ? null
      : el(
          'p',
          { class: 'example-result' },
          ...(result.verdict === 'none' ? [] : [verdictMark(result.verdict), ' ']),
          localized(result.words),
        ),
    el(
      'ul',
      { class: 'captions' },
      ...captions.map(({ text, role }) =>
        el(
          'li',
          {},
          el('div', { class: 'caption-head' }, el('span', { class: 'label' }, localized(role))),
          el('div', { class: 'caption-text' }, text),
        ),
      ),
    ),
    el(
      'dl',
      { class: 'attributes' },
      ...[
        [t('example'), id],
        ...(part === undefined ? [] : [[t('file'), part]]),
        [t('place'), place],
        ...attributes,
      ].flatMap(([key, value]) => [el('dt', {}, key), el('dd', {}, value)]),
    ),
  );
}

function imageView(
  name: string,
  shown: string,
  alt: string,
  imageUrls: ImageUrls,
  { report, index, isTrusted }: ExamplePlace,
): HTMLElement {
  const caption = el('figcaption', { class: 'quiet' }, shown);
  const figure = el('figure', { class: 'image' }, caption);
  void imageUrls.url(report, name, side, index).then((url) => {
    if (url === null) {
      const why = isTrusted ? imageUrls.why(report, name) : t('not opened in Restricted Mode');
      caption.append(`${shown === '' ? '' : ' – '}${why}`);
      return;
    }
    const image = el('img');
    image.alt = alt;
    image.src = url;
    figure.prepend(image);
  });
  return figure;
}

function asText({ id, images, captions }: BrowsedExample): string {
  return [id, ...images, ...captions.map(({ text }) => text)].join('\n');
}
