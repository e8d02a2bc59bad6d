/** Makes the same inputs as test/oracle/stats/inputs.py, bit for bit. */

const kinds = [
  'bell',
  'uniform',
  'ties',
  'binary',
  'skewed',
  'heavy',
  'huge',
  'tiny',
  'offset',
  'constant',
  'zeros',
  'integers',
] as const;
const sizes = [1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 20, 31, 50, 51, 77, 120, 300, 1000, 5000];

export const cases = kinds.length * sizes.length;

type Kind = (typeof kinds)[number];

function scrambled(seed: number): number {
  let z = seed >>> 0;
  z = Math.imul(z ^ (z >>> 16), 2246822507);
  z = Math.imul(z ^ (z >>> 13), 3266489909);
  return (z ^ (z >>> 16)) >>> 0;
}

export class Stream {
  private state: number;

  constructor(seed: number) {
    this.state = scrambled(scrambled(seed) + 12345);
  }

  uniform(): number {
    this.state = (this.state + 2654435769) >>> 0;
    return scrambled(this.state) / 4294967296;
  }

  below(n: number): number {
    return Math.floor(this.uniform() * n);
  }

  bell(): number {
    let total = 0;
    for (let i = 0; i < 12; i++) total += this.uniform();
    return total - 6;
  }
}

export function caseOf(index: number): { kind: Kind; n: number } {
  return { kind: kinds[index % kinds.length], n: sizes[Math.floor(index / kinds.length)] };
}

function drawOne(stream: Stream, kind: Kind, level: number): number {
  switch (kind) {
    case 'bell':
      return stream.bell() + level;
    case 'uniform':
      return stream.uniform();
    case 'ties':
      return stream.below(5) - 1;
    case 'binary':
      return stream.below(2);
    case 'skewed': {
      const u = stream.uniform();
      return u * u * u * u;
    }
    case 'heavy':
      return stream.bell() / (stream.uniform() + 0.001);
    case 'huge':
      return (stream.bell() + level) * 1e60;
    case 'tiny':
      return (stream.bell() + level) * 1e-60;
    case 'offset':
      return 1e6 + stream.bell();
    case 'constant':
      return level;
    case 'zeros': {
      // As in Python, the value is drawn only if the condition is true.
      return stream.uniform() < 0.6 ? stream.bell() : 0;
    }
    case 'integers':
      return stream.below(2001) - 1000;
  }
}

function draw(stream: Stream, kind: Kind, n: number): Float64Array {
  const level = stream.uniform() * 2 - 1;
  return Float64Array.from({ length: n }, () => drawOne(stream, kind, level));
}

export function values(index: number): Float64Array {
  const { kind, n } = caseOf(index);
  return draw(new Stream(index + 1), kind, n);
}

export function partner(index: number): Float64Array {
  const { kind, n } = caseOf(index);
  const first = values(index);
  const other = draw(new Stream(index + 100001), kind, n);
  if (kind === 'ties' || kind === 'binary' || kind === 'integers') {
    const stream = new Stream(index + 200001);
    return first.map((value, i) => (stream.uniform() < 0.4 ? value : other[i]));
  }
  return first.map((value, i) => value * 0.5 + other[i] * 0.5);
}

export function groups(index: number): Float64Array[] {
  const { kind, n } = caseOf(index);
  const stream = new Stream(index + 300001);
  const most = Math.min(n, 1000);
  const count = 2 + stream.below(4);
  return Array.from({ length: count }, (_, g) =>
    draw(new Stream(index * 7 + g + 400001), kind, g === 0 ? most : 1 + stream.below(most)),
  );
}

export function clusters(index: number): Uint32Array {
  const { n } = caseOf(index);
  const stream = new Stream(index + 500001);
  const count = 1 + stream.below(Math.max(1, Math.floor(n / 2)));
  return Uint32Array.from({ length: n }, () => stream.below(count));
}

export function mixed(index: number): { response: number[]; fixed: number[][]; random: number[][] } {
  const stream = new Stream(index + 910001);
  const n = [12, 20, 30, 45][index % 4];
  const scale = [1, 1, 1e6, 1e-6][Math.floor(index / 4) % 4];
  const first = [0, 0.3, 1, 3][Math.floor(index / 16) % 4];
  const second = [0, 0.5, 2][Math.floor(index / 64) % 3];
  const levels = [3 + stream.below(6), 2 + stream.below(4)];
  const list = (length: number, of: () => number): number[] => Array.from({ length }, of);
  const effects = [
    list(levels[0], () => first * stream.bell()),
    list(levels[1], () => second * stream.bell()),
  ];
  const a = list(n, () => stream.below(levels[0]));
  const b = list(n, () => stream.below(levels[1]));
  const x = list(n, () => stream.bell());
  const group = list(n, () => stream.below(2));
  const noise = list(n, () => stream.bell());
  const response = x.map(
    (v, i) => (2 + 0.5 * v + effects[0][a[i]] + effects[1][b[i]] + 0.7 * noise[i]) * scale,
  );
  return { response, fixed: [list(n, () => 1), x, group].slice(0, 1 + (index % 3)), random: [a, b] };
}
