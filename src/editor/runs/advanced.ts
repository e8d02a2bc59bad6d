import * as vscode from 'vscode';
import { say } from '../../base/say';
import type { DatasetPreview } from '../../protocol/service';
import { known, localized } from '../messages';
import { ask, pick, separator } from '../notify';
import type { RunOrder } from './runs';

/** Settings of a run that most users never change. */
export type Wanted = Pick<RunOrder, 'seed' | 'draws' | 'limit' | 'cluster' | 'options'>;

type Preview = DatasetPreview['probes'][number];
type Option = Preview['options'][number];

/** Lets the user change `wanted`: number of examples, seed, cluster, probe options. */
export async function chooseAdvanced(
  preview: DatasetPreview,
  chosenProbes: readonly string[],
  wanted: Wanted,
): Promise<void> {
  const probes = preview.probes.filter(({ id }) => chosenProbes.includes(id));
  for (;;) {
    const items: (vscode.QuickPickItem & { change?: () => Promise<unknown> })[] = [
      {
        label: vscode.l10n.t('Number of examples'),
        description: wanted.limit === undefined ? vscode.l10n.t('all') : wanted.limit.toLocaleString(),
        change: () => askLimit(wanted),
      },
      { label: vscode.l10n.t('Seed'), description: String(wanted.seed), change: () => askSeed(wanted) },
      {
        label: vscode.l10n.t('Draws of the variants'),
        description: wanted.draws?.toLocaleString() ?? vscode.l10n.t('by size'),
        detail: vscode.l10n.t(
          'How much of the intervals comes from images and how much from draws (lgip, long)',
        ),
        change: () => askDraws(wanted),
      },
      {
        label: vscode.l10n.t('Cluster'),
        description: wanted.cluster ?? vscode.l10n.t('image'),
        detail: vscode.l10n.t(
          'What counts as one observation in intervals, tests and verdicts, such as a patient or a scene',
        ),
        change: () => askCluster(wanted, preview),
      },
      ...probes.flatMap((probe) => [
        ...(probe.options.length === 0 ? [] : [separator(probe.title)]),
        ...probe.options.map((option) => ({
          label: localized(option.title),
          description: `${shownValue(valueOf(wanted, probe, option))} · ${option.key}`,
          detail: known(option.describe),
          change: () => askOption(wanted, probe, option),
        })),
      ]),
      separator(''),
      { label: vscode.l10n.t('Back to the evaluators') },
    ];
    const chosen = await pick(items, {
      title: vscode.l10n.t('Advanced'),
      placeHolder: vscode.l10n.t('Select what to change'),
      ignoreFocusOut: true,
      matchOnDescription: true,
      matchOnDetail: true,
    });
    if (chosen?.change === undefined) return;
    await chosen.change();
  }
}

/** A text with the limit, the cluster and the changed probe options; undefined if the user changed nothing. */
export function wantedWords(
  { limit, draws, cluster, options }: Wanted,
  preview: DatasetPreview,
): string | undefined {
  const parts = [
    ...(limit === undefined ? [] : [localized(say('service.firstExamples', limit.toLocaleString('en')))]),
    ...(draws === undefined ? [] : [drawsWords(draws)]),
    ...(cluster === undefined ? [] : [vscode.l10n.t('Cluster: {0}', cluster)]),
    ...preview.probes.flatMap((probe) =>
      probe.options.flatMap(({ key, title }) => {
        const value = options?.[probe.id]?.[key];
        return value === undefined ? [] : [`${localized(title)}: ${shownValue(value)}`];
      }),
    ),
  ];
  return parts.length === 0 ? undefined : parts.join(' · ');
}

function drawsWords(draws: number): string {
  return draws === 1
    ? vscode.l10n.t('one draw of the variants')
    : vscode.l10n.t('{0} draws of the variants', draws);
}

function valueOf({ options }: Wanted, { id }: Preview, { key, default: usual }: Option): string {
  return options?.[id]?.[key] ?? String(usual);
}

/** A value as the user sees it. A switch is "enabled" or "disabled". */
function shownValue(value: string): string {
  if (value === 'true') return vscode.l10n.t('enabled');
  if (value === 'false') return vscode.l10n.t('disabled');
  return value === '' ? vscode.l10n.t('not set') : value;
}

function askLimit(wanted: Wanted): Promise<void> {
  return askOptionalNumber(wanted, 'limit', {
    title: vscode.l10n.t('Number of examples'),
    prompt: vscode.l10n.t(
      'Captious reads this many examples from the start of the file. Leave this empty for all examples.',
    ),
    allowed: /^([1-9]\d{0,8})?$/,
    otherwise: vscode.l10n.t('Enter a whole number of 1 or more.'),
  });
}

function askDraws(wanted: Wanted): Promise<void> {
  return askOptionalNumber(wanted, 'draws', {
    title: vscode.l10n.t('Draws of the variants'),
    prompt: vscode.l10n.t(
      'Metrics are over all draws. Leave this empty for 5 draws if fewer than 1,000 captions are read, otherwise 1.',
    ),
    allowed: /^([1-9]\d?)?$/,
    otherwise: vscode.l10n.t('Enter a whole number from 1 to 99.'),
  });
}

async function askOptionalNumber(
  wanted: Wanted,
  key: 'limit' | 'draws',
  { allowed, otherwise, ...texts }: { title: string; prompt: string; allowed: RegExp; otherwise: string },
): Promise<void> {
  const value = await ask({
    ...texts,
    value: String(wanted[key] ?? ''),
    ignoreFocusOut: true,
    validateInput: (text) => (allowed.test(text.trim()) ? undefined : otherwise),
  });
  if (value !== undefined) wanted[key] = value.trim() === '' ? undefined : Number(value);
}

async function askSeed(wanted: Wanted): Promise<void> {
  const value = await ask({
    title: vscode.l10n.t('Seed'),
    prompt: vscode.l10n.t('Runs with the same seed make the same random choices.'),
    value: String(wanted.seed),
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^\d{1,9}$/.test(text.trim()) ? undefined : vscode.l10n.t('Enter a whole number from 0 to 999999999.'),
  });
  if (value !== undefined) wanted.seed = Number(value);
}

/** Lets the user choose the column whose values are the clusters. */
async function askCluster(wanted: Wanted, { columns }: DatasetPreview): Promise<void> {
  const none = { label: vscode.l10n.t('image'), column: undefined };
  const items = [
    none,
    separator(vscode.l10n.t('Columns')),
    ...columns.map((column) => ({ label: column, column })),
  ];
  const chosen = await pick(items, {
    title: vscode.l10n.t('Cluster'),
    placeHolder: vscode.l10n.t(
      'Each image is one observation. Select a column if its values are. Entries without a value are left out.',
    ),
    ignoreFocusOut: true,
  });
  if (chosen === undefined) return;
  const column = 'column' in chosen ? chosen.column : undefined;
  if (column === undefined) delete wanted.cluster;
  else wanted.cluster = column;
}

async function askOption(wanted: Wanted, probe: Preview, option: Option): Promise<void> {
  const now = valueOf(wanted, probe, option);
  const title = `${probe.title}: ${localized(option.title)}`;
  const choices = typeof option.default === 'boolean' ? ['true', 'false'] : option.choices;
  const value =
    choices === undefined
      ? await ask({ title, prompt: known(option.describe), value: now, ignoreFocusOut: true })
      : (
          await pick(
            choices.map((each) => ({
              label: shownValue(each),
              each,
              ...(each === now ? { description: '✓' } : {}),
            })),
            { title, placeHolder: known(option.describe), ignoreFocusOut: true },
          )
        )?.each;
  if (value === undefined) return;
  const own = { ...wanted.options?.[probe.id], [option.key]: value };
  if (value === String(option.default)) Reflect.deleteProperty(own, option.key);
  const options = { ...wanted.options, [probe.id]: own };
  if (Object.keys(own).length === 0) Reflect.deleteProperty(options, probe.id);
  if (Object.keys(options).length === 0) delete wanted.options;
  else wanted.options = options;
}
