import * as vscode from 'vscode';
import { duration, say } from '../../base/say';
import { localized } from '../messages';
import type { PanelProgress } from '../../protocol/panel';
import type { Runs } from './runs';
import { inert } from '../notify';
import type { Panels } from '../panel/panel';

function wordsFor({ label, examples, rate, secondsLeft }: PanelProgress): string {
  const parts = [label];
  if (examples > 0) parts.push(localized(say('base.countOfExamples', examples.toLocaleString())));
  if (rate !== undefined) parts.push(vscode.l10n.t('{0} items/s', Math.round(rate).toLocaleString()));
  if (secondsLeft !== undefined && secondsLeft >= 1)
    parts.push(vscode.l10n.t('{0} left', localized(duration(secondsLeft))));
  return parts.join(' · ');
}

/** Shows the running audit in the status bar while its panel is hidden. A click opens the panel. */
export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    'captious.status',
    vscode.StatusBarAlignment.Left,
    0,
  );
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly runs: Runs,
    private readonly panels: Pick<Panels, 'isVisible' | 'onDidShow'>,
  ) {
    this.item.name = 'Captious';
    this.subscriptions = [
      runs.onDidChange(() => this.update()),
      runs.onDidProgress(() => this.update()),
      panels.onDidShow(() => this.update()),
      this.item,
    ];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private update(): void {
    const active = this.runs.all.find(({ state }) => state === 'running');
    if (active === undefined || this.panels.isVisible(active.id)) {
      this.item.hide();
      return;
    }
    const progress = this.runs.progressOf(active);
    const percent = progress?.fraction === undefined ? '' : ` ${Math.floor(progress.fraction * 100)} %`;
    const waiting = this.runs.all.filter(({ state }) => state === 'queued').length;
    this.item.text = `$(sync~spin) Captious${percent}${waiting === 0 ? '' : ` (+${waiting})`}`;
    this.item.tooltip = progress && inert(wordsFor(progress));
    this.item.command = { command: 'captious.openPanel', title: 'Captious', arguments: [active.id] };
    this.item.show();
  }
}
