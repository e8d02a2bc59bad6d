import type { PanelProgress } from '../src/protocol/panel';
import { soFar } from './cards';
import { button, el } from './dom';
import { percent, whole } from './format';
import { t } from './words';

/** A run that goes on: how far it is, and where its figures stand. */
export class Running {
  readonly bar = el('div', { class: 'running' });
  readonly standings = el('div');

  constructor(private readonly cancel: () => void) {}

  /** `done`: probes whose report is there already; figures on their way to it would only say less. */
  show(running: PanelProgress | undefined, done: readonly string[]): void {
    if (running === undefined) {
      this.bar.replaceChildren();
      this.showStandings(undefined);
      return;
    }
    const { label, fraction, examples, rate, secondsLeft, standings } = running;
    const words = [label, t('{0} examples', whole(examples))];
    if (fraction !== undefined) words.push(percent(fraction));
    if (rate !== undefined) words.push(t('{0}/s', whole(Math.round(rate))));
    if (secondsLeft !== undefined && secondsLeft >= 1) words.push(t('{0} left', duration(secondsLeft)));
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
    this.showStandings(standings !== undefined && !done.includes(standings.probe) ? standings : undefined);
  }

  private showStandings(standings: PanelProgress['standings']): void {
    const mark = standings === undefined ? '' : JSON.stringify(standings);
    if (this.standings.dataset.mark === mark) return;
    this.standings.dataset.mark = mark;
    this.standings.replaceChildren(...(standings === undefined ? [] : [soFar(standings)]));
  }
}

function duration(seconds: number): string {
  if (seconds < 90) return t('{0} s', Math.ceil(seconds));
  if (seconds < 5400) return t('{0} min', Math.round(seconds / 60));
  return t('{0} h', (seconds / 3600).toFixed(1));
}
