import type { FieldMap } from '../../dataset/fields/fields';

/** A dataset file, and how to read it. */
export interface DatasetRequest {
  dataset: string;
  /** Folders to search for images before the usual folders. */
  images?: readonly string[];
  map?: FieldMap;
  limit?: number;
  seed?: number;
  /** How many draws of the variants to make, with consecutive seeds. The default depends on the dataset. */
  draws?: number;
  signal: AbortSignal;
}
