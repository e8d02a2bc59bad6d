import type { Memento } from 'vscode';
import { panelMemory, type PanelMemory } from '../../protocol/panel';

/** The most views of closed panels to keep. */
const mostViews = 50;
const viewsKey = 'captious.views';

/** Identifies a panel by its runs, without filters. */
export function keyOf({ run, compare }: PanelMemory): string {
  return JSON.stringify([run, compare]);
}

/** The kept views, latest first. Views that another version of Captious saved in another form are dropped. */
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

/** The stored view without its example, for a panel that opens another example. */
export function withoutExample({ view, ...memory }: PanelMemory): PanelMemory {
  if (view === undefined) return memory;
  return { ...memory, view: { ...view, index: undefined, whatIf: undefined } };
}
