import type * as z from 'zod/mini';
import type { CaptiousError } from '../base/errors';
import { type Words } from '../base/say';
import type { Allow, Evaluator, EvaluatorPreview } from './evaluator';
import type { RuntimeOptions } from './model/runtime';
import type { PythonSaid } from './python/reference';
import type { EditorModels } from './judge/editorModels';

/** Returns a key by its name. */
export type Secret = (name: string) => string | undefined | Promise<string | undefined>;

/** Options for opening what a file names. */
export type Wish = Pick<RuntimeOptions, 'resize'>;

/** The evaluator file's identity and path. */
export interface FileIdentity {
  /** The evaluator file itself. */
  path: string;
  /** The evaluator's id: the file's name. */
  id: string;
  /** From the file, otherwise the id. */
  name: string;
  /** Resolves a folder or file relative to the evaluator file. */
  place: (path: string) => string;
  /** An error that names this file and one of its keys. */
  wrong: (key: string, message: Words, remedy?: Words) => CaptiousError;
}

export interface PreviewContext extends FileIdentity {
  /** Whether the language models of VS Code are available when it opens. */
  insideEditor: boolean;
  /** Previews another evaluator: an id, or a path relative to this file that begins with ./ or ../. */
  preview: (ref: string, wish?: Wish) => Promise<EvaluatorPreview>;
  /** Previews a model folder by path or id, with the folder of region features if it needs one. */
  previewFolder: (path: string, regions?: string, wish?: Wish) => Promise<EvaluatorPreview>;
}

export interface FileContext extends FileIdentity {
  open: (ref: string, wish?: Wish) => Promise<Evaluator>;
  openFolder: (path: string, regions?: string, wish?: Wish) => Promise<Evaluator>;
  openPython: (said: PythonSaid, own: { id: string; name?: string; path: string }) => Promise<Evaluator>;
  home: string;
  /** The secret of that name, from the environment or the editor's secret storage. */
  secret: Secret;
  /** The language models of the editor, if it runs in one. */
  editor?: EditorModels;
  allow?: Allow;
}

/** A preview of what the file defines, except for its own id, path and kind. */
export type KindPreview = Omit<EvaluatorPreview, 'id' | 'kind' | 'path'>;

/**
 * How a kind of evaluator file becomes an evaluator. `preview` throws what `make` would, except for errors of
 * the endpoint.
 */
export interface FileKind<S> {
  schema: z.ZodMiniObject;
  preview: (said: S, context: PreviewContext) => KindPreview | Promise<KindPreview>;
  make: (said: S, context: FileContext) => Promise<Evaluator>;
}
