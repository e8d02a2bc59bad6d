import { say, type Words } from '../../../base/say';
import { Draft } from '../../draft';
import { mapFlag } from '../../fields/fields';
import type { Example, ExampleForm } from '../../example';
import type { Format, Question, Reads, Sample } from '../../format';

/** How to read a column of each role. The inspection of a dataset shows the names of these roles. */
const uses = {
  image: (draft: Draft, column: string) => {
    draft.addImage(column);
  },
  'second image': (draft: Draft, column: string) => {
    draft.addImage(column);
  },
  caption: (draft: Draft, column: string) => {
    draft.addCaption(column, 'caption');
  },
  'caption of the second image': (draft: Draft, column: string) => {
    draft.addCaption(column, 'caption', 1);
  },
  captions: (draft: Draft, column: string) => {
    draft.addCaptions(column, 'caption');
  },
  'wrong caption': (draft: Draft, column: string) => {
    draft.addCaption(column, 'negative');
  },
  'wrong captions': (draft: Draft, column: string) => {
    draft.addCaptions(column, 'negative');
  },
} as const;

type Use = keyof typeof uses;

/** Finds a column by its `plainName`. `a|b` names alternatives. */
export type ColumnOf = (plain: string) => string | undefined;

/** A benchmark published as a table: its columns and their roles. */
export interface Table {
  id: string;
  title: Words;
  form: ExampleForm;
  /** The required columns, in the order of reading. `a|b` names alternatives. */
  columns: Readonly<Record<string, Use | { as: string }>>;
  /** Optional columns and their roles. */
  also?: Readonly<Record<string, string>>;
  /** The columns with x, y, width and height of the image region to use. The file may lack these columns. */
  crop?: readonly [string, string, string, string];
  by?: Example['by'];
  sides?: Example['sides'];
  fits?: (sample: Sample, column: ColumnOf) => boolean | Question;
  titleFor?: (sample: Sample, column: ColumnOf) => Words;
  /** Adds the parts of an example that `columns` cannot describe. */
  finish?: (draft: Draft, column: ColumnOf) => void;
  /** Reads a row with several examples. If set, Captious does not read the row by `columns`. */
  read?: (...row: Parameters<ReturnType<RowMaker>>) => void;
}

type RowMaker = () => (
  entry: Draft['entry'],
  sink: ConstructorParameters<typeof Draft>[1],
  column: ColumnOf,
) => void;

export function table(spec: Table): Format {
  const { id, title, form, columns, crop, by, sides } = spec;
  const needs = Object.keys(columns);
  return {
    id,
    title,
    looksLike: `columns ${needs.join(', ')}`,
    needs: needs.filter((name) => !name.includes('|')),
    recognise(sample) {
      const { naming } = sample;
      const column: ColumnOf = (names) =>
        names
          .split('|')
          .map((name) => naming.named(name))
          .find((found) => found !== undefined);
      const found = needs.map((name) => column(name));
      if (found.includes(undefined)) return undefined;
      const fits = spec.fits?.(sample, column) ?? true;
      if (fits !== true) return fits === false ? undefined : fits;
      const box = crop?.map((name) => column(name)) ?? [];
      const given = box.filter((name) => name !== undefined);
      if (given.length > 0 && given.length < box.length) return askAboutBox(spec, column, given);
      const own = column('id');
      const reads: Reads = [
        ...Object.values(columns).map(
          (use, i) => [found[i]!, typeof use === 'string' ? use : use.as] as const,
        ),
        ...Object.entries(spec.also ?? {}).flatMap(([name, as]) => {
          const own = column(name);
          return own === undefined ? [] : [[own, as] as const];
        }),
        ...box.flatMap((name) => (name === undefined ? [] : [[name, 'crop'] as const])),
        ...(own === undefined || found.includes(own) ? [] : [[own, 'id'] as const]),
      ];
      return {
        form,
        title: spec.titleFor?.(sample, column) ?? title,
        reads,
        reader: () => ({
          read(entry, sink) {
            if (spec.read !== undefined) {
              spec.read(entry, sink, column);
              return;
            }
            const draft = new Draft(entry, sink);
            Object.values(columns).forEach((use, i) => {
              if (typeof use === 'string') uses[use](draft, found[i]!);
            });
            addCrop(draft, box);
            spec.finish?.(draft, column);
            if (by !== undefined) draft.extra.by = by;
            if (sides !== undefined) draft.extra.sides = sides;
            draft.finish(form, own !== undefined && found.includes(own) ? undefined : own);
          },
        }),
      };
    },
  };
}

/** Asks about missing columns of the crop box. Without a question, Captious would silently score whole images. */
function askAboutBox({ title, columns }: Table, column: ColumnOf, given: readonly string[]): Question {
  const named = (use: Use) => column(Object.keys(columns).find((name) => columns[name] === use) ?? '');
  const map = { image: named('image'), caption: named('caption'), negative: named('wrong caption') };
  return {
    ask: say('dataset.cropColumnsMissing', title, given.join(', ')),
    remedy: say('dataset.useCropsOrMap', mapFlag(map)),
  };
}

/** Crops the first image to the box in these four columns. Does nothing if the file lacks one of the columns. */
export function addCrop(draft: Draft, columns: readonly (string | undefined)[]): void {
  if (columns.length !== 4 || columns.includes(undefined)) return;
  const [x, y, width, height] = columns.map((column) => Number(draft.need(column!)?.value));
  if (draft.failed) return;
  if (![x, y, width, height].every((value) => Number.isFinite(value)) || width <= 0 || height <= 0)
    draft.fail('wrong-type', say('dataset.cropBoxInvalid', columns[0]!));
  else if (draft.images.length > 0) draft.images[0].crop = { x, y, width, height };
}
