import { cosine } from '../../bench/similarity';
import { eachOf, inTurns } from '../../base/turns/steps';
import type { Evaluator } from '../../evaluator/evaluator';
import { embed } from '../embeddings';
import { Figure } from '../figure';
import type { Metric } from '../metric';
import type { GalleryContext } from '../probe';
import type { Embedded } from './participant';
import { hiddenCells } from '../../explain/regions';
import { grid } from './alteredImages';
import type { ImageRow } from './row';

/** Fig. 8 of the paper: for each cell of a grid, the cosine of the image and of it with a black cell. */
export async function occlude(
  context: GalleryContext,
  evaluator: Evaluator,
  embedded: readonly Embedded[],
  rows: readonly ImageRow[],
  onFailure: () => void,
): Promise<Metric[]> {
  const figures = Array.from({ length: grid * grid }, () => new Figure());
  for (const [q, { participant, image, cluster }] of embedded.entries()) {
    const made = await embed(
      context,
      evaluator,
      hiddenCells(participant.image!, { rows: grid, columns: grid, fill: 'black' }),
      onFailure,
    );
    if (made.some((row) => row === undefined)) continue;
    const similarities = made.map((row) => cosine(image, row!));
    if (rows[q] !== undefined) rows[q].occlusion = similarities;
    similarities.forEach((similarity, cell) => figures[cell].add(similarity, cluster));
  }
  const metrics = eachOf(figures, (figure, cell) => {
    const slice = { row: Math.floor(cell / grid), column: cell % grid };
    return figure.metric('rococo.occlusion', { slice });
  });
  return inTurns(metrics, context.signal);
}
