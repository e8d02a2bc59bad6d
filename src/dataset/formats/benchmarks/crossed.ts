import { say } from '../../../base/say';
import { named } from '../named';
import type { Cell } from '../../cell';
import { Draft, listOf, type Sink } from '../../draft';
import type { Entry } from '../../entry';
import { mapFlag } from '../../fields/fields';
import type { Format } from '../../format';
import { isImageName } from '../../images/imageName';
import { table } from './table';

/** The columns with a model's decisions about a BiVLC example: one for each image and one for each caption. */
export const decisionColumns = [
  'text_score_i0',
  'text_score_i1',
  'image_score_c0',
  'image_score_c1',
] as const;

/** The slices in the tables of BiVLC's paper: type with subtype, and the side (positive or negative). */
export const bivlcTables = {
  by: { tag: 'type', within: 'subtype' },
  sides: ['positive', 'negative'],
} as const;

/** BiVLC: SugarCrepe's captions and negatives, with an image generated from each negative. */
export const bivlc = table({
  id: 'bivlc',
  title: named('BiVLC', say('dataset.readsGrid')),
  form: 'crossed',
  columns: {
    image: 'image',
    negative_image: 'second image',
    caption: 'caption',
    negative_caption: 'caption of the second image',
  },
  fits({ naming }, column) {
    const [missing] = decisionColumns.filter((name) => naming.named(name) === undefined);
    // A file with all decision columns never gets here, because `bivlcDecisions` comes first and reads it.
    if (!decisionColumns.some((name) => naming.named(name) !== undefined)) return true;
    const map = {
      image0: column('image')!,
      image1: column('negative_image')!,
      caption0: column('caption')!,
      caption1: column('negative_caption')!,
    };
    return {
      ask: say('dataset.bivlcDecisionsIncomplete', missing),
      remedy: say('dataset.useBivlcOrMap', mapFlag(map)),
    };
  },
  ...bivlcTables,
});

export const colorswap = table({
  id: 'colorswap',
  title: named('ColorSwap', say('dataset.readsGrid')),
  form: 'crossed',
  columns: {
    image_1: 'image',
    image_2: 'second image',
    caption_1: 'caption',
    caption_2: 'caption of the second image',
  },
});

/** EqBen: Winoground's names without underscores. Its authors evaluate only a list's first caption. */
export const eqben = table({
  id: 'eqben',
  title: named('EqBen', say('dataset.readsGrid')),
  form: 'crossed',
  columns: {
    image0: 'image',
    image1: 'second image',
    caption0: { as: 'caption' },
    caption1: { as: 'caption of the second image' },
  },
  finish(draft, column) {
    ['caption0', 'caption1'].forEach((name, i) => {
      const cell = draft.need(column(name)!);
      const first = cell && (listOf(cell)?.at(0) ?? cell);
      if (first !== undefined) draft.addText(first, name, 'caption', i, 'error');
    });
  },
});

/** EqBen's first release, which does not say which image and caption belong together. */
export const eqbenRandom: Format = {
  id: 'eqben-random',
  title: say('dataset.readsEqBenUnanswered'),
  looksLike: 'columns image and caption, the image in a folder eqben…',
  recognise({ naming, rows }) {
    const [image, caption] = [naming.named('image'), naming.named('caption')];
    if (image === undefined || caption === undefined || rows.length === 0) return undefined;
    const all = rows.every(({ fields }) => {
      const name = fields.get(image)?.value;
      return typeof name === 'string' && /(^|\/)eqben\w+\//.test(name);
    });
    return all
      ? { ask: say('dataset.eqbenRandomised'), remedy: say('dataset.useEqbenSource', image, caption) }
      : undefined;
  },
};

export const naturalbenchRetrieval = table({
  id: 'naturalbench-retrieval',
  title: named('NaturalBench-Retrieval', say('dataset.readsGrid')),
  form: 'crossed',
  columns: {
    index: { as: 'id' },
    image_0: 'image',
    image_1: 'second image',
    caption_0: 'caption',
    caption_1: 'caption of the second image',
  },
});

/** NaturalBench: two questions about two images, with opposite answers. Both together form a caption. */
export const naturalbench = table({
  id: 'naturalbench',
  title: named('NaturalBench', say('dataset.readsQuestions')),
  form: 'choice',
  columns: {
    image_0: 'image',
    image_1: 'second image',
    question_0: { as: 'question' },
    question_1: { as: 'question' },
    image_0_question_0: { as: 'answer' },
    image_1_question_0: { as: 'answer' },
    image_0_question_1: { as: 'answer' },
    image_1_question_1: { as: 'answer' },
  },
  read(entry, sink, column) {
    const index = column('index');
    const given = index === undefined ? undefined : entry.fields.get(index)?.value;
    const base = typeof given === 'number' || typeof given === 'string' ? String(given) : String(entry.row);
    for (const q of [0, 1]) {
      const draft = new Draft(entry, sink);
      draft.addImage(column('image_0')!);
      draft.addImage(column('image_1')!);
      const question = draft.need(column(`question_${q}`)!)?.value;
      for (const i of [0, 1]) {
        const answer = draft.need(column(`image_${i}_question_${q}`)!)?.value;
        if (typeof question === 'string' && typeof answer === 'string')
          draft.captions.push({
            text: `${question} ${answer}`,
            role: 'caption',
            image: i,
            field: `question_${q}`,
          });
      }
      if (draft.captions.length === 2 && draft.captions[0].text === draft.captions[1].text)
        draft.fail('wrong-type', say('dataset.sameAnswerTwice'));
      if (draft.captions.length < 2) draft.fail('wrong-type', say('dataset.questionNotText'));
      for (const other of [0, 1].filter((one) => one !== q))
        for (const name of [`question_${other}`, `image_0_question_${other}`, `image_1_question_${other}`])
          draft.take(column(name)!);
      draft.extra.groups = { item: base };
      draft.finish('choice', undefined, `${base}/${q}`);
    }
  },
});

/** Cola's multi-object matching: [image, caption, image, caption]. */
export const cola = table({
  id: 'cola',
  title: named('Cola', say('dataset.readsMatching')),
  form: 'crossed',
  columns: { '0': 'image', '2': 'second image', '1': 'caption', '3': 'caption of the second image' },
  fits: ({ rows, columns }) =>
    columns.length === 4 &&
    rows.every(
      ({ fields }) =>
        ['0', '2'].every((name) => isImageName(fields.get(name)?.value)) &&
        ['1', '3'].every(
          (name) => typeof fields.get(name)?.value === 'string' && !isImageName(fields.get(name)?.value),
        ),
    ),
});

/** MMVP-VLM: one statement per row, two rows per pair, and a folder of images for each type. */
export const mmvp: Format = {
  id: 'mmvp-vlm',
  title: named('MMVP-VLM', say('dataset.readsTwoStatements')),
  needs: ['question_id', 'type', 'statement'],
  looksLike: 'columns Question ID, Type and Statement, two rows per pair',
  recognise({ naming }) {
    const [number, type, statement] = ['question_id', 'type', 'statement'].map((name) => naming.named(name));
    if (number === undefined || type === undefined || statement === undefined) return undefined;
    return {
      form: 'crossed',
      reads: [
        [number, 'image'],
        [type, "the image's folder"],
        [statement, 'caption'],
      ],
      reader: () => {
        let open: { entry: Entry; number: number } | undefined;
        const close = (sink: Sink): void => {
          if (open === undefined) return;
          new Draft(open.entry, sink).fail(
            'missing-field',
            open.number % 2 === 0 ? say('dataset.firstOfPairMissing') : say('dataset.secondOfPairMissing'),
          );
          open = undefined;
        };
        return {
          read(entry, sink) {
            const own = Number(entry.fields.get(number)?.value);
            // The number of a pair's first row is odd.
            if (open?.number !== own - 1 || own % 2 !== 0) {
              close(sink);
              open = { entry, number: own };
              return;
            }
            const first = open.entry;
            open = undefined;
            const draft = new Draft(first, sink);
            for (const [i, row] of [first, entry].entries()) {
              // The authors read both images from the first row's folder.
              addImage(draft, first.fields.get(type), row.fields.get(number));
              addStatement(draft, row.fields.get(statement), i);
            }
            draft.take(number);
            draft.take(statement);
            draft.extra.by = { tag: type };
            draft.finish('crossed', undefined, String(own - 1));
          },
          *end(sink) {
            close(sink);
            yield;
          },
        };
      },
    };
  },
};

function addImage(draft: Draft, type: Cell | undefined, number: Cell | undefined): void {
  const [folder, name] = [type?.value, Number(number?.value)];
  if (typeof folder !== 'string' || !Number.isInteger(name))
    draft.fail('wrong-type', say('dataset.imagePathPartsInvalid'), number);
  else draft.images.push({ name: `${folder}/${name}.jpg` });
}

/** The authors' script adds this prefix to each statement. */
const prefix = 'a photo of ';

function addStatement(draft: Draft, cell: Cell | undefined, image: number): void {
  if (typeof cell?.value !== 'string' || cell.value.trim() === '')
    draft.fail('empty-caption', say('dataset.statementEmpty'), cell);
  else draft.captions.push({ text: prefix + cell.value, role: 'caption', image, field: 'Statement' });
}
