import { Fingerprints } from '../base/files/fingerprints';
import { storeFolder } from '../base/files/home';
import { metricNamed, previewMetric } from './clipscore';
import type { EvaluatorPreview } from './evaluator';
import { previewEvaluatorFile } from './evaluatorFile';
import { outsideEditor } from './judge/editorModels';
import { describeFolder } from './model/describe';
import { ModelFolder } from './model/modelFolder';
import { runtimeOf, type RuntimeOptions } from './model/runtime';
import { previewPython } from './python/pythonFile';
import { type FolderReference, folderNamed, parseReference, type Reference } from './reference';
import { previewRemote } from './remote/remoteFile';

export interface PreviewOptions extends RuntimeOptions {
  home: string;
  /** Whether VS Code's language models are available. */
  insideEditor?: boolean;
  /** The cache of file hashes. Several previews can share it, so that it is read only once. */
  fingerprints?: Fingerprints;
}

/** Returns what a user needs to know to choose an evaluator. Throws most errors that opening it would throw. */
export function previewEvaluator(ref: string, options: PreviewOptions): Promise<EvaluatorPreview> {
  const fingerprints = options.fingerprints ?? new Fingerprints(storeFolder(options.home));
  return previewWithin(ref, { ...options, fingerprints }, []);
}

type Options = PreviewOptions & { fingerprints: Fingerprints };

/** `within`: the paths of the evaluator files that led to `ref`, outermost first. */
async function previewWithin(
  ref: string,
  options: Options,
  within: readonly string[],
): Promise<EvaluatorPreview> {
  return preview(parseReference(ref, { home: options.home, within }), options, within);
}

async function preview(
  reference: Reference,
  options: Options,
  within: readonly string[],
): Promise<EvaluatorPreview> {
  const { home, insideEditor = false } = options;
  switch (reference.type) {
    case 'starter':
    case 'installed':
    case 'folder':
      return previewFolder(reference, options);
    case 'metric': {
      const { id, metric, of } = reference;
      const inner = await preview(of, options, within);
      return {
        ...previewMetric(inner, metricNamed(metric), { id, name: `${metric} of ${inner.name}` }),
        kind: metric,
      };
    }
    case 'overlap':
      return {
        id: reference.id,
        name: reference.id,
        kind: 'references',
        scores: ['image-text'],
        sharedSpace: false,
        remote: false,
      };
    case 'referenced': {
      const { id, metric, of } = reference;
      const inner = await preview(of, options, within);
      return {
        ...inner,
        id,
        name: `${metric} of ${inner.name}`,
        kind: metric,
        scores: ['image-text'],
        sharedSpace: false,
      };
    }
    case 'editor':
      if (!insideEditor) throw outsideEditor(reference.model);
      return {
        id: reference.id,
        name: reference.id,
        kind: 'judge',
        scores: ['image-text'],
        sharedSpace: false,
        remote: true,
      };
    case 'remote':
      return { ...previewRemote(reference.said, reference.id), id: reference.id, kind: 'remote' };
    case 'python':
      return { ...previewPython(reference.said, reference.id), id: reference.id, kind: 'python' };
    case 'file': {
      const { path } = reference;
      const here = [...within, path];
      return previewEvaluatorFile(path, {
        insideEditor,
        preview: (inner, wish) => previewWithin(inner, { ...options, ...wish }, here),
        previewFolder: (named, regions, wish) =>
          previewFolder(folderNamed(named, { home, within: here }), { ...options, ...wish }, regions),
      });
    }
  }
}

async function previewFolder(
  { id, path }: FolderReference,
  options: Options,
  regions?: string,
): Promise<EvaluatorPreview> {
  const folder = new ModelFolder(path, options.resize);
  const { info } = await describeFolder(folder, id, runtimeOf(options), options.fingerprints, regions);
  return { ...info, size: folder.size(), sharedSpace: info.kind === 'dual-encoder', remote: false };
}
