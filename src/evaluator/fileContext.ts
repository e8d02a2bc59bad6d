import type * as z from 'zod/mini';
import type { CaptiousError } from '../base/errors';
import { type Words } from '../base/say';
import type { Allow, Evaluator, EvaluatorPreview } from './evaluator';
import type { RuntimeOptions } from './model/runtime';
import type { References } from './overlap/references';
import type { PythonSaid } from './python/reference';
import type { RequestSink } from './judge/batch/batchModel';
import type { EditorModels } from './judge/editorModels';

/** Looks up a key by its name. */
export type Secret = (name: string) => string | undefined | Promise<string | undefined>;

/** Options for opening the evaluators that a file names. */
export type Wish = Pick<RuntimeOptions, 'resize'>;

/** The evaluator file's identity and path. */
export interface FileIdentity {
  path: string;
  /** The evaluator's id, which is the file's name. */
  id: string;
  /** The name in the file, or else the id. */
  name: string;
  /** Resolves a folder or file relative to the evaluator file. */
  place: (path: string) => string;
  /** An error that names this file and one of its keys. */
  wrong: (key: string, message: Words, remedy?: Words) => CaptiousError;
}

export interface PreviewContext extends FileIdentity {
  /** Whether the language models of VS Code will be available. */
  insideEditor: boolean;
  /**
   * Previews another evaluator by its id, or by a path that begins with ./ or ../ and is relative to this
   * file.
   */
  preview: (ref: string, wish?: Wish) => Promise<EvaluatorPreview>;
  /**
   * Previews a model folder by path or id. `regions` is the folder of region features, for a model that needs
   * one.
   */
  previewFolder: (path: string, regions?: string, wish?: Wish) => Promise<EvaluatorPreview>;
}

export interface FileContext extends FileIdentity {
  open: (ref: string, wish?: Wish) => Promise<Evaluator>;
  openFolder: (path: string, regions?: string, wish?: Wish) => Promise<Evaluator>;
  openPython: (said: PythonSaid, own: { id: string; name?: string; path: string }) => Promise<Evaluator>;
  home: string;
  /** Looks up a key by its name, in the environment or the editor's secret storage. */
  secret: Secret;
  /** The language models of the editor, if there is one. */
  editor?: EditorModels;
  allow?: Allow;
  /** The reference captions, for an evaluator that compares with them. Throws without references. */
  references: () => Promise<References>;
  /** If set, collects the requests of judges at endpoints instead of sending them. */
  requests?: RequestSink;
  /** Receives messages about what an evaluator is doing. */
  onNotice?: (message: string) => void;
}

/** A preview of the evaluator in the file, without its id, path and kind. */
export type KindPreview = Omit<EvaluatorPreview, 'id' | 'kind' | 'path'>;

/**
 * How a kind of evaluator file becomes an evaluator. `preview` throws the errors that `make` throws, except
 * errors of the endpoint.
 */
export interface FileKind<S> {
  schema: z.ZodMiniObject;
  preview: (said: S, context: PreviewContext) => KindPreview | Promise<KindPreview>;
  make: (said: S, context: FileContext) => Promise<Evaluator>;
}
