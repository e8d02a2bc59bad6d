import * as vscode from 'vscode';
import type { LabelledCaption, Mark } from '../../protocol/rows';
import { type EvaluatorMark, type ExampleMark, isWrong } from './evaluatorMarks';
import { againOf } from './lensText';
import type { PlacedMark } from './marks';
import { localized, localNumber } from '../messages';
import { cell, commandLink, markdown } from '../notify';

const glyphs: Record<LabelledCaption['verdict'], string> = { right: '✓', wrong: '✗', tie: '=', none: '' };

/** In characters. VS Code cuts hovers of more than 100,000. */
const longestImage = 60_000;
/** In pixels. A higher image would leave no room for the failing variant, because hovers are low. */
const imageHeight = 110;

/**
 * The image, and a table of scores with the worst variant first. Captions are escaped so that nothing in them
 * becomes markup.
 */
export function hoverText(
  document: vscode.TextDocument,
  placed: PlacedMark,
  image?: Uint8Array,
): vscode.MarkdownString {
  const { mark, line, stale, fresh, known } = placed;
  const text = markdown('captious.openPanel', 'captious.rescore', 'captious.rerun');
  const data =
    image === undefined ? '' : btoa(Array.from(image, (byte) => String.fromCharCode(byte)).join(''));
  if (data !== '' && data.length <= longestImage)
    text.appendMarkdown(
      `![${vscode.l10n.t('image')}](data:image/jpeg;base64,${data}|height=${imageHeight})\n\n`,
    );
  if (stale) text.appendMarkdown(`*${vscode.l10n.t('This caption was edited after it was scored.')}*\n\n`);
  if (fresh)
    text.appendMarkdown(
      `*${vscode.l10n.t('This score is newer than the report. The panel still shows the score of the report.')}*\n\n`,
    );
  const all = inOrder(mark);
  for (const { evaluator, mark: own } of all) {
    if ((mark.among ?? 1) > 1) text.appendMarkdown(`**${cell(evaluator)}**\n\n`);
    appendTable(text, own);
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
  text.appendMarkdown(links.join(' · '));
  return text;
}

/** All evaluators, those that are wrong first. */
function inOrder(mark: ExampleMark): Pick<EvaluatorMark, 'evaluator' | 'mark'>[] {
  const all = mark.evaluators ?? [{ evaluator: '', mark }];
  return [...all].sort((a, b) => Number(isWrong(b.mark)) - Number(isWrong(a.mark)));
}

function appendTable(text: vscode.MarkdownString, { captions }: Mark): void {
  text.appendMarkdown(`| | | ${vscode.l10n.t('score')} | Δ | |\n|---|---|---:|---:|---|\n`);
  for (const { label, text: words, score, delta, verdict } of worstFirst(captions)) {
    const cells = [
      cell(localized(label)),
      cell(words),
      score === undefined ? '' : localNumber(score.toFixed(4)),
      delta === undefined ? '' : localNumber(`${delta < 0 ? '−' : '+'}${Math.abs(delta).toFixed(4)}`),
      glyphs[verdict],
    ];
    text.appendMarkdown(`| ${cells.join(' | ')} |\n`);
  }
  text.appendMarkdown('\n');
}

const ranks: Record<LabelledCaption['verdict'], number> = { wrong: 0, tie: 1, none: 3, right: 4 };

/** The variants that the evaluator gets wrong, then the references, then all others by their change. */
export function worstFirst(captions: readonly LabelledCaption[]): LabelledCaption[] {
  const rank = ({ verdict, against }: LabelledCaption) =>
    verdict === 'none' && against === undefined ? 2 : ranks[verdict];
  const change = ({ delta }: LabelledCaption) => Math.abs(delta ?? 0);
  return [...captions].sort(
    (a, b) => rank(a) - rank(b) || (a.verdict === 'right' ? change(a) - change(b) : change(b) - change(a)),
  );
}
