import { duration } from '../../src/base/say';
import type { PanelProgress, PanelState } from '../../src/protocol/panel';
import { soFar } from './cards';
import { button, el } from '../base/dom';
import { percent, whole } from '../base/format';
import { localized, t } from '../base/words';

/** A run in progress, with its progress bar and its metrics so far. */
export class Running {
  readonly bar = el('div', { class: 'running' });
  readonly partialMetrics = el('div');

  constructor(private readonly cancel: () => void) {}

  /** `done` are the probes that have a report. Their metrics so far are not shown, because the report has them. */
  show({ running, stopped }: Pick<PanelState, 'running' | 'stopped'>, done: readonly string[]): void {
    if (running === undefined) {
      this.bar.replaceChildren();
      this.showStandings(stopped !== undefined && !done.includes(stopped.probe) ? stopped : undefined, true);
      return;
    }
    const { label, fraction, examples, rate, secondsLeft, partialMetrics } = running;
    const words = [label, ...(examples === 0 ? [] : [t('{0} {0|example|examples}', whole(examples))])];
    if (fraction !== undefined) words.push(percent(fraction));
    if (rate !== undefined) words.push(t('{0} items/s', whole(Math.round(rate))));
    if (secondsLeft !== undefined && secondsLeft >= 1)
      words.push(t('{0} left', localized(duration(secondsLeft))));
    let bar = this.bar.querySelector('progress');
    let text = this.bar.querySelector('span');
    if (bar === null || text === null) {
      bar = el('progress', { 'aria-label': t('Progress') });
      text = el('span', { class: 'quiet' });
      this.bar.replaceChildren(bar, text, button(t('Cancel'), this.cancel));
    }
    bar.max = 1;
    if (fraction === undefined) bar.removeAttribute('value');
    else bar.value = fraction;
    text.textContent = words.join(' · ');
    this.showStandings(
      partialMetrics !== undefined && !done.includes(partialMetrics.probe) ? partialMetrics : undefined,
      false,
    );
  }

  private showStandings(partialMetrics: PanelProgress['partialMetrics'], isOver: boolean): void {
    const mark = partialMetrics === undefined ? '' : JSON.stringify([partialMetrics, isOver]);
    if (this.partialMetrics.dataset.mark === mark) return;
    this.partialMetrics.dataset.mark = mark;
    this.partialMetrics.replaceChildren(
      ...(partialMetrics === undefined ? [] : [soFar(partialMetrics, isOver)]),
    );
  }
}
