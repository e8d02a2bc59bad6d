import * as vscode from 'vscode';
import { cannotUse, isEnough } from '../../probe/needs/abilities';
import type { DatasetPreview, EvaluatorEntry } from '../../protocol/service';
import { localized } from '../messages';
import { type PickRow, pickSome, separator } from '../notify';
import { type Wanted, wantedWords } from '../runs/advanced';
import type { Throughput } from '../runs/throughput';
import { megabytes } from './addEvaluator';

interface EvaluatorRow extends PickRow {
  entry?: EvaluatorEntry;
}

export interface ChosenEvaluators {
  entries: EvaluatorEntry[];
  /** What to do before the picker opens again. Undefined if the choice is final. */
  action?: 'add' | 'advanced';
}

/** Lets the user choose evaluators, or one of two buttons. Returns undefined if the user chooses nothing. */
export async function chooseEvaluators(
  offered: readonly EvaluatorEntry[],
  last: readonly string[],
  preview: DatasetPreview,
  chosenProbes: readonly string[],
  throughput: Throughput,
  wanted: Wanted,
): Promise<ChosenEvaluators | undefined> {
  const probes = preview.probes.filter(({ id }) => chosenProbes.includes(id));
  const drawn = probes.map(({ id, draws }) => ({ id, draws: draws && (wanted.draws ?? draws) }));
  const usable = offered.filter((entry) => whyNot(entry, probes) === undefined);
  const unusable = offered.filter((entry) => !usable.includes(entry));
  const remembered = usable.filter(({ id }) => last.includes(id));
  const picked = remembered.length > 0 ? remembered : usable.slice(0, 1);
  const rows: EvaluatorRow[] = [
    ...usable.map((entry) => ({
      label: entry.name,
      description: entry.kind,
      detail: joined([
        entry.size === undefined ? undefined : vscode.l10n.t('about {0} of memory', megabytes(entry.size)),
        throughput.estimate(entry.id, drawn, preview.examples),
      ]),
      entry,
      picked: picked.includes(entry),
    })),
    ...(unusable.length === 0 ? [] : [separator(vscode.l10n.t('cannot be used'))]),
    ...unusable.map((entry) => ({
      label: entry.name,
      description: vscode.l10n.t('cannot be used'),
      detail: whyNot(entry, probes),
      isUnusable: true,
    })),
  ];
  const picks = await pickSome(rows, {
    title: joined([vscode.l10n.t('Select evaluators'), wantedWords(wanted, preview)]) ?? '',
    placeHolder: vscode.l10n.t('Select one evaluator, or several to compare'),
    // The actions are buttons, because as rows of the list they would look like evaluators.
    buttons: [
      { action: 'add', icon: 'add', title: vscode.l10n.t('Add evaluator…') },
      { action: 'advanced', icon: 'settings-gear', title: vscode.l10n.t('Advanced…') },
    ],
  });
  if (picks === undefined) return undefined;
  const entries = picks.chosen.flatMap(({ entry }) => entry ?? []);
  return entries.length === 0 && picks.action === undefined ? undefined : { entries, action: picks.action };
}

/** Why none of the probes can use the evaluator; undefined if at least one can or might use it. */
export function whyNot(
  { name, problem, abilities }: Pick<EvaluatorEntry, 'name' | 'problem' | 'abilities'>,
  probes: readonly Pick<DatasetPreview['probes'][number], 'title' | 'needs'>[],
): string | undefined {
  if (problem !== undefined) return localized(problem);
  if (probes.some(({ needs }) => isEnough(needs, abilities))) return undefined;
  const titles = probes.map(({ title }) => title).join(', ');
  return localized(
    cannotUse(
      titles,
      name,
      probes.flatMap(({ needs }) => needs),
      abilities,
    ),
  );
}

/** The known parts of a line. Undefined if none is known, because an empty line would take space. */
function joined(parts: readonly (string | undefined)[]): string | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : known.join(' · ');
}
