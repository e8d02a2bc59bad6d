/** Saves what a person says of a table line, and answers what all say of the lines of its row. */
import { existsSync } from 'node:fs';
import type { AskOf, CallContext } from '../../base/calls';
import { replaceFile } from '../../base/files/writeFile';
import { saidElsewhere } from '../../mining/rules';
import type { LgipRow } from '../../probe/lgip/row';
import type { Picked } from '../../protocol/judgement';
import type { JudgedLine } from '../../protocol/parts/judged';
import type { Sampled } from '../../protocol/sampled';
import type { readerRequests } from '../../protocol/service';
import { readReport } from '../../report/report';
import { answersFor, picksOf } from '../../sessions/picked';
import type { Shelf } from '../rows/shelf';
import { itemsOf } from './items';
import { judgmentsOf, judgmentsPath, newSession, pickedProbe, sessionAt } from './files';

type Ask = Pick<AskOf<typeof readerRequests, 'judge'>, 'report' | 'index' | 'pick' | 'judge'>;

/** The last change. Changes run one after another, because each rewrites its whole file. */
let last: Promise<unknown> = Promise.resolve();

export async function judgeLine(
  { report: path, index, pick, judge }: Ask,
  shelf: Pick<Shelf, 'rowOf'>,
  context: Partial<CallContext> = {},
): Promise<JudgedLine[] | null> {
  const report = await readReport(path);
  const probe = pickedProbe(report);
  const { row, first, near } = await shelf.rowOf(path, index, context);
  const items = probe === undefined ? [] : itemsOf(probe, row);
  if (probe === undefined || items.length === 0) return null;
  if (pick !== undefined && judge !== undefined) {
    const change = last.then(() =>
      save(judgmentsPath(path, report, judge), items[index - first], pick === 'open' ? null : pick),
    );
    last = change.catch(() => undefined);
    await change;
  }
  const picks = (await judgmentsOf(path, report)).map((file) => ({
    judge: file.session.annotator,
    of: picksOf(file, probe),
  }));
  return items.map((item, sub): JudgedLine => {
    const votes = picks.flatMap(({ judge: name, of }) => {
      const picked = of.get(item.id);
      return picked === undefined ? [] : [{ judge: name, picked }];
    });
    const own = votes.find((vote) => vote.judge === judge)?.picked;
    const perhaps = probe === 'lgip' ? perhapsTrue(row as LgipRow, sub, near as LgipRow[]) : undefined;
    return {
      index: first + sub,
      votes,
      ...(own === undefined ? {} : { own }),
      ...(perhaps === undefined ? {} : { perhaps }),
    };
  });

  async function save(file: string, item: Sampled, picked: Picked | null): Promise<void> {
    const session = existsSync(file)
      ? (await sessionAt(file)).session
      : newSession(path, report, probe!, judge!);
    session.pick(item, picked === null ? null : answersFor(probe!, item, picked));
    await replaceFile(file, session.toString());
  }
}

/** A wrong or tied flip may be true if another caption of the image says its new word. */
function perhapsTrue(row: LgipRow, sub: number, near: readonly LgipRow[]): JudgedLine['perhaps'] {
  const { gap, text, span } = row.variants[sub];
  if (gap === undefined || gap > 0) return undefined;
  const others = near.filter(({ example, image }) => example === row.example || image === row.image);
  // A flip of a rewording has further new words, which do not make it wrong.
  return saidElsewhere(
    row.text,
    text.slice(...span),
    others.map((other) => other.text),
  );
}
