import { decisionMetrics } from '../../../audit/decisions';
import { type Command, onePositional } from '../../arguments';
import { print, printJson, table } from '../../terminal';

const percent = (value: number | null | undefined): string =>
  value === null || value === undefined ? '' : `${(100 * value).toFixed(2)} %`;

export const decisionsCommand: Command = {
  name: 'decisions',
  summary: 'compute metrics from a file of decisions that another program made. BiVLC publishes such files',
  usage: ['decisions FILE'],
  operands: { FILE: 'a table with a decision for each image and each caption' },
  options: { json: { describe: 'print the metrics as one JSON value' } },
  examples: ['decisions BiVLC_ViT-B-32.csv'],

  async run(call) {
    const metrics = await decisionMetrics(
      onePositional(call, 'decisions', 'A file of decisions'),
      call.signal,
    );
    if (call.values.json) printJson(metrics);
    else
      print(
        table(
          ['metric', 'slice', 'value', 'chance', 'n'],
          metrics.map(({ id, slice, value, chance, n }) => [
            id,
            Object.entries(slice ?? {})
              .map(([tag, of]) => `${tag} = ${of}`)
              .join(', '),
            percent(value),
            percent(chance),
            String(n),
          ]),
        ),
      );
    return 0;
  },
};
