/* Chooses round numbers for an axis. */

export interface Ticks {
  values: readonly number[];
  text: (value: number) => string;
}

/** Round numbers between `low` and `high`: roughly `about` values, written with equally many decimals. */
export function ticksOf(low: number, high: number, about = 5): Ticks {
  const rough = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((part) => part * power >= rough * 0.999) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  const values = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
  const digits = values.map((value) => String(value).split('.').at(1)?.length ?? 0);
  const most = Math.min(
    8,
    digits.reduce((a, b) => Math.max(a, b), 0),
  );
  return { values, text: (value) => value.toFixed(most).replace('-', '−') };
}

/** Extends a range to round numbers. */
export function roundedOut([low, high]: readonly [number, number]): [number, number] {
  if (low === high) {
    const pad = Math.abs(high) * 0.1 || 1;
    return [low - pad, high + pad];
  }
  const { values } = ticksOf(low, high);
  const step = values.length > 1 ? values[1] - values[0] : high - low;
  const round = (value: number) => Number(value.toPrecision(12));
  return [round(Math.floor(low / step + 1e-9) * step), round(Math.ceil(high / step - 1e-9) * step)];
}
