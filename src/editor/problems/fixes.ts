import * as vscode from 'vscode';
import { type Checks, type Finding, rangeOf } from './checks';
import { inert } from '../notify';
import { idIn, inLines, listItem, namesIn, rowAt, slipIn } from './places';

const selector: vscode.DocumentSelector = [
  { scheme: 'file', pattern: '**/*.{json,jsonc,jsonl,ndjson,csv,tsv,token}' },
];
/** Findings with a fix that removes the entry, or only the caption if it is a duplicate in a list. */
const removable = new Set([
  'broken-row',
  'missing-field',
  'wrong-type',
  'empty-caption',
  'missing-image',
  'unreadable-image',
  'duplicate-id',
  'duplicate-caption',
  'equal-negative',
  'equal-altered',
]);

/** Quick fixes for the problems that `Checks` reports. */
export class Fixes implements vscode.CodeActionProvider {
  static register(checks: Checks): vscode.Disposable {
    return vscode.languages.registerCodeActionsProvider(selector, new Fixes(checks), {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    });
  }

  private constructor(private readonly checks: Checks) {}

  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    return diagnostics
      .filter(({ source }) => source === 'Captious')
      .flatMap((problem) => {
        const [finding, ...more] = this.checks.findingsOf(document.uri, problem);
        if (finding === undefined) return [];
        return more.length === 0
          ? fixesOf(document, problem, finding)
          : fixesOfAll(document, problem, [finding, ...more]);
      });
  }
}

function chooseImages(uri: vscode.Uri): vscode.CodeAction {
  const title = vscode.l10n.t('Select the folder with the images…');
  const action = new vscode.CodeAction(inert(title), vscode.CodeActionKind.QuickFix);
  action.command = { title, command: 'captious.chooseImages', arguments: [uri] };
  return action;
}

/** Fixes for a problem that shows several findings. Each fix changes all places to which it applies. */
function fixesOfAll(
  document: vscode.TextDocument,
  problem: vscode.Diagnostic,
  findings: readonly Finding[],
): vscode.CodeAction[] {
  const [{ code }] = findings;
  const fixes = code === 'missing-image' ? [chooseImages(document.uri)] : [];
  const taken = new Set<string>();
  const proposals = findings.flatMap((finding) =>
    proposalsOf(document, rangeOf(document, finding), finding, taken),
  );
  for (const kind of new Set(proposals.map((proposal) => proposal.kind))) {
    // In a JSON list, removing several entries could leave a stray comma.
    if (kind === 'remove entry' && !inLines(document)) continue;
    const alike = proposals.filter((proposal) => proposal.kind === kind);
    const places = new Set(
      alike.flatMap(({ edits }) => edits.map(({ range }) => document.offsetAt(range.start))),
    );
    const action = new vscode.CodeAction(
      inert(titleOfAll(kind, places.size)),
      vscode.CodeActionKind.QuickFix,
    );
    action.edit = new vscode.WorkspaceEdit();
    action.edit.set(document.uri, withoutOverlaps(alike));
    fixes.push(action);
  }
  for (const action of fixes) action.diagnostics = [problem];
  return fixes;
}

function titleOfAll(kind: Proposal['kind'], count: number): string {
  switch (kind) {
    case 'rename':
      return vscode.l10n.t('Rename all {0} fields', count);
    case 'truncate':
      return vscode.l10n.t('Truncate all {0} captions to the token limit of the evaluator', count);
    case 'change id':
      return vscode.l10n.t('Change all {0} ids', count);
    case 'remove caption':
      return vscode.l10n.t('Remove all {0} captions', count);
    case 'remove entry':
      return vscode.l10n.t('Remove all {0} entries', count);
  }
}

/**
 * Merges overlapping deletions and drops other overlapping edits, because VS Code rejects overlaps. Two findings may
 * propose the same edit, and two deletions may share a line break.
 */
function withoutOverlaps(proposals: readonly Proposal[]): vscode.TextEdit[] {
  const edits = proposals
    .flatMap((proposal) => proposal.edits)
    .sort((a, b) => a.range.start.compareTo(b.range.start));
  const out: vscode.TextEdit[] = [];
  for (const edit of edits) {
    const last = out.at(-1);
    if (last === undefined || last.range.end.isBeforeOrEqual(edit.range.start)) out.push(edit);
    else if (last.newText === '' && edit.newText === '')
      out[out.length - 1] = vscode.TextEdit.delete(last.range.union(edit.range));
  }
  return out;
}

/** A change of the file that would fix a finding. */
interface Proposal {
  kind: 'rename' | 'truncate' | 'change id' | 'remove caption' | 'remove entry';
  title: string;
  edits: vscode.TextEdit[];
  isPreferred?: boolean;
}

function fixesOf(
  document: vscode.TextDocument,
  problem: vscode.Diagnostic,
  finding: Finding,
): vscode.CodeAction[] {
  const fixes = proposalsOf(document, problem.range, finding, new Set()).map((proposal) => {
    const action = new vscode.CodeAction(inert(proposal.title), vscode.CodeActionKind.QuickFix);
    action.edit = new vscode.WorkspaceEdit();
    action.edit.set(document.uri, proposal.edits);
    action.isPreferred = proposal.isPreferred;
    return action;
  });
  if (finding.code === 'missing-image') fixes.unshift(chooseImages(document.uri));
  for (const action of fixes) action.diagnostics = [problem];
  return fixes;
}

/** The changes that would fix a finding. `taken` collects the new ids, so that no two findings get the same id. */
function proposalsOf(
  document: vscode.TextDocument,
  range: vscode.Range,
  finding: Finding,
  taken: Set<string>,
): Proposal[] {
  const { code, text, instead } = finding;
  const proposals: Proposal[] = [];
  if (code === 'field-name' && text !== undefined && instead !== undefined)
    proposals.push({
      kind: 'rename',
      title: vscode.l10n.t('Rename "{0}" to "{1}" everywhere', text, instead),
      edits: namesIn(document, text).map((name) => vscode.TextEdit.replace(name, instead)),
      isPreferred: true,
    });
  if (code === 'missing-field' && instead !== undefined) {
    const renamed = slipIn(document, range, instead);
    if (renamed !== undefined)
      proposals.push({
        kind: 'rename',
        title: vscode.l10n.t('Rename "{0}" to "{1}"', renamed.wrong, renamed.right),
        edits: [vscode.TextEdit.replace(renamed.range, renamed.right)],
        isPreferred: true,
      });
  }
  if (code === 'cut-caption' && text !== undefined && instead !== undefined && instead !== '') {
    const written = document.getText(range);
    const inJson = written.startsWith('"') && written === JSON.stringify(text);
    if (inJson || written === text)
      proposals.push({
        kind: 'truncate',
        title: vscode.l10n.t('Truncate to the token limit of the evaluator'),
        edits: [vscode.TextEdit.replace(range, inJson ? JSON.stringify(instead) : instead)],
      });
  }
  if (code === 'duplicate-id') {
    const own = idIn(document, range, taken);
    if (own !== undefined)
      proposals.push({
        kind: 'change id',
        title: vscode.l10n.t('Change the id to {0}', own.next),
        edits: [vscode.TextEdit.replace(own.range, own.next)],
        isPreferred: true,
      });
  }
  if (removable.has(code)) {
    const item = code === 'duplicate-caption' ? listItem(document, range) : undefined;
    const row = item === undefined ? rowAt(document, finding, range) : undefined;
    if (item !== undefined)
      proposals.push({
        kind: 'remove caption',
        title: vscode.l10n.t('Remove this caption'),
        edits: [vscode.TextEdit.delete(item)],
      });
    else if (row !== undefined)
      proposals.push({
        kind: 'remove entry',
        title: vscode.l10n.t('Remove this entry'),
        edits: [vscode.TextEdit.delete(row)],
      });
  }
  return proposals;
}
