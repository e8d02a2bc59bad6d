import { say } from '../base/say';
import { chooseFrom } from '../base/text/nearest';
import type { ExperimentFile } from './check';
import type { RunFields } from './shape';

/** The keys of a named run. */
export function runNamed({ experiment, wrong }: ExperimentFile, name: string): Partial<RunFields> {
  const runs = experiment.runs ?? {};
  if (Object.hasOwn(runs, name)) return runs[name];
  const known = Object.keys(runs);
  throw wrong(
    ['runs'],
    say('experiment.noRun', name),
    known.length === 0 ? say('experiment.addRun', name) : chooseFrom(name, known),
  );
}
