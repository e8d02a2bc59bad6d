import type * as z from 'zod/mini';
import type { CaptiousError } from '../base/errors';
import type { Allow, Evaluator, EvaluatorPreview } from './evaluator';
import type { RuntimeOptions } from './model/runtime';
import type { PythonSaid } from './python/reference';
import type { EditorModels } from './judge/editorModels';

/** A key by its name. */
export type Secret = (name: string) => string | undefined | Promise<string | undefined>;

/** How what a file names is opened, where the file says more than its name. */
export type Wish = Pick<RuntimeOptions, 'resize'>;

/** What an evaluator file says of the evaluator to be, and where. */
export interface FileIdentity {
  /** The evaluator file itself. */
  path: string;
  /** Of the evaluator to be: the file's name. */
  id: string;
  /** From the file, else the id. */
  name: string;
  /** A folder or file that the evaluator file names, relative to itself. */
  place: (path: string) => string;
  /** An error that names this file and a key of it. */
  wrong: (key: string, message: string, remedy?: string) => CaptiousError;
}

export interface PreviewContext extends FileIdentity {
  /** It would be opened where the language models of VS Code can be asked. */
  insideEditor: boolean;
  /** Of another evaluator: an id, or a path that begins with ./ or ../ and is relative to this file. */
  preview: (ref: string, wish?: Wish) => Promise<EvaluatorPreview>;
  /** Of a model's folder, by its path or id; with the folder of region features, where it takes those. */
  previewFolder: (path: string, regions?: string, wish?: Wish) => Promise<EvaluatorPreview>;
}

export interface FileContext extends FileIdentity {
  open: (ref: string, wish?: Wish) => Promise<Evaluator>;
  openFolder: (path: string, regions?: string, wish?: Wish) => Promise<Evaluator>;
  openPython: (said: PythonSaid, own: { id: string; name?: string; path: string }) => Promise<Evaluator>;
  home: string;
  /** The secret of that name: from the environment, or from where the editor keeps such things. */
  secret: Secret;
  /** The language models of the editor that this runs in. */
  editor?: EditorModels;
  allow?: Allow;
}

/** What a kind of file makes of what it names: all but the file's own id, path and kind. */
export type KindPreview = Omit<EvaluatorPreview, 'id' | 'kind' | 'path'>;

/** How a kind of evaluator file becomes an evaluator. `preview` raises whatever `make` would, short of asking anybody. */
export interface FileKind<S> {
  schema: z.ZodMiniObject;
  preview: (said: S, context: PreviewContext) => KindPreview | Promise<KindPreview>;
  make: (said: S, context: FileContext) => Promise<Evaluator>;
}
