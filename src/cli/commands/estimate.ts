import { CaptiousError } from '../../base/errors';
import { readScores } from '../../evaluator/scoresTable';
import { figure } from '../../report/figures';
import { predictionPoweredMean } from '../../stats/agreement/ppi';
import { isDefined } from '../../stats/outcome';
import { type Command } from '../arguments';
import { print, printJson, table } from '../terminal';

export const estimateCommand: Command = {
  name: 'estimate',
  summary: 'estimate the mean human label of many captions from few labels and many scores',
  usage: ['estimate LABELS SCORES'],
  operands: {
    LABELS: 'human labels: JSON lines or a table with the columns key and score. The score is the label',
    SCORES: 'scores of an evaluator for these keys and many more, in the same format',
  },
  options: { json: { describe: 'print the estimate as one JSON value' } },
  notes: [
    'The method is prediction-powered inference (PPI++). The labels correct the error of the scores, so the interval is valid for any evaluator. The better the evaluator agrees with people, the shorter the interval. The labelled captions must be a random sample of all captions. Each key should belong to a different image.',
  ],
  examples: ['estimate labels.csv scores.jsonl'],

  async run({ positionals, values, signal }) {
    if (positionals.length !== 2)
      throw new CaptiousError(
        'usage',
        `Expected a file of labels and a file of scores, got ${positionals.length}.`,
        {
          remedy: 'See: captious estimate --help',
        },
      );
    const [labels, all] = await Promise.all(positionals.map((path) => readScores(path, signal)));
    const both = [...labels.scores].filter(
      ([key, label]) => isUsable(label) && isUsable(all.scores.get(key)),
    );
    const rest = [...all.scores].filter(([key, score]) => isUsable(score) && !labels.scores.has(key));
    const found = predictionPoweredMean(
      both.map(([, label]) => label),
      both.map(([key]) => all.scores.get(key)!),
      rest.map(([, score]) => score),
    );
    if (!isDefined(found))
      throw new CaptiousError('input', `There is no estimate: ${found.reason}.`, {
        at: positionals.join(', '),
        remedy: 'Use the same keys in both files, and more scores than labels.',
      });
    const { estimate, low, high, lambda, labelsOnly } = found;
    const unmatched = labels.scores.size - both.length;
    if (values.json === true) {
      printJson({ labels: both.length, scores: rest.length, unmatched, ...found });
      return 0;
    }
    const line = (name: string, value: number, ends: readonly number[]): string[] => [
      name,
      figure(value),
      `[${ends.map((end) => figure(end)).join(', ')}]`,
    ];
    print(
      table(
        ['mean label', 'value', '95 % interval'],
        [
          line('labels and scores', estimate, [low, high]),
          line('labels alone', labelsOnly.estimate, [labelsOnly.low, labelsOnly.high]),
        ],
      ),
    );
    print(`\n${both.length} labels, ${rest.length} more scores, weight of the scores ${figure(lambda)}`);
    if (unmatched > 0) print(`${unmatched} labels have no score and were left out`);
    return 0;
  },
};

function isUsable(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value);
}
