import { basename } from 'node:path';
import * as vscode from 'vscode';
import { evaluatorError, inputError } from '../../base/errors';
import { imagePlace } from '../../dataset/images/imagePlaces';
import type { DatasetPreview, EvaluatorEntry } from '../../protocol/service';
import { fileEnding, fileInFolder, modelsFolder, nameOfFile } from '../../evaluator/reference';
import { languageModelEntries } from '../languageModels';
import type { Throughput } from './throughput';
import type { Reader } from '../../process/readerClient';
import type { RunOrder } from './runs';
import * as settings from '../settings';
import { checkpointEntries, choosePython, pythonEvaluators, withArchitecture } from '../python/interpreters';
import { localized } from '../messages';
import { confirm, withProgress } from '../notify';
import { chooseAdvanced, type Wanted } from './advanced';
import { chooseEvaluators } from '../evaluators/chooseEvaluators';
import { selectFolder } from '../panel/exporting';
import { chooseProbes } from '../evaluators/chooseProbes';

interface Choice {
  probes: string[];
  evaluators: string[];
}

export interface ChooserParts {
  reader: Reader;
  throughput: Throughput;
  memory: vscode.Memento;
  /** Lets the user add an evaluator. Returns its reference; undefined for a Python file, or if the user cancels. */
  addEvaluator: () => Promise<string | undefined>;
  /** Called before the last question, so that the process of the run loads its code while the user answers. */
  prepare: () => void;
}

/**
 * Asks the user for everything that an audit needs. The file and the last audit determine the suggestions. Returns
 * undefined if the user cancels.
 */
export async function chooseOrder(
  dataset: vscode.Uri,
  { reader, throughput, memory, addEvaluator, prepare }: ChooserParts,
): Promise<RunOrder | undefined> {
  const path = dataset.fsPath;
  let images = settings.imageFolders(dataset);
  let preview = await look(reader, path, images);
  const lastChoice = memory.get<Choice>('captious.choice', { probes: [], evaluators: [] });
  let chosenProbes = await chooseProbes(preview, lastChoice.probes);
  while (chosenProbes === 'images') {
    const folder = await askForImages(dataset, preview.instead);
    if (folder === undefined || folder.length === 0) return undefined;
    images = [...images, ...folder];
    preview = await look(reader, path, images);
    chosenProbes = await chooseProbes(preview, lastChoice.probes);
  }
  if (chosenProbes === undefined) return undefined;
  const wanted: Wanted = { seed: settings.seed(dataset), ...settings.draws(dataset) };
  let chosenEntries: EvaluatorEntry[] | undefined;
  for (let last = lastChoice.evaluators; chosenEntries === undefined;) {
    const offered = await offeredEvaluators(reader);
    prepare();
    const answer = await chooseEvaluators(offered, last, preview, chosenProbes, throughput, wanted);
    if (answer === undefined) return undefined;
    const { entries, action } = answer;
    // After a button is clicked, the picker opens again with the same evaluators selected.
    if (action !== undefined) last = entries.map(({ id }) => id);
    if (action === 'add') last = [...last, ...[await addEvaluator()].filter((id) => id !== undefined)];
    else if (action === 'advanced') await chooseAdvanced(preview, chosenProbes, wanted);
    else {
      chosenEntries = await withArchitectures(entries);
      if (chosenEntries === undefined) return undefined;
    }
  }
  await memory.update('captious.choice', {
    probes: chosenProbes,
    evaluators: chosenEntries.map(({ id }) => id),
  });
  const needsPython = chosenEntries.some((entry) => entry.python === true);
  const python = needsPython ? await choosePython(dataset, memory) : undefined;
  if (needsPython && python === undefined) return undefined;
  const areMissing = preview.images > 0 && preview.imagesFound === 0;
  const without = memory.get<string[]>('captious.withoutImages', []);
  if (areMissing && chosenEntries.some(({ readsImages }) => readsImages) && !without.includes(path)) {
    const folder = await askForImages(dataset, preview.instead);
    if (folder === undefined) return undefined;
    // If the user continues without images, Captious does not ask again for this dataset. A command can set the
    // folder later.
    if (folder.length === 0) await memory.update('captious.withoutImages', [...without, path]);
    images = [...images, ...folder];
  }
  return {
    dataset: path,
    probes: chosenProbes,
    evaluators: chosenEntries.map(({ id }) => id),
    images,
    ...wanted,
    ...(python === undefined ? {} : { python }),
  };
}

/** Throws if a dataset has nothing that a check of a benchmark takes: the run would fail, also if it is resumed. */
export async function needItems(dataset: vscode.Uri, reader: Reader): Promise<void> {
  const path = dataset.fsPath;
  const { unchecked } = await look(reader, path, settings.imageFolders(dataset));
  if (unchecked === undefined) return;
  throw inputError(
    vscode.l10n.t('{0} cannot be checked as a benchmark: {1}.', basename(path), localized(unchecked)),
    vscode.l10n.t(
      'Choose a dataset of right and wrong captions or images, such as those of SugarCrepe, Winoground and VISLA.',
    ),
  );
}

/** Reads the first examples of a dataset. Throws if the file is none. */
async function look(reader: Reader, path: string, images: string[]): Promise<DatasetPreview> {
  const preview = await withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Reading {0}', basename(path)) },
    () => reader.ask('look', { path, images }),
  );
  if (preview !== null) return preview;
  // A full inspection throws an error that says why the file cannot be read.
  await reader.ask('inspect', { path, images });
  throw inputError(
    vscode.l10n.t('This file is not a dataset that Captious can read.'),
    vscode.l10n.t(
      'Choose a file with captions, such as COCO JSON, a VISLA TSV, or a table with image and caption columns.',
    ),
    path,
  );
}

/** The workspace's evaluator files, such as files of judges, metrics and calibrated evaluators. */
export async function evaluatorFiles(): Promise<string[]> {
  if (!vscode.workspace.isTrusted) return [];
  const found = await vscode.workspace.findFiles(
    `**/{*${fileEnding},${fileInFolder}}`,
    '**/{node_modules,.git}/**',
    50,
  );
  return found
    .filter(({ scheme }) => scheme === 'file')
    .map(({ fsPath }) => nameOfFile(fsPath))
    .sort();
}

/** References to the evaluators in the settings and in the workspace, without the installed evaluators. */
export async function namedEvaluators(): Promise<string[]> {
  return [
    ...new Set([...settings.evaluatorFolders(), ...(await evaluatorFiles()), ...(await pythonEvaluators())]),
  ];
}

/** The usable evaluators: installed, in the settings, or in `files`. Throws if no evaluator is usable. */
export async function usableEvaluators(
  reader: Reader,
  files: readonly string[] = [],
): Promise<EvaluatorEntry[]> {
  return (await foundEvaluators(reader, files)).usable;
}

/** Evaluators to choose from. Unusable evaluators come last. */
async function offeredEvaluators(reader: Reader): Promise<EvaluatorEntry[]> {
  const found = await foundEvaluators(reader, [...(await evaluatorFiles()), ...(await pythonEvaluators())]);
  return [
    ...found.usable,
    ...(await checkpointEntries(reader)),
    ...(await languageModelEntries()),
    ...found.broken,
  ];
}

async function foundEvaluators(
  reader: Reader,
  files: readonly string[],
): Promise<{ usable: EvaluatorEntry[]; broken: EvaluatorEntry[] }> {
  const paths = [...settings.evaluatorFolders(), ...files];
  const entries = await reader.ask('evaluators', {
    home: settings.home(),
    folders: [...new Set(paths)],
  });
  const usable = entries.filter(({ problem }) => problem === undefined);
  const broken = entries.filter(({ problem }) => problem !== undefined);
  if (usable.length > 0) return { usable, broken };
  throw evaluatorError(
    broken.at(0)?.problem ?? vscode.l10n.t('No evaluator is installed.'),
    vscode.l10n.t(
      'Put a model folder into {0}, or add its path to the setting captious.evaluatorFolders.',
      modelsFolder(settings.home()),
    ),
  );
}

async function withArchitectures(entries: readonly EvaluatorEntry[]): Promise<EvaluatorEntry[] | undefined> {
  const found: EvaluatorEntry[] = [];
  for (const entry of entries) {
    const whole = await withArchitecture(entry);
    if (whole === undefined) return undefined;
    found.push(whole);
  }
  return found;
}

/** Asks for the image folder. Returns an empty list to continue without images; undefined if the user cancels. */
async function askForImages(dataset: vscode.Uri, instead?: string): Promise<string[] | undefined> {
  const choose = vscode.l10n.t('Choose Folder…');
  const without = vscode.l10n.t('Continue Without Images');
  const use = vscode.l10n.t('Use This Folder');
  const { from = '', folder = '' } = instead === undefined ? {} : imagePlace(instead);
  const detail = vscode.l10n.t('Without images, captions can only be compared with each other.');
  const answer = await confirm(
    vscode.l10n.t('The images of {0} were not found next to this file.', basename(dataset.fsPath)),
    instead === undefined
      ? detail
      : `${vscode.l10n.t('{0} has images with the same file names. Use it only if it contains the images of {1}.', folder, from)}\n\n${detail}`,
    ...(instead === undefined ? [] : [use]),
    choose,
    without,
  );
  if (answer === without) return [];
  if (answer === use && instead !== undefined) {
    await settings.addImageFolder(dataset, instead);
    return [instead];
  }
  return answer === choose ? chooseImages(dataset) : undefined;
}

/** Lets the user choose an image folder, and adds the folder to the settings. */
export async function chooseImages(dataset: vscode.Uri): Promise<string[] | undefined> {
  const folder = await selectFolder({ title: vscode.l10n.t('Select the folder with the images') });
  if (folder === undefined) return undefined;
  await settings.addImageFolder(dataset, folder.fsPath);
  return [folder.fsPath];
}
