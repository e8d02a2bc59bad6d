import { inputError, usageError } from '../../base/errors';
import { say } from '../../base/say';
import { columnsLike, type FieldMap } from './fields';
import { questionAbout } from './question';
import type { Format, Found, Question, Sample } from '../format';

/** The first format that the beginning of a file fits, or what to ask the user. */
export function recognise(sample: Sample, candidates: readonly Format[]): Found | Question | undefined {
  for (const format of candidates) {
    const recognised = format.recognise(sample);
    if (recognised === undefined) continue;
    if ('ask' in recognised) return recognised;
    const question =
      format.isGeneral && candidates.length > 1 ? questionAbout(sample, recognised) : undefined;
    return question ?? { format, recognised, cluster: sample.naming.map.cluster };
  }
  return undefined;
}

export function answered(found: Found | Question | undefined, path: string): Found | undefined {
  if (found === undefined || 'format' in found) return found;
  throw inputError(found.ask, found.remedy, path);
}

export function checkMap(path: string, map: FieldMap | undefined, columns: readonly string[]): void {
  for (const [role, column] of Object.entries(map ?? {})) {
    if (columns.length > 0 && columnsLike(column, columns).length === 0)
      throw usageError(
        say('dataset.roleColumnMissing', column, role),
        say('dataset.listColumns', columns.join(', ')),
        path,
      );
  }
}
