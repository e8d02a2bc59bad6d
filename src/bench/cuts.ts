import type { Evaluator } from '../evaluator/evaluator';
import { KeySet } from './keySet';

/** Bytes of a key by which a set of keys knows it. */
const localized = 8;

/** Which texts evaluators had to cut, by the texts' keys. */
export class Cuts {
  private readonly keys = new Map<Evaluator, KeySet>();
  private readonly untold = new Map<Evaluator, Buffer[]>();

  count(evaluator: Evaluator): number {
    return this.keys.get(evaluator)?.size ?? 0;
  }

  note(evaluator: Evaluator, key: Buffer): void {
    if (!this.of(evaluator).add(key)) return;
    const name = key.subarray(0, localized);
    const untold = this.untold.get(evaluator);
    if (untold === undefined) this.untold.set(evaluator, [name]);
    else untold.push(name);
  }

  /** Those noted since the last time, one after the other, in base 64. */
  take(evaluator: Evaluator): string {
    const keys = Buffer.concat(this.untold.get(evaluator) ?? []);
    this.untold.delete(evaluator);
    return keys.toString('base64');
  }

  /** What was taken in a former run. */
  recall(evaluator: Evaluator, taken: string): void {
    const names = Buffer.from(taken, 'base64');
    const keys = this.of(evaluator);
    for (let at = 0; at + localized <= names.length; at += localized) keys.add(names, at);
  }

  private of(evaluator: Evaluator): KeySet {
    let keys = this.keys.get(evaluator);
    if (keys === undefined) this.keys.set(evaluator, (keys = new KeySet()));
    return keys;
  }
}
