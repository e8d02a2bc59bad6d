import { messageOf } from '../../src/base/errors';
import { say, type Words } from '../../src/base/say';
import { distinctParts } from '../../src/base/text/shortNames';
import { observation, observations } from '../../src/base/text/observations';
import { pEquals, pValueText } from '../../src/base/pValue';
import type { Card, ReportView } from '../../src/protocol/panel';
import type { PairedDifference, RowAnswer } from '../../src/protocol/rows';
import { pairedId } from '../../src/protocol/parts/pairedId';
import { baseId } from '../../src/protocol/parts/spreads';
import { el, table } from '../base/dom';
import { inEnglish, whole } from '../base/format';
import { ask } from '../base/rows';
import { localized, localNumber, observed, t } from '../base/words';
import { pairedTitle } from './pairedTitle';
import { areOfOtherFiles, notCompared } from './notCompared';

/** Compares a probe's reports in pairs: a sentence about the two chosen reports, and a table of all pairs. */
export class Comparison {
  readonly root = el('section', { class: 'comparison', 'aria-label': t('Paired comparison') });
  private reports: readonly ReportView[] = [];
  private asked = '';
  private found: RowAnswer<'pairs'> | undefined;
  private chosen = '';
  private shown: string | undefined;

  show(reports: readonly ReportView[]): void {
    this.reports = reports;
    const asked = reports.map(({ key, made }) => JSON.stringify([key, made])).join('\n');
    if (asked === this.asked) return;
    this.asked = asked;
    this.found = undefined;
    this.root.replaceChildren();
    if (reports.length > 1) void this.compare(asked);
  }

  /** Shows the sentence about these two reports. */
  choose(first: string | undefined, second: string | undefined): void {
    const chosen = JSON.stringify([first, second].sort());
    if (chosen === this.chosen) return;
    this.chosen = chosen;
    this.shown = first;
    this.draw();
  }

  private async compare(asked: string): Promise<void> {
    const [first, ...others] = this.reports.map(({ key }) => key);
    this.root.append(el('p', { class: 'quiet', role: 'status' }, t('Comparing the evaluators…')));
    try {
      const found = await ask('pairs', { report: first, others });
      if (asked !== this.asked) return;
      this.found = found;
      this.draw();
    } catch (error) {
      if (asked === this.asked) this.root.replaceChildren(el('p', { class: 'problem' }, messageOf(error)));
    }
  }

  private draw(): void {
    const { found } = this;
    if (found === undefined) return;
    const { pairs, differences } = found;
    const ofExamples = pairs.filter(
      ({ first, second }) => JSON.stringify([this.keyOf(first), this.keyOf(second)].sort()) === this.chosen,
    );
    const alone = pairs.length === 0 ? [] : this.withoutMate(pairs);
    const main = this.reports
      .flatMap(({ cards }) => cards)
      .map(({ metric }) => ofExamples.find((pair) => baseId(pair.metric) === pairedId(metric)))
      .find((pair) => pair !== undefined);
    this.root.replaceChildren(
      ...(main === undefined ? [] : [el('p', {}, [this.sentence(main), ...this.readInPart(main)].join(' '))]),
      ...(main === undefined ? alone.map((words) => el('p', { class: 'quiet' }, words)) : []),
      ...(pairs.length === 0
        ? [
            el(
              'p',
              { class: 'quiet' },
              areOfOtherFiles(this.reports)
                ? t(
                    'No paired comparison: the dataset files differ. Audit the same version of one file with all evaluators.',
                  )
                : t('No paired comparison: the reports share no rows that can be compared.'),
            ),
          ]
        : [this.table(pairs, differences)]),
    );
  }

  /** Why some reports are not compared with the chosen one. */
  private withoutMate(pairs: readonly PairedDifference[]): string[] {
    const { shown } = this;
    if (shown === undefined) return [];
    const compared = pairs.map(({ first, second }) => [this.keyOf(first), this.keyOf(second)]);
    const mates = compared.filter((keys) => keys.includes(shown)).flat();
    const { ofOtherFiles, withoutResults } = notCompared(this.reports, shown, mates);
    const because = (names: readonly string[], why: (names: string) => string): string[] =>
      names.length === 0 ? [] : [why(names.join(', '))];
    return [
      ...because(ofOtherFiles, (names) =>
        t('Not compared with {0}, because the dataset files differ.', names),
      ),
      ...because(withoutResults, (names) =>
        t('Not compared with {0}, because no row has comparable results of both evaluators.', names),
      ),
    ];
  }

  /** The column of the clusters. Reports with different ones are not compared. */
  private get cluster(): string | undefined {
    return this.reports[0].cluster;
  }

  /** As in the table of evaluators, whose tooltips have the whole names. */
  private get names(): string[] {
    return distinctParts(this.reports.map(({ evaluator }) => evaluator));
  }

  private keyOf(at: number): string {
    return this.reports[at].key;
  }

  private sentence(pair: PairedDifference): string {
    const { better } = pair;
    // If one evaluator is better, shows its metric minus the metric of the other one.
    const shown = better === 'first' ? reversed(pair) : pair;
    const { names } = this;
    const [a, b] = [names[shown.first], names[shown.second]];
    // Without a result, an interval beside zero would contradict the sentence.
    const isAlone = better === undefined && pair.ci !== undefined && pair.ci[0] * pair.ci[1] > 0;
    const facts = [
      `${this.titleOf(pair)} (${b} − ${a}) ${this.differenceOf(shown)}`,
      ...(isAlone ? [t('an interval of this metric alone')] : []),
      ...(pair.adjusted === null ? [] : [t('{0} after the Holm correction', pText(pair.adjusted))]),
      pair.n === pair.images
        ? observed(pair.images, this.cluster)
        : t('{0} {0|row|rows} ({1})', whole(pair.n), observed(pair.images, this.cluster)),
    ].join(', ');
    if (better === undefined && isExplained(pair)) {
      const why = resultOf(pair, names, this.cluster);
      if (pair.partlyRead !== undefined) return t('No verdict on {0} and {1} ({2}): {3}.', a, b, why, facts);
      return t('{0} and {1} cannot be distinguished ({2}): {3}.', a, b, why, facts);
    }
    if (better === undefined) return t('{0} and {1} cannot be distinguished: {2}.', a, b, facts);
    return t('{0} is better than {1}: {2}.', b, a, facts);
  }

  /** A verdict on texts that an evaluator did not read whole is withheld, so a difference must not stand alone, either. */
  private readInPart({ first, second, partlyRead }: PairedDifference): string[] {
    if (partlyRead !== undefined) return [];
    const names = [first, second].flatMap((at) => {
      const { claims } = this.reports[at];
      return claims.some(({ text }) => isAboutTruncation(text)) ? [this.names[at]] : [];
    });
    return names.length === 0
      ? []
      : [t('Read texts only in part, which may explain a difference: {0}.', names.join(', '))];
  }

  private cardOf({ metric }: Pick<PairedDifference, 'metric'>): Card | undefined {
    return this.reports
      .flatMap(({ cards }) => cards)
      .find((card) => pairedId(card.metric) === baseId(metric));
  }

  private titleOf(pair: PairedDifference): string {
    return localized(pairedTitle(this.reports, pair.metric));
  }

  /** The second evaluator's metric minus the first evaluator's metric, as text with an interval. */
  private differenceOf(pair: Difference): string {
    const { difference, ci } = pair;
    const isShare = this.cardOf(pair)?.style === 'percent';
    const write = (value: number): string =>
      isShare ? `${value < 0 ? '−' : '+'}${Math.abs(value * 100).toFixed(1)}` : inEnglish.signed(value);
    const own = localNumber(write(difference));
    const interval = ci === undefined ? '' : ` ${localNumber(`[${ci.map(write).join(', ')}]`)}`;
    return `${isShare ? t('{0} percentage points', own) : own}${interval}`;
  }

  private table(pairs: readonly PairedDifference[], differences: readonly Words[]): HTMLElement {
    const { names } = this;
    const rows = pairs.map((pair) => [
      `${names[pair.second]} − ${names[pair.first]}`,
      el('span', { title: pair.metric }, this.titleOf(pair)),
      this.differenceOf(pair),
      pair.adjusted === null ? '–' : localNumber(pValueText(pair.adjusted)),
      pair.onlyFirst === undefined ? '' : `${whole(pair.onlyFirst)} : ${whole(pair.onlySecond ?? 0)}`,
      pair.n === pair.images ? whole(pair.n) : `${whole(pair.n)} (${observed(pair.images, this.cluster)})`,
      resultOf(pair, names, this.cluster),
    ]);
    const heads = [
      t('second − first'),
      t('metric'),
      t('difference'),
      t('p (Holm)'),
      t('only one is right (first : second)'),
      'n',
      t('result'),
    ];
    const rule = t(
      'Paired t-test over the shared rows, with standard errors clustered by {0}. For differences of scores, the test corrects for skewness. For correlations: a permutation test with random sign flips. The p values are Holm-adjusted over all tests of the table.',
      localized(observation(this.cluster)),
    );
    return el(
      'details',
      { class: 'more named-above' },
      el('summary', {}, t('Paired differences of all evaluators')),
      el('p', { class: 'quiet' }, rule),
      table(heads, rows, t('Paired differences of all evaluators')),
      ...differences.map((one) => el('p', { class: 'quiet' }, localized(one))),
    );
  }
}

function isAboutTruncation(text: Words): boolean {
  return typeof text !== 'string' && ['audit.tooManyTruncated', 'audit.textsTruncated'].includes(text.code);
}

type Difference = Pick<PairedDifference, 'first' | 'second' | 'metric' | 'difference' | 'ci'>;

function reversed({ first, second, metric, difference, ci }: PairedDifference): Difference {
  const turned = { first: second, second: first, metric, difference: -difference };
  return ci === undefined ? turned : { ...turned, ci: [-ci[1], -ci[0]] };
}

function pText(p: number): string {
  const [name, sign, value] = pEquals(p).split(' ');
  return `${name} ${sign} ${localNumber(value)}`;
}

/** Whether more than the p value decides. */
function isExplained({ tooFew, groundless, partlyRead }: PairedDifference): boolean {
  return tooFew !== undefined || groundless !== undefined || partlyRead !== undefined;
}

function resultOf(
  { better, tooFew, groundless, partlyRead, first, second }: PairedDifference,
  names: readonly string[],
  cluster: string | undefined,
): string {
  if (better !== undefined) return t('{0} is better', names[better === 'first' ? first : second]);
  if (partlyRead !== undefined)
    return localized(say('report.readInPart', partlyRead.map((at) => names[at]).join(', ')));
  if (tooFew === 'texts') return t('too few {0}', localized(say('report.distinctCaptions')));
  if (groundless !== undefined && tooFew !== 'images')
    return t('{0} at chance level, so the metric says nothing', groundless.map((at) => names[at]).join(', '));
  if (tooFew === 'images') return t('too few {0}', localized(observations(cluster)));
  if (tooFew === 'drops') return t('too few searches with or without a drop');
  return tooFew === 'discordant' ? t('too few rows on which the evaluators differ') : t('undecided');
}
