import { CaptiousError, inputError, untilCancelled, usageError } from '../../../base/errors';
import { observation, observationCount, observations } from '../../../base/text/observations';
import { english } from '../../../base/english';
import { pairedDifferences } from '../../../report/paired';
import { readReport } from '../../../report/report';
import { LeftOutRows } from '../../../report/rowChecks';
import { readRows } from '../../../report/rows';
import { basisOf, requireComparable } from '../../../report/scale';
import { detectableEffect, imagesNeeded, powerOfT } from '../../../stats/decisions/power';
import { leastImages } from '../../../stats/decisions/smallSample';
import { type Command, text, type Values, wholeNumber } from '../../arguments';
import { print, printJson, table } from '../../terminal';

/** The numbers of images in the table if --images is absent. */
const usual = [50, 100, 200, 500, 1000, 2000, 5000];

interface Spread {
  metric: string;
  /** Standard deviation of the paired differences over images. */
  deviation: number;
  /** What the reports of the pilot study count, if the user named it. */
  cluster?: string;
}

function numberBetween(values: Values, key: string, low: number, high: number): number | undefined {
  const given = text(values, key);
  if (given === undefined) return undefined;
  const value = Number(given);
  if (given.trim() !== '' && value > low && value < high) return value;
  throw new CaptiousError('usage', `--${key} ${given}: expected a number above ${low} and below ${high}.`);
}

/** The spreads from two reports of a pilot study. A deviation is the standard error × √(number of images). */
async function fromPilot([a, b]: readonly string[], signal: AbortSignal): Promise<Spread[]> {
  const [first, second] = await Promise.all([a, b].map(readReport));
  if (first.probe !== second.probe)
    throw usageError(
      `The reports are of different probes: ${first.probe} and ${second.probe}.`,
      'Choose reports of the same probe.',
    );
  requireComparable(first, second);
  const { cluster } = first.dataset;
  const differences = await pairedDifferences(
    first.probe,
    untilCancelled(readRows(a, first, new LeftOutRows()), signal),
    untilCancelled(readRows(b, second, new LeftOutRows()), signal),
    { basis: basisOf([first, second]), signal },
  );
  const spreads = differences.flatMap(({ metric, standardError, images }) =>
    standardError === undefined
      ? []
      : [
          {
            metric,
            deviation: standardError * Math.sqrt(images),
            ...(cluster === undefined ? {} : { cluster }),
          },
        ],
  );
  if (spreads.length === 0)
    throw inputError(
      `The reports share no metric that differs on ${english(observationCount(leastImages, cluster))} or more. Correlations do not count.`,
      `Audit more ${english(observations(cluster))} with both evaluators, or give --discordant or --sd.`,
    );
  return spreads;
}

async function spreadsOf(
  positionals: readonly string[],
  values: Values,
  signal: AbortSignal,
): Promise<Spread[]> {
  const discordant = numberBetween(values, 'discordant', 0, 1);
  const sd = numberBetween(values, 'sd', 0, Infinity);
  const given = [positionals.length > 0, discordant !== undefined, sd !== undefined].filter(Boolean).length;
  if (given !== 1 || (positionals.length !== 0 && positionals.length !== 2))
    throw usageError(
      'Specify exactly one of these: two pilot reports, --discordant, or --sd.',
      'See: captious power --help',
    );
  if (sd !== undefined) return [{ metric: 'difference', deviation: sd }];
  // The difference is +1 or −1 on a discordant image, and 0 on any other. If its true mean is 0, its variance is
  // the share of discordant images.
  if (discordant !== undefined) return [{ metric: 'difference of rates', deviation: Math.sqrt(discordant) }];
  return fromPilot(positionals, signal);
}

export const powerCommand: Command = {
  name: 'power',
  summary: 'compute how many images a comparison needs, or which difference it can detect',
  usage: ['power (A B | --discordant SHARE | --sd S) [--images N] [--effect D]'],
  operands: {
    'A, B':
      'two reports of a pilot study on the same images. Captious computes the spread from their paired differences',
  },
  options: {
    discordant: {
      value: 'SHARE',
      describe:
        'for metrics that count right and wrong answers: the expected share of images on which only one of the two evaluators is right',
    },
    sd: {
      value: 'S',
      describe: 'the standard deviation over images of the difference between the two evaluators',
    },
    images: {
      value: 'N',
      describe: 'the number of images. The command prints the smallest detectable difference',
    },
    effect: { value: 'D', describe: 'the true difference. The command prints the number of images needed' },
    power: { value: 'P', describe: 'the wanted power (default 0.8)' },
    alpha: {
      value: 'A',
      describe:
        'the two-sided significance level (default 0.05). If you plan several tests, divide the level by their number',
    },
    json: { describe: 'print the results as one JSON value' },
  },
  notes: ['The results are for the test of "captious compare", a paired t-test over images.'],
  examples: [
    'power --discordant 0.2 --effect 0.03',
    'power reports/lgip.starter.report.json reports/lgip.clipscore_starter.report.json --images 1000',
  ],

  async run({ positionals, values, signal }) {
    const spreads = await spreadsOf(positionals, values, signal);
    const power = numberBetween(values, 'power', 0, 1) ?? 0.8;
    const alpha = numberBetween(values, 'alpha', 0, 1) ?? 0.05;
    const effect = numberBetween(values, 'effect', 0, Infinity);
    const asked = wholeNumber(values, 'images', 2);
    const options = { alpha, power };
    const results = spreads.map(({ metric, deviation, cluster }) => ({
      metric,
      deviation,
      ...(cluster === undefined ? {} : { cluster }),
      detectable: (asked === undefined ? usual : [asked]).map((images) => ({
        images,
        difference: detectableEffect(images, options) * deviation,
        ...(effect === undefined ? {} : { power: powerOfT(effect / deviation, images, alpha) }),
      })),
      ...(effect === undefined ? {} : { needed: imagesNeeded(effect / deviation, options) ?? null }),
    }));
    if (values.json) {
      printJson({ alpha, power, ...(effect === undefined ? {} : { effect }), results });
      return 0;
    }
    for (const { metric, deviation, cluster, detectable, ...rest } of results) {
      const units = english(observations(cluster));
      print(
        `${metric}: standard deviation ${deviation.toPrecision(4)} per ${english(observation(cluster))}, power ${power}, level ${alpha}`,
      );
      const heads = [units, 'detectable difference', ...(effect === undefined ? [] : [`power at ${effect}`])];
      print(
        table(
          heads,
          detectable.map((line) => [
            String(line.images),
            line.difference.toPrecision(3),
            ...(line.power === undefined ? [] : [line.power.toFixed(3)]),
          ]),
        ),
      );
      if ('needed' in rest)
        print(`A difference of ${effect} needs ${rest.needed ?? 'more than 100,000,000'} ${units}.\n`);
      else print('');
    }
    return 0;
  },
};
