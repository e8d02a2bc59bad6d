import { messageOf } from '../../src/base/errors';
import type { Climbed } from '../../src/protocol/parts/fooled';
import type { SideEntry, SideReport } from '../../src/protocol/side';
import { button, el } from '../base/dom';
import { whole } from '../base/format';
import { ask } from '../base/rows';
import { localized, t } from '../base/words';
import { foundBy, stepsOf } from '../panel/examples/climbed';
import { choiceOf } from '../base/choices';

/** How many more texts each request scores: as many as one step of the search compares. */
const perRequest = 8;
const budgets = ['24', '64', '200'] as const;
/** The chosen budget, kept while the page is open. */
let budget: (typeof budgets)[number] = '64';
/** Stops the search in progress. A page has at most one. */
let running = new AbortController();

/** Stops the search, because its example is no longer shown. */
export function stopFooling(): void {
  running.abort();
}

/** Searches for texts that an evaluator scores higher than the caption, once the user asks. Null without an image. */
export function foolView(
  entries: readonly SideEntry[],
  reports: readonly SideReport[],
  isAllowed: boolean,
): HTMLElement | null {
  const [{ detail }] = entries;
  if (detail.image === undefined || detail.crossed !== undefined || detail.captions.length === 0) return null;
  if (isAllowed) return new Fool(entries, reports).root;
  return el(
    'section',
    { class: 'why fool', 'aria-label': t('Try to fool it') },
    el('h3', {}, t('Try to fool it')),
    el('p', { class: 'quiet' }, t('In Restricted Mode, Captious loads no evaluator, so it cannot search.')),
  );
}

class Fool {
  readonly root = el('section', { class: 'why fool', 'aria-label': t('Try to fool it') });
  private readonly start = button(t('Search'), () => void this.toggle(), { class: 'search' });
  /** Changes with each request, so screen readers do not read it. */
  private readonly count = el('span', { class: 'quiet' });
  private readonly said = el('p', { role: 'status' });
  private readonly found = el('div', {});
  private readonly problem = el('div', { role: 'alert' });
  private readonly about = el('p', { class: 'quiet' });
  private isRunning = false;
  private entry: SideEntry;
  private text: string;

  constructor(
    entries: readonly SideEntry[],
    private readonly reports: readonly SideReport[],
  ) {
    [this.entry] = entries;
    const { captions } = this.entry.detail;
    const own = captions.filter(({ against }) => against === undefined);
    const texts = [...new Set((own.length > 0 ? own : captions).map(({ text }) => text))];
    [this.text] = texts;
    const evaluators = entries.map(({ report }) => [report, this.nameOf(report)] as const);
    const choices = [
      evaluators.length < 2
        ? null
        : choiceOf(t('Evaluator to fool'), evaluators, this.entry.report, (report) => {
            this.entry = entries.find((each) => each.report === report)!;
            this.renew();
          }),
      texts.length < 2
        ? null
        : choiceOf(
            t('Caption to start from'),
            texts.map((text) => [text, text] as const),
            this.text,
            (text) => {
              this.text = text;
              this.renew();
            },
          ),
      choiceOf(
        t('How many texts to score'),
        budgets.map((each) => [each, t('{0} texts', each)] as const),
        budget,
        (chosen) => {
          budget = chosen;
          this.renew();
        },
      ),
    ];
    this.root.append(
      el('h3', {}, t('Try to fool it')),
      el('div', { class: 'why-head' }, ...choices, this.start, this.count),
      ...[this.about, this.problem, this.said, this.found],
    );
    this.renew();
  }

  private nameOf(report: string): string {
    return this.reports.find(({ key }) => key === report)?.evaluator ?? '';
  }

  private renew(): void {
    running.abort();
    for (const part of [this.count, this.said, this.found, this.problem]) part.replaceChildren();
    this.about.textContent = t(
      'Of eight texts with one changed word each, the search keeps the best if {0} scores it higher than the text before. New words come from the dataset, or from the list that the run was given, and no caption of this example has them. It scores up to {1} texts.',
      this.nameOf(this.entry.report),
      budget,
    );
  }

  private async toggle(): Promise<void> {
    if (this.isRunning) {
      running.abort();
      return;
    }
    this.renew();
    const { signal } = (running = new AbortController());
    this.isRunning = true;
    this.start.textContent = t('Cancel');
    this.said.textContent = t('Starts the search …');
    try {
      await this.search(Number(budget), signal);
    } catch (error) {
      this.said.textContent = signal.aborted ? t('Cancelled.') : '';
      if (!signal.aborted) this.problem.replaceChildren(el('p', { class: 'problem' }, messageOf(error)));
    }
    this.isRunning = false;
    this.start.textContent = t('Search');
  }

  private async search(most: number, signal: AbortSignal): Promise<void> {
    const { report, detail } = this.entry;
    const { index, image, cropped } = detail;
    let steps = 0;
    for (let asked = perRequest; ; asked += perRequest) {
      const about = { report, index, text: this.text, image, ...(cropped === true ? { crop: index } : {}) };
      const answer = await ask('fool', { ...about, budget: Math.min(asked, most) }, { signal });
      signal.throwIfAborted();
      const { search, isOver, lost, problem } = answer;
      this.count.textContent = t('{0} of {1} texts scored', whole(search.queries), whole(most));
      if (asked === perRequest || search.path.length > steps) this.found.replaceChildren(stepsOf(search));
      if (search.path.length > steps) this.say(search);
      steps = search.path.length;
      if (problem !== undefined)
        this.problem.replaceChildren(
          el(
            'p',
            { class: 'problem' },
            t('Texts without a score: {0}. {1}', whole(lost), localized(problem)),
          ),
        );
      if (!isOver && asked < most) continue;
      this.say(search);
      if (isOver) this.said.append(` ${t('No other text is left to try.')}`);
      return;
    }
  }

  private say(search: Climbed): void {
    this.said.textContent = foundBy(search);
  }
}
