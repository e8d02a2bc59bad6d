/* What the lenses above an experiment file and its named runs say. */
import { say, type Words } from '../../base/say';
import type { ExperimentLayout } from '../../protocol/experiment';

export interface ExperimentLens {
  /** The line, counted from 0. */
  line: number;
  title: Words;
  icon?: string;
  /** Absent for a lens that only says something. */
  command?: { id: string; arguments: unknown[] };
}

/** `hasResults`: whether a finished run of the editor has reports in this folder. */
export function experimentLenses(
  { runs }: ExperimentLayout,
  uri: string,
  hasResults: (out: string) => boolean,
): ExperimentLens[] {
  return runs.flatMap(({ name, line, groups, problem }): ExperimentLens[] => {
    const at = line - 1;
    if (problem !== undefined) return [{ line: at, title: problem, icon: 'error' }];
    const run = (all: boolean) => ({
      id: 'captious.runExperiment',
      arguments: [uri, { ...(name === undefined ? {} : { run: name }), all }],
    });
    const results = groups.some(({ out }) => hasResults(out));
    return [
      { line: at, title: say('editor.run'), icon: 'run-all', command: run(true) },
      { line: at, title: say('editor.runWhatChanged'), icon: 'run', command: run(false) },
      ...(results
        ? [
            {
              line: at,
              title: say('editor.openResults'),
              icon: 'graph',
              command: {
                id: 'captious.openExperiment',
                arguments: [uri, name === undefined ? {} : { run: name }],
              },
            },
          ]
        : []),
    ];
  });
}
