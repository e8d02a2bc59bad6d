import { join } from 'node:path';
import * as vscode from 'vscode';
import { CaptiousError } from '../../base/errors';
import { readBounded } from '../../base/files/readFile';
import { parseJson } from '../../base/files/readJson';
import { object, text } from '../../base/shape';
import { fetchModel } from '../../evaluator/fetch/fetchModel';
import { hubFrom } from '../../evaluator/fetch/hub';
import { filesOf, type KnownEncoder, knownEncoders } from '../../evaluator/fetch/known';
import type { Reader } from '../../process/readerClient';
import { trouble } from '../messages';
import { cancellable, confirm, pick, showInformation, withProgress } from '../notify';
import * as settings from '../settings';
import { chooseMetric } from './metricEvaluator';
import { needTrust } from '../trust';
import { selectFolder } from '../panel/exporting';

export interface AddParts {
  extensionUri: vscode.Uri;
  reader: Reader;
  /** Asks for a model server, offers to try its model, and saves an evaluator file. */
  newEvaluator: () => Promise<vscode.Uri | undefined>;
}

const precision = 'float32';

/** Adds an evaluator of one of five sources. Returns its reference; undefined for Python or a cancel. */
export async function addEvaluator(parts: AddParts): Promise<string | undefined> {
  needTrust();
  const kinds = [
    {
      label: vscode.l10n.t('Model folder…'),
      detail: vscode.l10n.t('A folder with an ONNX export of an encoder'),
      add: () => addFolder(parts),
    },
    {
      label: vscode.l10n.t('Known encoder…'),
      detail: vscode.l10n.t('Download a widely used encoder from the hub'),
      add: () => addKnown(parts),
    },
    ...kindsToMake(parts, addPython),
  ];
  const chosen = await pick(kinds, {
    title: vscode.l10n.t('Add evaluator'),
    placeHolder: vscode.l10n.t('Select where the evaluator comes from'),
    ignoreFocusOut: true,
  });
  return chosen?.add();
}

/** Makes an evaluator of a kind that the user chooses. */
export async function makeEvaluator(parts: AddParts): Promise<void> {
  needTrust();
  const chosen = await pick(
    kindsToMake(parts, async () => {
      await vscode.commands.executeCommand('captious.newPythonEvaluator');
      return undefined;
    }),
    {
      title: vscode.l10n.t('New evaluator'),
      placeHolder: vscode.l10n.t('Select the kind of the evaluator'),
      ignoreFocusOut: true,
    },
  );
  await chosen?.add();
}

function kindsToMake(parts: AddParts, python: () => Promise<string | undefined>) {
  return [
    {
      label: vscode.l10n.t('Metric…'),
      detail: vscode.l10n.t(
        'CLIPScore or PAC-S of an encoder, or a metric of reference captions such as CIDEr',
      ),
      add: () => addMetric(parts),
    },
    {
      label: vscode.l10n.t('Python file…'),
      detail: vscode.l10n.t('A file with a class that scores captions, or a template for one'),
      add: python,
    },
    {
      label: vscode.l10n.t('Model server…'),
      detail: vscode.l10n.t('A chat model that sees images, on this computer or in the cloud'),
      add: async () => (await parts.newEvaluator())?.fsPath,
    },
  ];
}

async function addMetric(parts: AddParts): Promise<string | undefined> {
  const entries = async () =>
    parts.reader.ask('evaluators', { home: settings.home(), folders: settings.evaluatorFolders() });
  const chosen = await chooseMetric(entries);
  if (chosen === undefined) return undefined;
  const { reference, name, needsReferences } = chosen;
  // The samples to try an evaluator have no references.
  if (!needsReferences && !(await isKept(parts, reference, name))) return undefined;
  await settings.addEvaluator(reference);
  void showInformation(vscode.l10n.t('{0} is now in the list of evaluators.', name));
  return reference;
}

async function addFolder(parts: AddParts): Promise<string | undefined> {
  const folder = await selectFolder({ title: vscode.l10n.t('Select the folder of a model') });
  if (folder === undefined) return undefined;
  const path = folder.fsPath;
  const found = await parts.reader.ask('evaluators', { home: settings.home(), folders: [path] });
  const own = found.find(({ id }) => id === path);
  // No `at` here, because the problem's text already names the folder or file.
  if (own?.problem !== undefined) throw new CaptiousError('evaluator', own.problem);
  if (!(await isKept(parts, path, own?.name ?? path))) return undefined;
  await settings.addEvaluator(path);
  return path;
}

async function addKnown(parts: AddParts): Promise<string | undefined> {
  const entries = await parts.reader.ask('evaluators', { home: settings.home(), folders: [] });
  const models = knownEncoders().filter(({ id }) => !entries.some((entry) => entry.id === id));
  const chosen = await pick(
    models.map((model) => ({ ...knownItem(model), model })),
    { title: vscode.l10n.t('Known encoder'), placeHolder: vscode.l10n.t('Select an encoder to download') },
  );
  if (chosen === undefined || !(await mayDownload(chosen.model))) return undefined;
  const { model } = chosen;
  await cancellable(vscode.l10n.t('Downloading {0}', model.name), (signal, report) => {
    let before = 0;
    return fetchModel(model, {
      ...{ hub: hubFrom(undefined), home: settings.home(), precision, signal },
      onProgress: ({ file, number, files, received, total }) => {
        const whole = ((number - 1 + (total ? received / total : 0)) / files) * 100;
        report({ message: `${file} (${megabytes(received)})`, increment: whole - before });
        before = whole;
      },
    });
  });
  if (await isKept(parts, model.id, model.name)) return model.id;
  const folder = vscode.Uri.file(join(settings.home(), 'models', model.id));
  await vscode.workspace.fs.delete(folder, { recursive: true });
  return undefined;
}

/** An encoder to choose. Those of captions alone say so, because most probes need images. */
export function knownItem(model: KnownEncoder): { label: string; description: string; detail: string } {
  const size = sizeOf(model);
  return {
    label: model.name,
    description:
      model.kind === 'text-encoder' ? vscode.l10n.t('{0}, compares captions only, no images', size) : size,
    detail: vscode.l10n.t('{0}, licence {1}', model.hub, model.licence),
  };
}

async function mayDownload(model: KnownEncoder): Promise<boolean> {
  const download = vscode.l10n.t('Download');
  const answer = await confirm(
    vscode.l10n.t('Download {0}?', model.name),
    [
      vscode.l10n.t('Source: {0}', `${hubFrom(undefined).endpoint.href.replace(/\/$/, '')}/${model.hub}`),
      vscode.l10n.t('Licence: {0}', model.licence),
      vscode.l10n.t('Size: {0}', sizeOf(model)),
      vscode.l10n.t('Folder: {0}', join(settings.home(), 'models', model.id)),
    ].join('\n'),
    download,
  );
  return answer === download;
}

function sizeOf(model: KnownEncoder): string {
  const files = filesOf(model, precision);
  const sizes = files.map(({ size }) => size);
  const sum = sizes.reduce<number>((total, size) => total + (size ?? 0), 0);
  // Nearly all bytes are in the .onnx files, so a sum without one of these files would be misleading.
  if (files.some(({ path, size }) => path.endsWith('.onnx') && size === undefined))
    return vscode.l10n.t('size unknown');
  return sizes.includes(undefined) ? vscode.l10n.t('at least {0}', megabytes(sum)) : megabytes(sum);
}

export function megabytes(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1e6)).toLocaleString()} MB`;
}

async function addPython(): Promise<undefined> {
  const template = { label: vscode.l10n.t('New file from the template'), isNew: true };
  const existing = { label: vscode.l10n.t('Existing file…'), isNew: false };
  const chosen = await pick([existing, template], { title: vscode.l10n.t('Python evaluator') });
  if (chosen?.isNew === true) await vscode.commands.executeCommand('captious.newPythonEvaluator');
  if (chosen?.isNew !== false) return;
  const [file] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Select the Python file of an evaluator'),
      filters: { Python: ['py'] },
    })) ?? [];
  if (file === undefined) return;
  await vscode.window.showTextDocument(file);
  // Audits a few samples. The audit asks for consent before it runs the file's code.
  await vscode.commands.executeCommand('captious.tryPythonEvaluator', file);
}

const sample = object({ image: text, caption: text });

/** Scores a sample, shows the score, and asks whether to keep the evaluator. Returns the user's answer. */
async function isKept({ extensionUri, reader }: AddParts, reference: string, name: string): Promise<boolean> {
  const samples = (...path: string[]): string => vscode.Uri.joinPath(extensionUri, 'samples', ...path).fsPath;
  const lines = await readBounded(samples('captions.jsonl'));
  const [first, second] = lines
    .toString('utf8')
    .split('\n', 2)
    .map((line) => sample(parseJson(Buffer.from(line)), ''));
  const keep = vscode.l10n.t('Keep');
  let answer: string | undefined;
  try {
    const { score, withImage } = await withProgress(
      { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Trying {0}…', name) },
      () =>
        reader.ask('try', {
          evaluator: reference,
          home: settings.home(),
          image: samples('images', first.image),
          captions: [first.caption, second.caption],
        }),
    );
    const other = withImage
      ? vscode.l10n.t('Image: {0}', first.image)
      : vscode.l10n.t('Other caption: {0}', second.caption);
    answer = await confirm(
      vscode.l10n.t('{0} works. Score of a sample: {1}', name, String(Number(score.toPrecision(4)))),
      [vscode.l10n.t('Caption: {0}', first.caption), other].join('\n'),
      keep,
    );
  } catch (error) {
    if (!(error instanceof CaptiousError)) throw error;
    const anyway = vscode.l10n.t('Keep anyway');
    answer = await confirm(vscode.l10n.t('The evaluator does not work yet.'), trouble(error), anyway);
    return answer === anyway;
  }
  return answer === keep;
}
