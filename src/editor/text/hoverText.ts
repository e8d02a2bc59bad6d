import * as vscode from 'vscode';
import type { LabelledCaption } from '../../protocol/rows';
import { againOf } from './lensText';
import type { PlacedMark } from './marks';
import { localized } from '../messages';
import { cell, commandLink, markdown } from '../notify';

const glyphs: Record<LabelledCaption['verdict'], string> = { right: '✓', wrong: '✗', tie: '=', none: '' };

/** A table of scores, in which captions are escaped so that nothing in them becomes markup. */
export function hoverText(document: vscode.TextDocument, placed: PlacedMark): vscode.MarkdownString {
  const { mark, line, stale, fresh, known } = placed;
  const text = markdown('captious.openPanel', 'captious.rescore', 'captious.rerun');
  if (stale) text.appendMarkdown(`*${vscode.l10n.t('This caption was edited after it was scored.')}*\n\n`);
  if (fresh)
    text.appendMarkdown(
      `*${vscode.l10n.t('This score is newer than the report. The panel still shows the score of the report.')}*\n\n`,
    );
  text.appendMarkdown(`| | | ${vscode.l10n.t('score')} | Δ | |\n|---|---|---:|---:|---|\n`);
  for (const { label, text: words, score, delta, verdict } of mark.captions) {
    const cells = [
      cell(localized(label)),
      cell(words),
      score?.toFixed(4) ?? '',
      delta === undefined ? '' : `${delta < 0 ? '−' : '+'}${Math.abs(delta).toFixed(4)}`,
      glyphs[verdict],
    ];
    text.appendMarkdown(`| ${cells.join(' | ')} |\n`);
  }
  const open = { command: 'captious.openPanel', arguments: [known.id, mark.line] };
  const links = [
    commandLink({ ...open, title: vscode.l10n.t('Open in panel') }),
    ...(known.again === undefined
      ? []
      : [
          commandLink({
            ...open,
            title: vscode.l10n.t('Try another caption'),
            arguments: [...open.arguments, 'whatIf'],
          }),
        ]),
  ];
  const again = stale ? againOf(document, known, line) : undefined;
  if (again !== undefined) links.push(commandLink(again));
  text.appendMarkdown(`\n${links.join(' · ')}`);
  return text;
}
