import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import {
  type FromScatter,
  fromScatter,
  type ScatterAxis,
  type ScatterMemory,
  type ScatterState,
  type Side,
  type ToScatter,
} from '../../protocol/scatter';
import {
  type Axis,
  axesOf,
  isAgreement,
  pointsOf,
  type ReportFile,
  scatterCsv,
  scatterPage,
  type ScatterPoint,
  scatterSvg,
  shownOn,
} from '../../report/scatter';
import { known, localized } from '../messages';
import { inert, pick } from '../notify';
import { announceExport } from '../panel/exporting';
import { hearPage, openPage } from '../panel/page';
import { saveTo } from '../saveTo';

export interface ScatterViewParts {
  extensionUri: vscode.Uri;
  log: vscode.LogOutputChannel;
  files: readonly ReportFile[];
  x: Axis;
  y: Axis;
}

/** A chart and a table of evaluators: their agreement with people against their robustness. */
export class ScatterView implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[] = [];
  private readonly axes: Axis[];
  private chosen: Record<Side, Axis>;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly parts: ScatterViewParts,
  ) {
    const { extensionUri, files, x, y } = parts;
    this.axes = axesOf(files);
    this.chosen = { x, y };
    const icon = (name: string) => vscode.Uri.joinPath(extensionUri, 'media', name);
    panel.iconPath = { light: icon('panel-light.svg'), dark: icon('panel-dark.svg') };
    panel.title = inert(vscode.l10n.t('Robustness and agreement'));
    this.disposables.push(
      hearPage(panel.webview, parts.log, (value) => this.handle(fromScatter(value, ''))),
      openPage(panel.webview, {
        ...{ extensionUri, name: 'scatter-view', root: 'scatter', memory: this.memory, images: 'blob:' },
      }),
    );
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private get memory(): ScatterMemory {
    const { x, y } = this.chosen;
    return { reports: this.parts.files.map(({ path }) => path), x: x.key, y: y.key };
  }

  private handle(message: FromScatter): Promise<void> | void {
    switch (message.type) {
      case 'ready':
        return this.show();
      case 'choose': {
        const axis = this.axes.find(({ key }) => key === message.key);
        if (axis !== undefined) this.chosen = { ...this.chosen, [message.side]: axis };
        return this.show();
      }
      case 'open': {
        const report = this.points().at(message.point)?.reports[message.side];
        return report === undefined ? undefined : openReport(report);
      }
      case 'export':
        return this.export();
      case 'defect':
        this.parts.log.error(`In the view of robustness and agreement: ${message.message}`);
        return;
    }
  }

  private points() {
    return pointsOf(this.parts.files, this.chosen.x, this.chosen.y);
  }

  private show(): void {
    const { x, y } = this.chosen;
    const state: ScatterState = {
      axes: {
        x: this.axes.filter((axis) => !isAgreement(axis)).map(shownAxis),
        y: this.axes.filter(isAgreement).map(shownAxis),
      },
      ...{ x: x.key, y: y.key },
      points: this.points().map(shownPoint),
    };
    const message: ToScatter = { type: 'show', state, memory: this.memory };
    void this.panel.webview.postMessage(message);
  }

  private async export(): Promise<void> {
    const { x, y } = this.chosen;
    const points = this.points();
    if (points.length === 0) return;
    const chosen = await pick(
      [
        { form: 'html', label: 'HTML', detail: vscode.l10n.t('The chart and its table, for the browser') },
        { form: 'svg', label: 'SVG', detail: vscode.l10n.t('The chart for a paper, one column wide') },
        {
          form: 'csv',
          label: 'CSV',
          detail: vscode.l10n.t('The points with their intervals, for a spreadsheet'),
        },
      ] as const,
      { title: vscode.l10n.t('Select an export format') },
    );
    if (chosen === undefined) return;
    const { form, label } = chosen;
    const write = { html: scatterPage, svg: scatterSvg, csv: scatterCsv }[form];
    const folder =
      vscode.workspace.workspaceFolders?.at(0)?.uri ?? vscode.Uri.file(dirname(this.parts.files[0].path));
    const target = await vscode.window.showSaveDialog({
      defaultUri: vscode.Uri.joinPath(folder, `${y.metric}.${x.metric}.${form}`),
      filters: { [label]: [form] },
    });
    if (target === undefined) return;
    await saveTo(target, new TextEncoder().encode(write(x, y, points)));
    announceExport(target, form);
  }
}

function shownAxis({ key, probe, dataset, name, metric, better }: Axis): ScatterAxis {
  return {
    ...{ key, name: known(name), metric, group: `${basename(dataset)} · ${probe}` },
    ...(better === undefined ? {} : { better }),
  };
}

function shownPoint(point: ScatterPoint): ScatterState['points'][number] {
  const { name, x, y, xci, yci } = point;
  return {
    ...{ name, x, y, xText: localized(shownOn('x', point)), yText: localized(shownOn('y', point)) },
    ...(point.groundless === true ? { groundless: true } : {}),
    ...(xci === undefined ? {} : { xci: [xci[0], xci[1]] }),
    ...(yci === undefined ? {} : { yci: [yci[0], yci[1]] }),
  };
}

async function openReport(path: string): Promise<void> {
  await vscode.commands.executeCommand('captious.openReport', vscode.Uri.file(path));
}
