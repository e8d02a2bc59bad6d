import { type FieldMap, type FieldRole, fieldRoles, Naming, plainName, usualNames } from './fields';

/** A column name that is probably a misspelling of `meant`. */
export interface NearName {
  column: string;
  meant: string;
  role: FieldRole;
}

/** Finds column names that are probably misspelt. Considers only roles that have no column with a usual name. */
export function nearNames(columns: readonly string[]): NearName[] {
  const naming = new Naming(columns);
  const missing = fieldRoles.filter((role) => naming.column(role) === undefined);
  const known = new Set(Object.values(usualNames).flat());
  return columns.flatMap((column) => {
    const plain = plainName(column);
    if (known.has(plain)) return [];
    const found = missing.flatMap((role) =>
      usualNames[role].filter((name) => isNear(plain, name)).map((meant) => ({ column, meant, role })),
    );
    return found.slice(0, 1);
  });
}

export function asMap(near: readonly NearName[]): FieldMap {
  return Object.fromEntries(near.map(({ role, column }) => [role, column]));
}

/**
 * Whether the names differ by one letter (added, removed, changed or swapped), or by two in long names. Short
 * names never match, because chance matches would be frequent.
 */
export function isNear(a: string, b: string): boolean {
  const allowed = b.length >= 9 ? 2 : b.length >= 5 ? 1 : 0;
  if (a === b || Math.abs(a.length - b.length) > allowed) return false;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, before[j - 2] + 1);
      row.push(cost);
    }
    before = last;
    last = row;
  }
  return last[b.length] <= allowed;
}
