import { homeFolder } from '../../base/home';
import { messageOf } from '../../base/errors';
import { installedFiles, listEvaluators } from '../../evaluator/installed';
import { knownEncoders } from '../../evaluator/fetch/known';
import { type Sketch, sketchEvaluator } from '../../evaluator/preview';
import type { Command } from '../arguments';
import { bytes, print, printJson, table } from '../terminal';

export const evaluatorsCommand: Command = {
  name: 'evaluators',
  summary: 'list the installed evaluators, and the known ones that can be fetched',
  help: `captious evaluators

  --json            print the list as one JSON value: installed ones with place, size, hash and what they can do,
                    then known ones with their repository, files and licence

An encoder is installed by "captious fetch ID", or by putting its folder, laid out as on the Hugging Face hub, under
models/ in Captious's home; a folder anywhere else can be named by its path. An evaluator file, such as the one of a
judge, is installed by putting it there as NAME.evaluator.json.

Example:
  captious evaluators`,
  options: {},

  async run({ values }) {
    const installed = await listEvaluators({ home: homeFolder() });
    const files = await sketchedFiles(homeFolder());
    const known = knownEncoders().filter(({ id }) => !installed.some((evaluator) => evaluator.id === id));
    if (values.json) {
      printJson([
        ...installed.map((evaluator) => ({ state: 'installed', ...evaluator })),
        ...files.map((file) => ({ state: 'installed', ...file })),
        ...known.map((model) => ({ state: 'known', ...model })),
      ]);
      return 0;
    }
    const rows = [...installed, ...files].map((evaluator) =>
      'problem' in evaluator
        ? [evaluator.id, '–', evaluator.problem]
        : [
            evaluator.id,
            evaluator.size === undefined ? evaluator.kind : bytes(evaluator.size),
            `${evaluator.name}: scores ${evaluator.scores.join(', ')}`,
          ],
    );
    print(table(['evaluator', 'size', 'what it is'], rows));
    if (known.length === 0) return 0;
    print('\nKnown, not installed: "captious fetch ID" gets one.\n');
    print(
      table(
        ['evaluator', 'from', 'licence'],
        known.map(({ id, hub, licence }) => [id, hub, licence]),
      ),
    );
    return 0;
  },
};

/** Evaluator files tell less than folders: what they are made of is not opened for it. */
async function sketchedFiles(
  home: string,
): Promise<({ id: string; path: string } & (Sketch | { problem: string }))[]> {
  return Promise.all(
    installedFiles(home).map(async ({ id, path }) => {
      try {
        return { id, path, ...(await sketchEvaluator(id, home)) };
      } catch (error) {
        return { id, path, problem: messageOf(error) };
      }
    }),
  );
}
