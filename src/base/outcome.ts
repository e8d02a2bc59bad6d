/** The result of one item of a batch: its value or its problem. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; problem: string };
