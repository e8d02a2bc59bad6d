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

export type Wish = Pick<RuntimeOptions, 'resize'>;

/** The evaluator file's identity and path. */
export interface FileIdentity {
  path: string;
  /** The evaluator's id, equal to the file's name. */
  id: string;
  /** The name in the file, otherwise the id. */
  name: string;
  /** Resolves a folder or file relative to the evaluator file. */
  place: (path: string) => string;
  /** An error about a key of the file. */
  wrong: (key: string, message: Words, remedy?: Words) => CaptiousError;
}

export interface PreviewContext extends FileIdentity {
  /** Whether VS Code's language models are available. */
  insideEditor: boolean;
  /** Previews another evaluator by id, or by a path that begins with ./ or ../ relative to the file. */
  preview: (ref: string, wish?: Wish) => Promise<EvaluatorPreview>;
  /**
   * Previews a model folder by path or id. `regions` is the folder of region features, if the model needs
   * one.
   */
  previewFolder: (path: string, regions?: string, wish?: Wish) => Promise<EvaluatorPreview>;
}

export interface FileContext extends FileIdentity {
  open: (ref: string, wish?: Wish) => Promise<Evaluator>;
  openFolder: (path: string, regions?: string, wish?: Wish) => Promise<Evaluator>;
  openPython: (said: PythonSaid, own: { id: string; name?: string; path: string }) => Promise<Evaluator>;
  home: string;
  /** Looks up a key by name in the environment or the editor's secret storage. */
  secret: Secret;
  /**
   * Whether the editor asks for keys and stores them. If not, keys are in environment variables, which error
   * messages name.
   */
  storesKeys?: boolean;
  /** The language models of the editor, if there is one. */
  editor?: EditorModels;
  allow?: Allow;
  /** The reference captions, for evaluators that need them. Throws without references. */
  references: () => Promise<References>;
  /** Collects the requests of judges instead of sending them. */
  requests?: RequestSink;
  /** Receives messages about an evaluator's activity. */
  onNotice?: (message: string) => void;
}

/** A preview of the file's evaluator, without id, path and kind. */
export type KindPreview = Omit<EvaluatorPreview, 'id' | 'kind' | 'path'>;

/**
 * How a kind of evaluator file becomes an evaluator. `preview` throws the same errors as `make`, except
 * errors of the endpoint.
 */
export interface FileKind<S> {
  schema: z.ZodMiniObject;
  preview: (said: S, context: PreviewContext) => KindPreview | Promise<KindPreview>;
  make: (said: S, context: FileContext) => Promise<Evaluator>;
}
