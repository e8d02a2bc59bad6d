import type { Detail, Ranking } from '../../../src/protocol/rows';
import { el } from '../../base/dom';
import { plain } from '../../base/format';
import { markedAgainst } from './marked';
import { type ImageUrls, showIn } from './imageUrls';
import { t, localized } from '../../base/words';

const side = 96;
const kinds = { own: t('own'), other: t('other'), altered: t('altered'), none: '' } as const;

type Rankings = NonNullable<Detail['rankings']>;
type Found = Ranking['found'][number];

/** Two rankings side by side, before and after a change. Marks the entries that leave, enter or move. */
export function rankingsView(
  { of, before, after }: Rankings,
  own: string | undefined,
  report: string,
  images: ImageUrls,
): HTMLElement {
  const shown = (entry: Found): (Node | string)[] => {
    if (of === 'images') return [imageOf(entry.name, report, images)];
    // Marks the words in which an altered caption differs from the image's own caption.
    return entry.kind === 'altered' && own !== undefined ? markedAgainst(own, entry.name) : [entry.name];
  };
  const list = ({ title, found }: Ranking, moveOf: (entry: Found, at: number) => HTMLElement) =>
    el(
      'section',
      { 'aria-label': localized(title) },
      el('h3', {}, localized(title)),
      el(
        'ol',
        {},
        ...found.map((entry, at) =>
          el(
            'li',
            { class: [entry.kind, entry.stays ? 'stays' : 'moves'].join(' ') },
            el('span', { class: 'place' }, String(at + 1)),
            el('span', { class: 'found' }, ...shown(entry)),
            el(
              'span',
              { class: 'facts-of' },
              entry.kind === 'none' ? null : el('span', { class: `kind ${entry.kind}` }, kinds[entry.kind]),
              entry.score === undefined ? null : el('span', { class: 'number' }, plain(entry.score)),
              moveOf(entry, at),
            ),
          ),
        ),
      ),
    );
  const placeBefore = new Map(before.found.map(({ name, kind }, at) => [`${kind} ${name}`, at]));
  return el(
    'div',
    { class: `rankings of-${of}` },
    list(before, ({ stays }) => (stays ? move('', '') : move(t('out'), t('leaves the list'), 'out'))),
    list(after, ({ stays, kind, name }, at) => {
      const was = placeBefore.get(`${kind} ${name}`);
      if (!stays || was === undefined) return move(t('in'), t('enters the list'), 'in');
      if (was === at) return move('', '');
      return was > at
        ? move(`↑${was - at}`, t('previous rank: {0}', was + 1))
        : move(`↓${at - was}`, t('previous rank: {0}', was + 1));
    }),
  );
}

function move(text: string, words: string, way = ''): HTMLElement {
  return el('span', { class: `move ${way}`.trim(), title: words }, text);
}

function imageOf(name: string, report: string, images: ImageUrls): HTMLElement {
  const box = el('span', { class: 'found-image', title: name });
  void showIn(box, images.url(report, name, side), name);
  return box;
}
