import { addTo, valueIn } from '../base/lists';
import type { Evaluator } from '../evaluator/evaluator';
import { KeySet } from './keySet';

/** The number of leading bytes that identify a key in a set. */
const nameBytes = 8;

/** Counts the texts that exceeded an evaluator's token limit. Texts with the same key count once. */
export class Cuts {
  private readonly keys = new Map<Evaluator, KeySet>();
  private readonly added = new Map<Evaluator, Buffer[]>();

  count(evaluator: Evaluator): number {
    return this.keys.get(evaluator)?.size ?? 0;
  }

  forget(evaluator: Evaluator): void {
    this.keys.delete(evaluator);
    this.added.delete(evaluator);
  }

  note(evaluator: Evaluator, key: Buffer): void {
    if (!this.of(evaluator).add(key)) return;
    const name = key.subarray(0, nameBytes);
    addTo(this.added, evaluator, name);
  }

  /** The leading bytes of the keys added since the last call, concatenated, in Base64. */
  take(evaluator: Evaluator): string {
    const keys = Buffer.concat(this.added.get(evaluator) ?? []);
    this.added.delete(evaluator);
    return keys.toString('base64');
  }

  /** Restores the keys that `take` returned in an earlier run. */
  recall(evaluator: Evaluator, taken: string): void {
    const names = Buffer.from(taken, 'base64');
    const keys = this.of(evaluator);
    for (let at = 0; at + nameBytes <= names.length; at += nameBytes) keys.add(names, at);
  }

  private of(evaluator: Evaluator): KeySet {
    return valueIn(this.keys, evaluator, () => new KeySet());
  }
}
