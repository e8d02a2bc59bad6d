import { english } from '../../base/english';
import { knownEncoders } from '../../evaluator/fetch/known';
import { listEvaluators } from '../../evaluator/installed';
import { overlapMetrics, overlapNames } from '../../evaluator/overlap/overlap';
import type { Command } from '../arguments';
import { bytes, print, printJson, table } from '../terminal';

/** Evaluators that need reference captions. Some of them also need an encoder. */
const referenced: (readonly [id: string, description: string])[] = [
  ...overlapMetrics.map(
    (id) => [id, `${overlapNames[id]} of a caption with the references of its image`] as const,
  ),
  ['refclipscore:ENCODER', 'RefCLIPScore, as in refclipscore:starter'],
  ['refpac-s:ENCODER', 'RefPAC-S'],
];

export const evaluatorsCommand: Command = {
  name: 'evaluators',
  summary: 'list installed evaluators, and encoders that "captious fetch" can install',
  usage: ['evaluators'],
  options: {
    json: {
      describe:
        'print one JSON list: first the installed evaluators, then the metrics of reference captions, then the encoders that "captious fetch" can install',
    },
  },
  notes: [
    'To install an encoder, use "captious fetch ID", or put a model folder with the layout of the Hugging Face hub under models/ in Captious\'s home folder. To install an evaluator file, save it there as NAME.evaluator.json. You can also use a model folder without installing it: specify its path.',
  ],
  examples: ['evaluators'],

  async run({ values }) {
    const installed = await listEvaluators();
    const known = knownEncoders().filter(({ id }) => !installed.some((evaluator) => evaluator.id === id));
    if (values.json) {
      printJson([
        ...installed.map((evaluator) => ({
          state: 'installed',
          ...evaluator,
          ...('problem' in evaluator ? { problem: english(evaluator.problem) } : {}),
        })),
        ...referenced.map(([id, description]) => ({ state: 'references', id, description })),
        ...known.map((model) => ({ state: 'known', ...model })),
      ]);
      return 0;
    }
    const rows = installed.map((evaluator) =>
      'problem' in evaluator
        ? [evaluator.id, '–', english(evaluator.problem)]
        : [
            evaluator.id,
            evaluator.size === undefined ? evaluator.kind : bytes(evaluator.size),
            `${evaluator.name}: scores ${evaluator.scores.join(', ')}`,
          ],
    );
    print(table(['evaluator', 'size', 'description'], rows));
    print('\nMetrics of reference captions:\n');
    print(table(['evaluator', 'description'], referenced));
    if (known.length === 0) return 0;
    print('\nKnown, not installed (install one with "captious fetch ID"):\n');
    print(
      table(
        ['evaluator', 'from', 'licence'],
        known.map(({ id, hub, licence }) => [id, hub, licence]),
      ),
    );
    return 0;
  },
};
