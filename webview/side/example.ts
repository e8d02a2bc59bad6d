import type { SideEntry, SideExample, SideReport, SideState } from '../../src/protocol/side';
import { el } from '../base/dom';
import { localized, t } from '../base/words';
import { searchView } from '../panel/examples/climbed';
import { crossedView } from '../panel/examples/crossed';
import { imageView } from '../panel/examples/detail';
import { Judging } from '../panel/examples/judging';
import type { ImageUrls } from '../panel/examples/imageUrls';
import { rankingsView } from '../panel/examples/ranking';
import { triangleView } from '../panel/examples/triangle';
import { whatIfView } from '../panel/examples/whatIf';
import { whyView } from '../why/why';
import { post } from './bridge';
import { captionsList } from './captions';
import { foolView } from './fool';

/** Shows the results of all evaluators for an example: image, captions with scores, and other views of the probe. */
export function exampleParts(
  { edited, rescored, entries }: SideExample,
  { reports, can }: SideState,
  imageUrls: ImageUrls,
): Node[] {
  const [{ report, detail }] = entries;
  const own = entries.map((entry) => reports.find(({ key }) => key === entry.report)!);
  const evaluators = own.map(({ evaluator }) => evaluator);
  // The scores of an edited caption are not in the report.
  const judging = rescored ? undefined : new Judging(entries);
  const parts = [
    edited ? el('p', { class: 'quiet' }, t('This caption was edited after it was scored.')) : null,
    rescored
      ? el(
          'p',
          { class: 'quiet' },
          t('This score is newer than the report. The panel still shows the score of the report.'),
        )
      : null,
    detail.crossed === undefined ? imageOf(report, entries, can.images, imageUrls) : null,
    detail.crossed === undefined
      ? captionsList(
          evaluators,
          entries.map((entry) => entry.detail.captions),
          judging,
        )
      : null,
    ...entries.flatMap((entry, i) => viewsOf(entry, entries.length > 1 ? own[i] : undefined, imageUrls)),
    ...(can.whatIf ? entries.map((entry, i) => whyOf(entry, own[i], entries.length > 1, imageUrls)) : []),
    can.whatIf ? whatIfView(own, detail) : null,
    can.whatIf || !can.images ? foolView(entries, own, can.whatIf) : null,
    ...detail.notes.map((note) => el('p', { class: 'quiet' }, localized(note))),
  ];
  void judging?.load();
  return parts.filter((part) => part !== null);
}

function whyOf(
  { report: key, detail }: SideEntry,
  { evaluator }: SideReport,
  isNamed: boolean,
  imageUrls: ImageUrls,
): HTMLElement | null {
  const report = { key, ...(isNamed ? { evaluator } : {}) };
  return whyView(report, detail, imageUrls, { copy: (text) => post({ type: 'copy', text }) });
}

function imageOf(
  report: string,
  [{ detail }]: readonly SideEntry[],
  isAllowed: boolean,
  imageUrls: ImageUrls,
): HTMLElement | null {
  if (isAllowed) return imageView(report, detail, imageUrls);
  const image = detail.change?.image ?? detail.image;
  if (image === undefined) return null;
  return el('p', { class: 'quiet' }, `${image} – ${t('not opened in Restricted Mode')}`);
}

/** Further views of one evaluator's results. If `named` is given, the evaluator's name is their heading. */
function viewsOf(
  { report, detail }: SideEntry,
  named: SideReport | undefined,
  imageUrls: ImageUrls,
): HTMLElement[] {
  const { crossed, triangle, rankings, search } = detail;
  const views = [
    crossed === undefined ? null : crossedView(crossed, report, imageUrls),
    search === undefined ? null : searchView(search),
    triangle === undefined ? null : triangleView(triangle),
    rankings === undefined ? null : rankingsView(rankings, detail.captions.at(0)?.text, report, imageUrls),
  ].filter((view) => view !== null);
  if (views.length === 0) return [];
  return [
    el(
      'section',
      { class: 'by-evaluator' },
      named === undefined ? null : el('h3', {}, named.evaluator),
      ...views,
    ),
  ];
}
