/* Simulates how often intervals of item response models have the planted parameters, with as few evaluators as are usual. */
import { atOnce } from '../src/base/turns/steps';
import { Draws } from '../src/stats/draws';
import { itemResponse } from '../src/stats/irt/itemResponse';
import { logistic } from '../src/stats/irt/patterns';
import { normalQuantile } from '../src/stats/normal';
import { mean, standardDeviation } from '../src/stats/summary';

const runs = Number(process.argv[2] ?? 30);
const items = 500;
const evaluators = 12;

console.log('| model | ability | difficulty | discrimination |');
console.log('| ----- | ------: | ---------: | -------------: |');
for (const discrimination of ['common', 'own'] as const) {
  const covered: Record<'ability' | 'difficulty' | 'discrimination', number[]> = {
    ...{ ability: [], difficulty: [], discrimination: [] },
  };
  for (let run = 0; run < runs; run++) {
    const draws = new Draws('item response', run);
    const normals = (n: number): Float64Array =>
      Float64Array.from({ length: n }, () => normalQuantile(draws.uniform()));
    const abilities = normals(evaluators);
    const difficulties = normals(items);
    const slopes = normals(items).map((x) => 1.2 * (discrimination === 'own' ? Math.exp(0.4 * x) : 1));
    const credits = Array.from(abilities, (ability) =>
      difficulties.map((own, i) => (draws.uniform() < logistic(slopes[i] * (ability - own)) ? 1 : 0)),
    );
    const fit = atOnce(itemResponse({ credits, options: new Uint8Array(items).fill(2) }, { discrimination }));
    // The model's abilities have mean 0 and variance 1.
    const [centre, scale] = [mean(abilities), standardDeviation(abilities, 0)];
    const planted = {
      ability: abilities.map((own) => (own - centre) / scale),
      difficulty: difficulties.map((own) => (own - centre) / scale),
      discrimination: slopes.map((own) => own * scale),
    };
    for (const key of ['ability', 'difficulty', 'discrimination'] as const)
      for (const [i, own] of planted[key].entries())
        covered[key].push(Math.abs(own - fit[key][i]) < 1.96 * fit[`${key}Error`][i] ? 1 : 0);
  }
  const cells = (['ability', 'difficulty', 'discrimination'] as const).map((key) =>
    mean(covered[key]).toFixed(3),
  );
  console.log(`| ${[discrimination, ...cells].join(' | ')} |`);
}
