import type { Evaluator } from '../evaluator/evaluator';
import { KeySet } from './keySet';

/** Bytes of a key by which a set of keys knows it. */
const told = 8;

/** Which texts evaluators had to cut, by the texts' keys. */
export class Cuts {
  private readonly keys = new Map<Evaluator, KeySet>();
  private readonly untold = new Map<Evaluator, string[]>();

  count(evaluator: Evaluator): number {
    return this.keys.get(evaluator)?.size ?? 0;
  }

  note(evaluator: Evaluator, key: Buffer): void {
    let keys = this.keys.get(evaluator);
    if (keys === undefined) this.keys.set(evaluator, (keys = new KeySet()));
    if (!keys.add(key)) return;
    const name = key.toString('hex', 0, told);
    const untold = this.untold.get(evaluator);
    if (untold === undefined) this.untold.set(evaluator, [name]);
    else untold.push(name);
  }

  /** Those noted since the last time, in hex. */
  take(evaluator: Evaluator): string[] {
    const keys = this.untold.get(evaluator) ?? [];
    this.untold.delete(evaluator);
    return keys;
  }

  /** What was taken in a former run. */
  recall(evaluator: Evaluator, keys: readonly string[]): void {
    for (const key of keys) this.note(evaluator, Buffer.from(key, 'hex'));
    this.untold.delete(evaluator);
  }
}
