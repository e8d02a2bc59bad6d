/** The result of one item of a batch: its value, or why there is none. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; problem: string };
