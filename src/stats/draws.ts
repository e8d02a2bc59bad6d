import { Random } from '../base/random';
import { Xoshiro } from '../base/xoshiro';
import { normalQuantile } from './normal';

/** A seeded generator for millions of draws from several distributions. */
export class Draws extends Xoshiro {
  constructor(...parts: readonly (string | number)[]) {
    const seed = new Random('draws', ...parts);
    super(Uint32Array.from([0, 1, 2, 3], () => seed.bits()));
  }

  /** A uniform number in the open interval (0, 1). */
  uniform(): number {
    return ((this.bits() >>> 5) * 67108864 + (this.bits() >>> 6) + 0.5) / 9007199254740992;
  }

  /** A gamma variate with shape ≥ 1 and scale 1 (Marsaglia and Tsang). */
  gamma(shape: number): number {
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const z = normalQuantile(this.uniform());
      const root = 1 + c * z;
      if (root <= 0) continue;
      const v = root * root * root;
      if (Math.log(this.uniform()) < 0.5 * z * z + d - d * v + d * Math.log(v)) return d * v;
    }
  }

  /** A beta variate with both shapes ≥ 1. */
  beta(a: number, b: number): number {
    const x = this.gamma(a);
    return x / (x + this.gamma(b));
  }

  /** A binomial variate by Hörmann's BTRS, or by inversion for a small mean. `logFactorials` has ln 0! … ln n!. */
  binomial(n: number, p: number, logFactorials: Float64Array): number {
    if (n === 0 || p <= 0) return 0;
    if (p >= 1) return n;
    if (p > 0.5) return n - this.binomial(n, 1 - p, logFactorials);
    const q = 1 - p;
    if (n * p < 10) return this.binomialByInversion(n, p);
    const spread = Math.sqrt(n * p * q);
    const b = 1.15 + 2.53 * spread;
    const a = -0.0873 + 0.0248 * b + 0.01 * p;
    const centre = n * p + 0.5;
    const sure = 0.92 - 4.2 / b;
    const alpha = (2.83 + 5.1 / b) * spread;
    const mode = Math.floor((n + 1) * p);
    for (;;) {
      const u = this.uniform() - 0.5;
      const v = this.uniform();
      const edge = 0.5 - Math.abs(u);
      const k = Math.floor(((2 * a) / edge + b) * u + centre);
      if (edge >= 0.07 && v <= sure) return k;
      if (k < 0 || k > n) continue;
      const ratio =
        logFactorials[mode] +
        logFactorials[n - mode] -
        logFactorials[k] -
        logFactorials[n - k] +
        (k - mode) * Math.log(p / q);
      if (Math.log((v * alpha) / (a / (edge * edge) + b)) <= ratio) return k;
    }
  }

  private binomialByInversion(n: number, p: number): number {
    const odds = p / (1 - p);
    const start = Math.exp(n * Math.log1p(-p));
    for (;;) {
      let left = this.uniform();
      let density = start;
      for (let k = 0; k <= n; k++) {
        if (left < density) return k;
        left -= density;
        density *= ((n - k) / (k + 1)) * odds;
      }
    }
  }
}
