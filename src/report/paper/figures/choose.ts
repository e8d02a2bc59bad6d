/* Chooses which of the possible figures a paper gets. */
import { usageError } from '../../../base/errors';
import { say } from '../../../base/say';
import { figureKinds, type PlannedFigure } from './figures';

/** The most figures without a choice of the user. */
export const mostFigures = 8;

/** `default`: at most eight, the most important kinds first. Otherwise names or kinds of figures. */
export type FigureChoice = 'default' | 'all' | 'none' | readonly string[];

/** Reads the option `--figures`. */
export function figureChoice(given: string | undefined): FigureChoice {
  if (given === undefined) return 'default';
  if (given === 'all' || given === 'none') return given;
  return given
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** The figures to draw in this order, and after how many drawn figures to stop. */
export function chosenFigures(
  planned: readonly PlannedFigure[],
  choice: FigureChoice,
): { figures: readonly PlannedFigure[]; most: number } {
  if (choice === 'none') return { figures: [], most: 0 };
  if (choice === 'all') return { figures: planned, most: Infinity };
  if (choice === 'default') {
    const rank = ({ kind, isFurther }: PlannedFigure): number =>
      figureKinds.indexOf(kind) + (isFurther === true ? figureKinds.length : 0);
    return { figures: [...planned].sort((a, b) => rank(a) - rank(b)), most: mostFigures };
  }
  const has = (figure: PlannedFigure, wanted: string): boolean =>
    figure.name === wanted || figure.kind === wanted || (wanted === 'forest' && figure.kind === 'main');
  const unknown = choice.find((wanted) => !planned.some((figure) => has(figure, wanted)));
  if (unknown !== undefined || choice.length === 0)
    throw usageError(
      say('paper.figureUnknown', unknown ?? ''),
      say(
        'paper.chooseFigures',
        [...new Set([...planned.map(({ kind }) => kind), ...planned.map(({ name }) => name)])].join(', '),
      ),
    );
  return {
    figures: planned.filter((figure) => choice.some((wanted) => has(figure, wanted))),
    most: Infinity,
  };
}
