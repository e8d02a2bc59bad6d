import { homeFolder } from '../base/home';
import { listEvaluators } from '../evaluator/installed';
import type { Command } from './arguments';
import { bytes, print, printJson, table } from './terminal';

export const evaluatorsCommand: Command = {
  name: 'evaluators',
  summary: 'list the installed evaluators',
  help: `captious evaluators

  --json            print the list as one JSON value

An encoder is installed by putting its folder, laid out as on the Hugging Face hub, under models/ in Captious's home; a
folder anywhere else can be named by its path.

Example:
  captious evaluators`,
  options: {},

  async run({ values }) {
    const installed = await listEvaluators({ home: homeFolder() });
    if (values.json) {
      printJson(installed);
      return 0;
    }
    const rows = installed.map((evaluator) =>
      'problem' in evaluator
        ? [evaluator.id, '–', evaluator.problem]
        : [evaluator.id, bytes(evaluator.size), `${evaluator.name}: scores ${evaluator.scores.join(', ')}`],
    );
    print(table(['evaluator', 'size', 'what it is'], rows));
    return 0;
  },
};
