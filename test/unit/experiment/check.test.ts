import assert from 'node:assert/strict';
import { CaptiousError } from '../../../src/base/errors';
import { say } from '../../../src/base/say';
import { checkExperiment } from '../../../src/experiment/check';

const whole = { datasets: ['a.json'], probes: ['lgip'], evaluators: ['starter'], out: 'reports' };

function errorOf(text: string, path = 'captious.json'): CaptiousError {
  try {
    checkExperiment(text, path);
  } catch (error) {
    assert.ok(error instanceof CaptiousError, String(error));
    return error;
  }
  return assert.fail('The file was accepted.');
}

/** The place of the error about a file with some other keys, one key a line. */
function placeOf(keys: object): { at?: string; remedy?: string } {
  const lines = Object.entries({ ...whole, ...keys }).map(
    ([key, value]) => `"${key}": ${JSON.stringify(value)}`,
  );
  const { at, remedy } = errorOf(`{\n${lines.join(',\n')}\n}`);
  return { at, remedy };
}

describe('the check of an experiment file', () => {
  it('accepts the smallest file, comments, trailing commas and YAML', () => {
    const { experiment } = checkExperiment(JSON.stringify(whole), 'captious.json');
    assert.deepEqual({ ...experiment }, whole);
    const commented = `\ufeff{ // a comment\n "datasets": ["a.json"], /* b */ "probes": ["lgip"],\n "evaluators": ["starter"], "out": "reports", }`;
    assert.deepEqual({ ...checkExperiment(commented, 'captious.json').experiment }, whole);
    const yaml = 'datasets: [a.json]\nprobes:\n  - lgip # a comment\nevaluators: [starter]\nout: reports\n';
    assert.deepEqual(checkExperiment(yaml, 'captious.yaml').experiment, whole);
  });

  it('accepts objects for datasets, probes and evaluators, and named runs', () => {
    checkExperiment(
      JSON.stringify({
        ...whole,
        datasets: [{ path: 'a.json', name: 'a', limit: 5, images: ['x'], map: { image: 'photo' } }],
        probes: [{ id: 'lgip', options: { asInPaper: true } }],
        evaluators: [{ kind: 'clipscore', name: 'mine', encoder: 'starter', weight: 2 }],
        seeds: [1, 2],
        thresholds: { failOn: 'lgip.pr < 0.5', allowLost: 2 },
        outputs: ['csv', 'tex'],
        runs: { quick: { limit: 3 } },
      }),
      'captious.json',
    );
  });

  it('names the place of a run whose name is not possible', () => {
    for (const name of ['../x', 'a/b', '-x', '']) {
      const text = `{"datasets":["a"],"probes":["lgip"],"evaluators":["b"],"out":"r",\n"runs":{${JSON.stringify(name)}:{"limit":3}}}`;
      const { what, at } = errorOf(text);
      assert.deepEqual(
        [what, at],
        [
          say('experiment.wrongName', name, 'a name without slashes that does not begin with -'),
          'captious.json:2:9',
        ],
      );
    }
  });

  it('names the place of an unknown key, and the nearest key', () => {
    assert.match(placeOf({ seedz: [1] }).remedy!, /\bseeds\b/);
    assert.equal(placeOf({ seedz: [1] }).at, 'captious.json:6:1');
    const dataset = placeOf({ datasets: [{ paht: 'a.json' }] });
    assert.equal(dataset.at, 'captious.json:2:15');
    assert.match(dataset.remedy!, /\bpath\?/);
    assert.match(placeOf({ probes: [{ id: 'lgip', options: { asInPapr: true } }] }).remedy!, /\basInPaper\?/);
    const evaluator = { kind: 'clipscore', name: 'a', encodr: 'starter' };
    assert.match(placeOf({ evaluators: [evaluator] }).remedy!, /\bencoder\?/);
    assert.match(placeOf({ runs: { quick: { limt: 3 } } }).remedy!, /\blimit\?/);
    assert.match(placeOf({ runs: { quick: { thresholds: { failOnn: '' } } } }).remedy!, /\bfailOn\?/);
  });

  it('names the place of a wrong value', () => {
    assert.equal(placeOf({ probes: ['lgip', 'vilsa'] }).at, 'captious.json:3:19');
    assert.match(placeOf({ probes: ['lgip', 'vilsa'] }).remedy!, /\bvisla\?/);
    assert.equal(
      placeOf({ probes: [{ id: 'lgip', options: { mostFlips: 'many' } }] }).at?.slice(0, 15),
      'captious.json:3',
    );
    assert.match(placeOf({ evaluators: [{ kind: 'clipscor', name: 'a' }] }).remedy!, /\bclipscore\?/);
    for (const [key, value] of Object.entries({
      ...{ datasets: [], limit: 0, seeds: [1.5], outputs: ['cvs'], spread: 'no', runs: [], out: 3 },
      ...{ thresholds: ['a < 1'] },
    }))
      assert.ok(placeOf({ [key]: value }).at !== undefined, key);
  });

  it('names the place of a missing key and of a mistake in the syntax', () => {
    assert.equal(errorOf('{\n "datasets": ["a"]\n}').at, 'captious.json:1:1');
    assert.equal(errorOf('{\n "datasets" ["a"]\n}').at, 'captious.json:2:13');
    assert.equal(errorOf('{ "out": "a",\n "out": "b" }').at, 'captious.json:2:2');
    assert.equal(errorOf('out: a\nout: b', 'captious.yaml').at, 'captious.yaml:2:1');
    assert.equal(errorOf('probes:\n  - lgip\n  - nope\n', 'captious.yml').at?.split(':').length, 3);
    assert.equal(errorOf('').at, 'captious.json:1:1');
    assert.equal(errorOf('[]').at, 'captious.json:1:1');
  });

  it('rejects files that are nested too deeply or repeat aliases', () => {
    assert.equal(errorOf('['.repeat(200_000)).at, 'captious.json');
    const aliases = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const [name, of] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf'])
      aliases.push(`${name}: &${name} [${Array(9).fill(`*${of}`).join(', ')}]`);
    assert.equal(errorOf(aliases.join('\n'), 'captious.yaml').at, 'captious.yaml');
  });
});
