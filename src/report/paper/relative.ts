/* Adds columns in units of each evaluator's spread to tables whose evaluators have different scales. */
import { english } from '../../base/english';
import { say } from '../../base/say';
import { withRelative } from '../../probe/spread';
import { viewFor } from '../../probe/views';
import { basisOf, isInScoreUnits } from '../scale';
import type { Entry } from './entry';
import { cellOf, type Column, isNumber, type Block } from './table';
import { relativeId } from '../../protocol/parts/spreads';

/**
 * The blocks with a relative column after each compared column in units of the score. Only the relative columns are
 * compared. The blocks are unchanged if all evaluators have the same scale.
 */
export function withRelativeColumns(
  blocks: readonly Block[],
  evaluators: readonly string[],
): { blocks: readonly Block[]; notes: string[] } {
  const ofBlock = blocks.map(({ entryOf }) => evaluators.flatMap((name) => entryOf(name) ?? []));
  const bases = ofBlock.map((entries) =>
    entries.length === 0 ? undefined : basisOf(entries.map(({ report }) => report)),
  );
  if (bases.every((basis) => basis === undefined || basis.kind === 'raw')) return { blocks, notes: [] };
  const isOwn = (column: Column, own: readonly Entry[]): boolean =>
    own.some(({ report }) => isInScoreUnits(report.probe, column.metric));
  const all = ofBlock.flat();
  if (!blocks.some(({ columns }) => columns.some((column) => isOwn(column, all))))
    return { blocks, notes: [] };
  const hasValues = (column: Column): boolean =>
    blocks.some(({ entryOf }) => evaluators.some((name) => isNumber(cellOf(entryOf(name), column))));
  let added = false;
  const made = blocks.map((block) => ({
    ...block,
    columns: block.columns.flatMap((column): Column[] => {
      if (!isOwn(column, all)) return [column];
      const { better, ...raw } = column;
      const relative: Column = {
        ...column,
        head: relativeHead(column.head),
        metric: relativeId(column.metric),
        digits: 2,
      };
      const { find } = column;
      // A metric that the layout computes has no relative form in the report.
      if (find !== undefined)
        relative.find = (entry) => {
          const metric = find(entry);
          const { probe, spread } = entry.report;
          return metric && withRelative(viewFor(probe), [metric], spread).at(1);
        };
      if (better === undefined || !hasValues(relative)) return [raw];
      added = true;
      return [raw, relative];
    }),
  }));
  const none = bases.find((basis) => basis?.kind === 'none');
  return {
    blocks: made,
    notes: [
      'The evaluators have different scales, so values in units of a score are not compared.',
      ...(added
        ? [
            'SD: an evaluator’s spread, the standard deviation of its scores over mismatched pairs (an image and another image’s caption). Values divided by SD can be compared.',
          ]
        : []),
      ...(none?.kind === 'none' ? [english(say('base.joinedParts', none.why, none.remedy))] : []),
    ],
  };
}

/** "E_inv ↓" becomes "E_inv / SD ↓". */
function relativeHead(head: string): string {
  const arrow = / [↓↑]$/.exec(head)?.[0] ?? '';
  return `${head.slice(0, head.length - arrow.length)} / SD${arrow}`;
}
