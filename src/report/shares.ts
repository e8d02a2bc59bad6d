/* Reads what each row contributes to the metrics of a report, in the units in which reports are compared. */
import { eachOf, type Steps } from '../base/turns/steps';
import { reporting } from '../probe/list';
import { clusterOf, type Row } from '../probe/metric';
import type { ProbeBase, Share } from '../probe/probe';
import { type DefinedSpread } from '../probe/spread';
import { type Basis, isInScoreUnits } from './scale';
import { relativeId } from '../protocol/parts/spreads';

/** What each row contributes to a report's metrics, by the key of the row. */
export type RowShares = ReadonlyMap<string, OwnShares>;

export interface OwnShares {
  image: string;
  /** The caption of a row of several draws, whose rows say much the same. */
  caption?: string;
  shares: readonly Share[];
  /** Present only for probes with their own tests. */
  row?: Row;
}

/** How many rows are compared between two steps. */
export const rowsInStep = 1024;

export async function sharesByRow(id: string, rows: AsyncIterable<Row>): Promise<RowShares> {
  const probe = reporting(id);
  const keyOf = rowKeys(probe);
  const found = new Map<string, OwnShares>();
  for await (const row of rows)
    found.set(keyOf(row), {
      image: clusterOf(row),
      ...(row.seed === undefined ? {} : { caption: captionKey(probe, row) }),
      shares: probe.shares(row),
      ...(probe.pairedTests === undefined ? {} : { row }),
    });
  return found;
}

function captionKey({ rows }: Pick<ProbeBase, 'rows'>, row: Row): string {
  return JSON.stringify([row.example, rows.key?.(row) ?? null]);
}

/** Makes a function that returns a key for each row. A number tells otherwise equal keys apart. */
export function rowKeys({ rows }: Pick<ProbeBase, 'rows'>): (row: Row) => string {
  const seen = new Map<string, number>();
  return (row) => {
    const key = captionKey({ rows }, row);
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return `${before} ${key}`;
  };
}

/** Equal for shares of two reports that are compared. */
export function shareKey({ metric, variant = '' }: Share): string {
  return `${metric} ${variant}`;
}

/**
 * The shares of several reports on a common scale: shares in units of the score are divided by the spread of their
 * evaluator, or left out if a spread is missing. `all` has the order of the basis.
 */
export function* inBasis(probe: string, all: readonly RowShares[], basis: Basis): Steps<RowShares[]> {
  if (basis.kind === 'raw') return [...all];
  return yield* eachOf(all, function* (rows, i): Steps<RowShares> {
    const spread = basis.kind === 'relative' ? basis.spreads[i] : undefined;
    const found = new Map<string, OwnShares>();
    for (const [key, own] of rows) {
      if (found.size % rowsInStep === 0) yield;
      found.set(key, { ...own, shares: own.shares.flatMap((share) => scaled(probe, share, spread)) });
    }
    return found;
  });
}

function scaled(probe: string, share: Share, spread: DefinedSpread | undefined): Share[] {
  if (!isInScoreUnits(probe, share.metric)) return [share];
  if (spread === undefined) return [];
  return [{ ...share, metric: relativeId(share.metric), value: share.value / spread.value }];
}
