import * as vscode from 'vscode';
import type { LabelledCaption, Mark } from '../../protocol/rows';
import { type Code, findSaid, say, type Words } from '../../base/say';
import { ownMarks, severityOf, type PlacedMark } from './evaluatorMarks';
import { againOf, allResults, type Naming } from './lensText';
import { localized, localNumber } from '../messages';
import { cell, commandLink, markdown } from '../notify';

const glyphs: Record<LabelledCaption['verdict'], string> = { right: '✓', wrong: '✗', tie: '=', none: '' };

/** The longest image in a hover, in base64 characters. VS Code cuts a hover after 100,000 characters. */
const longestImage = 60_000;
/** The height of the image in pixels. A hover is small, so a taller image would push the scores out of view. */
const imageHeight = 110;

/** The image, and scores by probe and evaluator, worst variant first. Captions are escaped. */
export function hoverText(
  document: vscode.TextDocument,
  placed: readonly PlacedMark[],
  naming: Naming,
  image?: Uint8Array,
): vscode.MarkdownString {
  const text = markdown('captious.openPanel', 'captious.rescore', 'captious.rerun');
  const data =
    image === undefined ? '' : btoa(Array.from(image, (byte) => String.fromCharCode(byte)).join(''));
  if (data !== '' && data.length <= longestImage)
    text.appendMarkdown(
      `![${vscode.l10n.t('image')}](data:image/jpeg;base64,${data}|height=${imageHeight})\n\n`,
    );
  const worstFirst = [...placed].sort((a, b) => severityOf(b.mark) - severityOf(a.mark));
  // Rescoring updates all probes that support it, so one link is enough.
  const rescoring = worstFirst.find(({ stale, known }) => stale && known.again === 'rescore');
  for (const [i, each] of worstFirst.entries()) {
    if (i > 0) text.appendMarkdown('\n\n---\n\n');
    appendResult(text, each, naming);
    const isOffered = each === rescoring || each.known.again === 'rerun';
    const again = each.stale && isOffered ? againOf(document, each.known, each.line) : undefined;
    const links = [...linksOf(each), ...(again === undefined ? [] : [again])];
    text.appendMarkdown(links.map(commandLink).join(' · '));
  }
  text.appendMarkdown(
    `\n\n---\n\n${meaningsIn(placed)
      .map((words) => cell(localized(words)))
      .join('  \n')}`,
  );
  return text;
}

const leads = [
  ...(['choice.rightBy', 'choice.wrongBy', 'visla.wrongBy'] as const),
  ...(['visla.rightWithImageBy', 'visla.rightWithoutImageBy'] as const),
];
const sizes: readonly Code[] = ['lgip.rewordedBy', 'lgip.stableBy', 'lgip.unstableBy'];

/** What the terms in the results mean: the score always, the others where they occur. */
export function meaningsIn(placed: readonly Pick<PlacedMark, 'mark'>[]): Words[] {
  const all = placed.flatMap(({ mark }) => ownMarks(mark)).map(({ words }) => words);
  const has = (codes: readonly Code[]) =>
    all.some((words) => codes.some((code) => findSaid(words, code) !== undefined));
  return [
    say('editor.scoreMeaning'),
    ...(has(leads) ? [say('editor.leadMeaning')] : []),
    ...(has(sizes) ? [say('editor.plusMinusMeaning')] : []),
  ];
}

function appendResult(text: vscode.MarkdownString, placed: PlacedMark, naming: Naming): void {
  const { stale, fresh } = placed;
  for (const [i, { name, mark }] of allResults([placed], naming).entries()) {
    if (name !== undefined) text.appendMarkdown(`**${cell(localized(name))}**\n\n`);
    if (i === 0 && stale)
      text.appendMarkdown(`*${vscode.l10n.t('This caption was edited after it was scored.')}*\n\n`);
    if (i === 0 && fresh)
      text.appendMarkdown(
        `*${vscode.l10n.t('This score is newer than the report. The panel still shows the score of the report.')}*\n\n`,
      );
    appendTable(text, mark);
    if (mark.rule !== undefined) text.appendMarkdown(`*${cell(localized(mark.rule))}*\n\n`);
  }
}

function linksOf({ mark, known }: PlacedMark): vscode.Command[] {
  const command = 'captious.openPanel';
  const to = (whatIf?: 'whatIf') => [known.id, mark.line, whatIf, undefined, known.probe];
  const open = { title: vscode.l10n.t('Open in panel'), command, arguments: to() };
  if (known.again === undefined) return [open];
  return [open, { title: vscode.l10n.t('Try another caption'), command, arguments: to('whatIf') }];
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

/** Sorts captions: wrong variants, ties, references, variants without a verdict, right variants. */
export function worstFirst(captions: readonly LabelledCaption[]): LabelledCaption[] {
  const rank = ({ verdict, against }: LabelledCaption) =>
    verdict === 'none' && against === undefined ? 2 : ranks[verdict];
  const change = ({ delta }: LabelledCaption) => Math.abs(delta ?? 0);
  return [...captions].sort(
    (a, b) => rank(a) - rank(b) || (a.verdict === 'right' ? change(a) - change(b) : change(b) - change(a)),
  );
}
