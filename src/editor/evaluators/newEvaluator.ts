import { basename } from 'node:path';
import * as vscode from 'vscode';
import { CaptiousError } from '../../base/errors';
import { proposedName } from '../../base/files/fileName';
import { readBounded } from '../../base/files/readFile';
import { parseJson } from '../../base/files/readJson';
import { object, text } from '../../base/shape';
import {
  type ChatFields,
  chatFile,
  type ChatKind,
  type Preset,
  presets,
} from '../../evaluator/judge/presets';
import { type Trial, tryChatFile } from '../../evaluator/judge/trial';
import { localized, trouble } from '../messages';
import { ask, confirm, pick, unlessCancelled } from '../notify';
import type { HostAnswers } from '../runs/hostAnswers';
import { saveTo } from '../saveTo';
import * as settings from '../settings';
import { needTrust } from '../trust';

const fieldCount = 5;
const sample = object({ image: text, caption: text });

/**
 * Asks for a server and five fields, offers to try the evaluator, and saves its file. Asks for the fields again if the
 * user cancels the trial or the saving. Returns undefined if the user cancels an earlier step.
 */
export async function newEvaluator(
  extension: vscode.Uri,
  hostAnswers: HostAnswers,
): Promise<vscode.Uri | undefined> {
  needTrust();
  const title = vscode.l10n.t('New evaluator');
  const server = await pick(
    presets.map((preset) => ({ label: preset.name, description: preset.endpoint, preset })),
    { title, placeHolder: vscode.l10n.t('Select the server of the model'), matchOnDescription: true },
  );
  if (server === undefined) return undefined;
  const { preset } = server;
  let fields: ChatFields | undefined = {
    endpoint: preset.endpoint,
    model: preset.model,
    keyFrom: preset.keyFrom ?? '',
    kind: preset.kinds[0],
    name: '',
  };
  for (;;) {
    fields = await askFields(preset, fields);
    if (fields === undefined) return undefined;
    const next = await tryOut(extension, hostAnswers, preset, fields);
    const saved = next === 'save' ? await save(preset, fields) : undefined;
    if (saved !== undefined) return saved;
  }
}

const kindNames: Record<ChatKind, () => { label: string; detail: string }> = {
  judge: () => ({
    label: vscode.l10n.t('Judge'),
    detail: vscode.l10n.t('The model grades each caption from 0 to 10 by a rubric.'),
  }),
  fleur: () => ({
    label: 'FLEUR',
    detail: vscode.l10n.t("A grade from 0 to 1, smoothed by the probabilities of the answer's digits."),
  }),
  vqascore: () => ({
    label: 'VQAScore',
    detail: vscode.l10n.t(
      'The probability that the model answers Yes when asked whether the image shows the caption.',
    ),
  }),
  likelihood: () => ({
    label: vscode.l10n.t('Likelihood'),
    detail: vscode.l10n.t("The mean log-probability of the caption's tokens, given the image."),
  }),
};

/** Asks for address, model, name of the key, kind of score and name. Returns undefined if the user cancels. */
async function askFields(preset: Preset, given: ChatFields): Promise<ChatFields | undefined> {
  const title = (at: number): string =>
    vscode.l10n.t('New evaluator: {0} ({1} of {2})', preset.name, at, fieldCount);
  const field = (at: number, prompt: string, value: string, wrong: (value: string) => string | undefined) =>
    ask({ title: title(at), prompt, value, ignoreFocusOut: true, validateInput: (now) => wrong(now.trim()) });
  const endpoint = await field(1, vscode.l10n.t('Address of the API'), given.endpoint, wrongAddress);
  if (endpoint === undefined) return undefined;
  const model = await field(2, vscode.l10n.t('Name of a model that can see images'), given.model, (value) =>
    value === '' ? vscode.l10n.t('Enter the name of the model.') : undefined,
  );
  if (model === undefined) return undefined;
  const keyFrom = await field(
    3,
    vscode.l10n.t(
      'Name under which the key is stored (not the key itself). Leave this empty if the server needs no key.',
    ),
    given.keyFrom,
    (value) =>
      /^([A-Za-z_][A-Za-z0-9_]{0,63})?$/.test(value)
        ? undefined
        : vscode.l10n.t('Use only letters, digits and underscores. The first character must not be a digit.'),
  );
  if (keyFrom === undefined) return undefined;
  const kinds = preset.kinds.map((kind) => ({
    ...kindNames[kind](),
    scoring: kind,
    picked: kind === given.kind,
  }));
  const chosen = await pick(kinds, {
    title: title(4),
    placeHolder: vscode.l10n.t('Select how the model scores a caption'),
    ignoreFocusOut: true,
  });
  if (chosen === undefined) return undefined;
  const usual = given.name === '' ? `${model.trim()} (${chosen.scoring})` : given.name;
  const name = await field(5, vscode.l10n.t('Name in reports'), usual, () => undefined);
  if (name === undefined) return undefined;
  return {
    endpoint: endpoint.trim(),
    model: model.trim(),
    keyFrom: keyFrom.trim(),
    kind: chosen.scoring,
    name: name.trim(),
  };
}

function wrongAddress(value: string): string | undefined {
  if (value.includes('RESOURCE')) return vscode.l10n.t('Replace RESOURCE with the name of your resource.');
  return /^https?:\/\/[^/\s]+/.test(value)
    ? undefined
    : vscode.l10n.t('Enter an address that begins with http:// or https://.');
}

/** If the user agrees, sends a sample image to the model and shows the score. Returns what the user wants next. */
async function tryOut(
  extension: vscode.Uri,
  hostAnswers: HostAnswers,
  preset: Preset,
  fields: ChatFields,
): Promise<'save' | 'change'> {
  const [save, saveUntried, change, tryIt] = [
    vscode.l10n.t('Save'),
    vscode.l10n.t('Save anyway'),
    vscode.l10n.t('Change fields'),
    vscode.l10n.t('Try'),
  ];
  const agreed = await confirm(
    vscode.l10n.t('Try the evaluator with a sample image?'),
    vscode.l10n.t(
      'Captious sends one sample image and its caption to the model {1} at {0}.',
      fields.endpoint,
      fields.model,
    ),
    tryIt,
    saveUntried,
  );
  if (agreed !== tryIt) return agreed === saveUntried ? 'save' : 'change';
  let answer: string | undefined;
  try {
    const tried = await trialOf(extension, hostAnswers, preset, fields);
    if (tried === undefined) return 'change';
    const { caption, image, trial } = tried;
    const { outcome } = trial;
    answer = outcome.ok
      ? await confirm(
          vscode.l10n.t('Score of a sample image: {0}', String(Number(outcome.value.toPrecision(4)))),
          [
            vscode.l10n.t('Image: {0}', image),
            vscode.l10n.t('Caption: {0}', caption),
            vscode.l10n.t('Range: {0} to {1}', String(trial.low ?? '−∞'), String(trial.high ?? '∞')),
            ...(trial.said === '' ? [] : [vscode.l10n.t('Answer: {0}', trial.said)]),
          ].join('\n'),
          save,
          change,
        )
      : await confirm(
          vscode.l10n.t('The sample image has no score.'),
          [
            localized(outcome.problem),
            ...(trial.said === '' ? [] : [vscode.l10n.t('Answer: {0}', trial.said)]),
          ].join('\n'),
          change,
          saveUntried,
        );
  } catch (error) {
    if (!(error instanceof CaptiousError)) throw error;
    answer = await confirm(
      vscode.l10n.t('The evaluator does not work yet.'),
      trouble(error),
      change,
      saveUntried,
    );
  }
  return answer === save || answer === saveUntried ? 'save' : 'change';
}

/** Scores a sample image with the evaluator. Returns undefined if the user cancels. */
async function trialOf(
  extension: vscode.Uri,
  hostAnswers: HostAnswers,
  preset: Preset,
  fields: ChatFields,
): Promise<{ image: string; caption: string; trial: Trial } | undefined> {
  const samples = (...path: string[]): string => vscode.Uri.joinPath(extension, 'samples', ...path).fsPath;
  const lines = await readBounded(samples('captions.jsonl'));
  const { image, caption } = sample(parseJson(lines.subarray(0, lines.indexOf('\n'))), '');
  const source = { name: basename(image), path: samples('images', basename(image)) };
  const title = vscode.l10n.t('{0} is scoring a sample image…', fields.model);
  const trial = await unlessCancelled(title, (signal, _report, token) =>
    tryChatFile(chatFile(preset, fields), {
      home: settings.home(),
      secret: (name) => hostAnswers.key(name, token),
      image: { kind: 'image', source, transforms: [] },
      caption,
      signal,
    }),
  );
  return trial && { image: source.name, caption, trial };
}

async function save(preset: Preset, fields: ChatFields): Promise<vscode.Uri | undefined> {
  const name = `${proposedName(fields.name || fields.model)}.evaluator.json`;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save evaluator'),
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder.uri, name) }),
    filters: { JSON: ['json'] },
  });
  if (target === undefined) return undefined;
  await saveTo(target, Buffer.from(`${JSON.stringify(chatFile(preset, fields), null, 2)}\n`));
  await vscode.window.showTextDocument(target);
  return target;
}
