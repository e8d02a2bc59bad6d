import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { largest } from '../../../../src/base/extent';
import { atOnce } from '../../../../src/base/turns/steps';
import { Draws } from '../../../../src/stats/draws';
import { hermite } from '../../../../src/stats/irt/hermite';
import { itemResponse } from '../../../../src/stats/irt/itemResponse';
import { logistic } from '../../../../src/stats/irt/patterns';
import { normalQuantile } from '../../../../src/stats/normal';
import { mean } from '../../../../src/stats/summary';

interface Parameters {
  discrimination: number[];
  difficulty: number[];
}

interface Case extends Parameters {
  model: 'common' | 'own';
  answers: string[];
  planted: Parameters;
}

const { cases } = JSON.parse(readFileSync(join(__dirname, '../../../oracle/irt/expected.json'), 'utf8')) as {
  cases: Case[];
};

function creditsOf(answers: readonly string[]): Float64Array[] {
  return Array.from(answers[0], (_, e) => Float64Array.from(answers, (own) => Number(own[e])));
}

describe('item response models', () => {
  for (const { model, answers, planted, ...girth } of cases) {
    const fit = atOnce(
      itemResponse(
        { credits: creditsOf(answers), options: answers.map(() => 2) },
        { discrimination: model, priors: false },
      ),
    );
    const name = `${answers.length} items with ${model === 'own' ? 'their own' : 'a common'} discrimination`;

    it(`has the parameters of girth for ${name}`, () => {
      assert.ok(fit.isConverged);
      for (const key of ['discrimination', 'difficulty'] as const)
        for (const [i, value] of girth[key].entries())
          assert.ok(Math.abs(value - fit[key][i]) < 0.15 * fit[`${key}Error`][i], `${key} ${i}: ${value}`);
    });

    it(`finds the planted parameters within their errors for ${name}`, () => {
      const apart = (['discrimination', 'difficulty'] as const).flatMap((key) =>
        planted[key].map((value, i) => Math.abs(value - fit[key][i]) / fit[`${key}Error`][i]),
      );
      assert.ok(largest(apart) < 3.5, `${largest(apart)}`);
      assert.ok(mean(apart.map((own) => (own < 1.96 ? 1 : 0))) > 0.85, apart.join());
    });
  }

  it('orders twelve evaluators on a thousand items, and says which items tell them apart', () => {
    const draws = new Draws('irt test');
    const items = Array.from({ length: 1000 }, (_, i) => ({
      difficulty: normalQuantile(draws.uniform()),
      slope: i % 2 === 0 ? 0.4 : 2,
    }));
    const abilities = Array.from({ length: 12 }, (_, e) => -1.5 + (3 * e) / 11);
    const credits = abilities.map((ability) =>
      Float64Array.from(items, ({ slope, difficulty }) =>
        draws.uniform() < logistic(slope * (ability - difficulty)) ? 1 : 0,
      ),
    );
    const fit = atOnce(itemResponse({ credits, options: items.map(() => 2) }, { discrimination: 'own' }));
    assert.ok(fit.isConverged);
    const scale = Math.sqrt(mean(abilities.map((own) => own ** 2)));
    for (const [e, own] of fit.ability.entries())
      assert.ok(Math.abs(own - abilities[e] / scale) < 0.25, `${e}: ${own}`);
    const slopes = [0, 1].map((odd) => mean(fit.discrimination.filter((_, i) => i % 2 === odd)));
    assert.ok(slopes[1] > 1.35 * slopes[0], slopes.join());
  });

  it('gives items that all evaluators answer alike finite parameters, and leaves out what is missing', () => {
    const credits = [
      [1, 0, 1, 1, 0, 1],
      [1, 0, 0, 1, NaN, 0],
      [1, 0, 0, 0, 1, 0],
      [1, 0, NaN, 1, 1, 0.5],
    ].map((own) => Float64Array.from(own));
    const fit = atOnce(itemResponse({ credits, options: [2, 2, 2, 2, 2, 2] }, { discrimination: 'common' }));
    for (const values of [fit.difficulty, fit.difficultyError, fit.ability, fit.abilityError])
      assert.ok(values.every(Number.isFinite), values.join());
    assert.ok(fit.difficulty[0] < fit.difficulty[3] && fit.difficulty[3] < fit.difficulty[1]);
  });

  it('integrates polynomials over a normal distribution exactly', () => {
    const { nodes, weights } = hermite(21);
    const moment = (power: number): number => nodes.reduce((sum, x, q) => sum + weights[q] * x ** power, 0);
    for (const [power, value] of [
      [0, 1],
      [1, 0],
      [2, 1],
      [4, 3],
      [6, 15],
      [8, 105],
    ])
      assert.ok(Math.abs(moment(power) - value) < 1e-11 * Math.max(1, value), `${power}`);
    assert.equal(hermite(1).nodes[0], 0);
    assert.ok(Math.abs(hermite(1).weights[0] - 1) < 1e-15);
  });
});
