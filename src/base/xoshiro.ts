/** The random number generator xoshiro128**. If all four words of the state are zero, the first becomes 1. */
export class Xoshiro {
  constructor(private readonly state: Uint32Array) {
    if (state.every((word) => word === 0)) state[0] = 1;
  }

  /** Returns 32 random bits as a non-negative integer. */
  bits(): number {
    const s = this.state;
    const scaled = Math.imul(s[1], 5);
    const result = Math.imul((scaled << 7) | (scaled >>> 25), 9) >>> 0;
    const shifted = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = (s[3] << 11) | (s[3] >>> 21);
    return result;
  }

  /** Fills `out` with uniform integers in [0, n). Local variables hold the state for speed. */
  indices(out: Uint16Array | Uint32Array, n: number): void {
    const width = Math.floor(4294967296 / n);
    const limit = width * n;
    const s = this.state;
    let [a, b, c, d] = [s[0] | 0, s[1] | 0, s[2] | 0, s[3] | 0];
    for (let i = 0; i < out.length;) {
      const scaled = Math.imul(b, 5);
      const word = Math.imul((scaled << 7) | (scaled >>> 25), 9) >>> 0;
      const shifted = b << 9;
      c ^= a;
      d ^= b;
      b ^= c;
      a ^= d;
      c ^= shifted;
      d = (d << 11) | (d >>> 21);
      if (word < limit) out[i++] = word / width;
    }
    s[0] = a;
    s[1] = b;
    s[2] = c;
    s[3] = d;
  }
}
