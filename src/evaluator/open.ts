import { throwIfCancelled } from '../base/errors';
import { Fingerprints } from '../base/fingerprints';
import { homeFolder, storeFolder } from '../base/home';
import { buildEvaluator } from './model/blueprint';
import { asMetric, metricNamed, metricNames } from './clipscore';
import { describeFolder } from './model/describe';
import { openEditorJudge } from './judge/editorJudge';
import { type EditorModels, editorScheme } from './judge/editorModels';
import type { EnginesOptions } from './native/engines';
import type { Evaluator } from './evaluator';
import { openEvaluatorFile } from './evaluatorFile';
import type { Secret } from './fileKinds';
import { findFile, findFolder } from './find';
import type { ModelFolder } from './model/modelFolder';
import { openWithAnyProvider } from './model/provider';
import { isRemoteUrl, openRemote, parseRemoteUrl } from './remote/remote';
import { runtimeOf, type RuntimeOptions } from './model/runtime';
import { madeOfItself } from './preview';

export interface OpenOptions extends RuntimeOptions {
  /** Where Captious keeps its models; the person's own home by default. */
  home?: string;
  signal?: AbortSignal;
  engine?: EnginesOptions;
  /** Where keys of endpoints come from, by name; the environment by default. */
  secret?: Secret;
  /** The language models of the editor, where this runs in one. */
  editor?: EditorModels;
}

/**
 * `starter`, the id of an installed model, a path to a folder laid out as on the Hugging Face hub or to an evaluator
 * file, the address of a remote encoder, a language model of VS Code, or a metric of one of these: `clipscore:starter`.
 */
export async function openEvaluator(ref: string, options: OpenOptions = {}): Promise<Evaluator> {
  return openWithin(ref, options, []);
}

/** `within`: the evaluator files that led here. */
async function openWithin(ref: string, options: OpenOptions, within: readonly string[]): Promise<Evaluator> {
  throwIfCancelled(options.signal);
  const home = options.home ?? homeFolder();
  const metric = metricNames.find((name) => ref.startsWith(`${name}:`));
  if (metric !== undefined) {
    const inner = await openWithin(ref.slice(metric.length + 1), options, within);
    const id = `${metric}:${inner.info.id}`;
    try {
      return asMetric(inner, metricNamed(metric), { id, name: `${metric} of ${inner.info.name}` });
    } catch (error) {
      await inner.close();
      throw error;
    }
  }
  if (ref.startsWith(`${editorScheme}:`)) {
    const model = ref.slice(editorScheme.length + 1);
    return openEditorJudge(
      { model },
      { id: ref, name: ref, home, ...(options.editor === undefined ? {} : { editor: options.editor }) },
    );
  }
  const file = findFile(ref, home);
  if (file !== undefined) {
    if (within.includes(file)) throw madeOfItself(file);
    return openEvaluatorFile(file, {
      open: (inner) => openWithin(inner, options, [...within, file]),
      home,
      secret: options.secret ?? ((name) => process.env[name]),
      ...(options.editor === undefined ? {} : { editor: options.editor }),
      openFolder: (path, regions) => openFolder(findFolder(path, home), options, regions),
    });
  }
  if (isRemoteUrl(ref)) {
    const said = parseRemoteUrl(ref);
    const { engine, signal } = options;
    return openRemote(said, { id: said.text, name: said.text, home, engine, signal });
  }
  return openFolder(findFolder(ref, home), options);
}

/** `regions`: where the features of pictures' regions lie, for a model that takes those. */
async function openFolder(
  { folder, id }: { folder: ModelFolder; id: string },
  options: OpenOptions,
  regions?: string,
): Promise<Evaluator> {
  const home = options.home ?? homeFolder();
  const open = async (provider: string | undefined): Promise<Evaluator> => {
    const runtime = runtimeOf({ ...options, provider });
    const { blueprint, info } = await describeFolder(
      folder,
      id,
      runtime,
      new Fingerprints(storeFolder(home)),
      regions,
    );
    throwIfCancelled(options.signal);
    return buildEvaluator(folder, info, blueprint, runtime, options.engine);
  };
  return options.provider === 'auto' ? openWithAnyProvider(open, options.signal) : open(options.provider);
}
