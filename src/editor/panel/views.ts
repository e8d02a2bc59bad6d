import type { Memento } from 'vscode';
import type { Words } from '../../base/say';
import { panelMemory, type PanelMemory } from '../../protocol/panel';

const mostViews = 50;
const viewsKey = 'captious.views';

/** What a panel shows when it opens. */
export interface Shown {
  /** The example to select, by its line in the dataset file or by a line of the report's table. */
  line?: number;
  index?: number;
  /** The evaluator and probe to select, if the panel shows several. */
  evaluator?: string;
  probe?: string;
  /** Whether to open the field in which the user can try another caption. */
  whatIf?: boolean;
  /** The index of the row to open, and sentences that the panel shows about its example. */
  explain?: { index: number; sentences: Words[] };
}

/** Identifies a panel by its runs or its report file. The panel's filters are not part of the key. */
export function keyOf({ run, compare }: PanelMemory): string {
  return JSON.stringify([run, compare]);
}

/** The stored views, latest first. Views in the format of another version of Captious are excluded. */
export function viewsIn(memento: Memento): PanelMemory[] {
  return memento.get<unknown[]>(viewsKey, []).flatMap((value) => {
    try {
      return [panelMemory(value, '')];
    } catch {
      return [];
    }
  });
}

export async function keepView(memento: Memento, memory: PanelMemory): Promise<void> {
  const others = viewsIn(memento).filter((kept) => keyOf(kept) !== keyOf(memory));
  await memento.update(viewsKey, [memory, ...others].slice(0, mostViews));
}

/** The stored view without its selected example, for a panel that selects another example. */
export function withoutExample({ view, ...memory }: PanelMemory): PanelMemory {
  if (view === undefined) return memory;
  return { ...memory, view: { ...view, index: undefined, whatIf: undefined } };
}
