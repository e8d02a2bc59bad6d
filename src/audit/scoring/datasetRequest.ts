import type { FieldMap } from '../../dataset/fields/fields';

/** A dataset file, and how to read it. */
export interface DatasetRequest {
  dataset: string;
  /** Folders to search for images before the usual folders. */
  images?: readonly string[];
  map?: FieldMap;
  limit?: number;
  seed?: number;
  signal: AbortSignal;
}
