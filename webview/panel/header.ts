import type { PanelState } from '../../src/protocol/panel';
import { button, el } from '../base/dom';
import { whole } from '../base/format';
import { t, localized } from '../base/words';

/** When a run ended, or the time of a report's file: a report has no time, so that equal runs have equal reports. */
function written(time: number, isOfFile: boolean): HTMLElement {
  const words = new Date(time).toLocaleString(document.documentElement.lang, {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  if (!isOfFile) return el('span', {}, words);
  return el(
    'span',
    { title: t("When the report's file was written. A copy may have the time of copying.") },
    t('file of {0}', words),
  );
}

/** The parts of the header: title, question, `folds`, facts about the report, and tabs for the probes. */
export function headerParts(
  { title, reports, writtenAt, isOfFile = false }: PanelState,
  shown: string,
  choose: (probe: string) => void,
  folds: HTMLElement,
): HTMLElement[] {
  const probes = [...new Map(reports.map((report) => [report.probe, report.title]))];
  const report = reports.find(({ probe }) => probe === shown);
  const facts =
    report === undefined
      ? []
      : [
          ...draftFacts(reports.filter(({ probe }) => probe === shown)),
          localized(report.size),
          ...(report.skipped === 0 ? [] : [t('{0} left out', whole(report.skipped))]),
          ...(report.lost === undefined ? [] : [localized(report.lost)]),
          ...seedFacts(report),
          ...(report.legend === undefined ? [] : [localized(report.legend)]),
        ];
  const parts: HTMLElement[] = [
    el('h1', {}, title),
    ...(report === undefined
      ? []
      : [el('p', { class: 'question', title: localized(report.question) }, localized(report.question))]),
    ...(report === undefined ? [] : [folds]),
    el(
      'span',
      { class: 'quiet facts' },
      ...(report === undefined || writtenAt === undefined ? [] : [written(writtenAt, isOfFile), ' · ']),
      facts.join(' · '),
    ),
  ];
  if (probes.length > 1) {
    const tabs = probes.map(([probe, name]) =>
      button(name, () => choose(probe), { class: 'tab', 'aria-pressed': String(probe === shown) }),
    );
    parts.push(el('div', { class: 'bar-of-tabs', role: 'group', 'aria-label': t('Probe') }, ...tabs));
  }
  return parts;
}

/** Says that metrics are a draft, and of which evaluators unless it is of all. */
function draftFacts(reports: PanelState['reports']): string[] {
  const drafts = reports.filter(({ draft }) => draft !== undefined);
  if (drafts.length === 0) return [];
  if (drafts.length === reports.length) return [t('draft')];
  return [t('draft: {0}', drafts.map(({ evaluator }) => evaluator).join(', '))];
}

/** The draws of the variants with their seeds; the seed alone if it decides no variants. */
function seedFacts({ made }: Pick<PanelState['reports'][number], 'made'>): string[] {
  const valueOf = (name: string) => made.find(([what]) => what === name)?.[1];
  // An option of the probe "People" has the same name. Its value is a number.
  const [draws, seed] = [
    made.find(([what, value]) => what === 'draws' && typeof value !== 'string')?.[1],
    valueOf('seed'),
  ];
  if (draws !== undefined) return [localized(draws)];
  return seed === undefined ? [] : [t('seed {0}', localized(seed))];
}
