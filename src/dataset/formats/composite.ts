import { say } from '../../base/say';
import { named } from './named';
import type { Format, Sample } from '../format';
import { isImageName } from '../images/imageName';
import { numberOf, rated } from './rated';

/**
 * Composite's Mechanical Turk results: an image, three or four captions (Input.…), and their ratings
 * (Answer.…).
 */
export const composite: Format = {
  id: 'composite',
  title: named('Composite', say('dataset.readsRatedByWorkers')),
  looksLike:
    "Mechanical Turk's columns Input.… with an image and captions, and Answer.… with one rating for each caption",
  recognise(sample) {
    const { columns, rows } = sample;
    if (rows.length === 0) return undefined;
    const inputs = columns.filter((column) => /^Input\./i.test(column));
    const image = inputs.find((column) => most(rows, column, (value) => isImageName(value)));
    const texts = inputs.filter(
      (column) =>
        column !== image && most(rows, column, (value) => typeof value === 'string' && value.includes(' ')),
    );
    const ratings = columns.filter(
      (column) =>
        /^Answer\./i.test(column) && rows.some(({ fields }) => numberOf(fields.get(column)) !== undefined),
    );
    if (image === undefined || texts.length < 2 || texts.length !== ratings.length) return undefined;
    return {
      ...rated(
        sample,
        image,
        texts.flatMap((text, i) => [
          [text, 'candidate'] as const,
          [ratings[i], "the candidate's rating"] as const,
        ]),
        ({ fields }) =>
          texts.flatMap((text, i) => {
            const cell = fields.get(text);
            return cell === undefined || cell.value === null || cell.value === ''
              ? []
              : [{ cell, field: text, rating: fields.get(ratings[i]) }];
          }),
      ),
      title: composite.title,
    };
  },
};

/** Whether more than half of the values pass the test. Empty values and a few bad rows do not matter. */
function most(rows: Sample['rows'], column: string, isSo: (value: unknown) => boolean): boolean {
  const values = rows
    .map(({ fields }) => fields.get(column)?.value)
    .filter((value) => value !== undefined && value !== null && value !== '');
  return values.length > 0 && 2 * values.filter(isSo).length > values.length;
}
