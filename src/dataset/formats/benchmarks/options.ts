import { say } from '../../../base/say';
import { named } from '../named';
import { Draft } from '../../draft';
import { mapFlag, plainName } from '../../fields/fields';
import { eachRow, type Format } from '../../format';
import { isPythonList } from '../../fields/pythonList';
import { valuesOf } from '../../fields/question';
import { addOptions } from '../mapped';
import { addCrop, table } from './table';
import { endOf } from '../../../base/text/ends';

/** NegBench: several options and the number of the right option, counted from 0. */
export const negbench: Format = {
  id: 'negbench',
  title: 'NegBench MCQ',
  needs: ['image_path', 'caption_0', 'caption_1', 'correct_answer'],
  looksLike: 'columns image_path, caption_0, caption_1, … and correct_answer',
  recognise({ naming, columns }) {
    const image = naming.named('image_path') ?? naming.named('filepath');
    const verdict = naming.named('correct_answer');
    const captions = columns
      .filter((column) => /^caption_\d+$/.test(plainName(column)))
      .sort((a, b) => numberIn(a) - numberIn(b));
    if (image === undefined || verdict === undefined || captions.length < 2 || numberIn(captions[0]) !== 0)
      return undefined;
    const template = naming.named('correct_answer_template');
    return {
      form: 'choice',
      title: captions.length === 2 ? 'NegBench binary' : 'NegBench MCQ',
      reads: [
        [image, 'image'],
        ...captions.map((column) => [column, 'option'] as const),
        [verdict, 'which option is right, from 0'],
      ],
      reader: eachRow((draft) => {
        draft.addImage(image);
        addOptions(draft, captions, verdict, 0);
        if (template !== undefined) draft.extra.by = { tag: template };
        draft.finish('choice', naming.named('id'));
      }),
    };
  },
};

/** NegBench's retrieval: a Python list of captions per image. */
export const negbenchRetrieval = table({
  id: 'negbench-retrieval',
  title: named('NegBench retrieval', say('dataset.readsImages')),
  form: 'captions',
  columns: { filepath: 'image', captions: 'captions' },
  fits: (sample, column) => {
    const lists = valuesOf(sample, column('captions')!);
    return lists.length > 0 && lists.every((list) => typeof list === 'string' && isPythonList(list));
  },
});

function numberIn(column: string): number {
  const name = plainName(column);
  return Number(name.slice(endOf(name, /\d/)) || NaN);
}

/** Adds options, the first of which is right. */
function addCaptionOptions(draft: Draft, column: string): void {
  (draft.list(column) ?? []).forEach((cell, i) => {
    draft.addText(cell, column, i === 0 ? 'caption' : 'negative', 0, 'error');
  });
  if (!draft.failed && draft.captions.length < 2)
    draft.fail('missing-field', say('dataset.tooFewOptions', column));
}

const places = /_(left_of|right_of|on|under|in-front_of|behind)_/;

/** What'sUp A and B: four captions, the first one right. Four images of the same objects form a set. */
export const whatsup = table({
  id: 'whatsup',
  title: named("What'sUp", say('dataset.readsPositions')),
  form: 'choice',
  columns: { image_path: 'image', caption_options: { as: 'captions, the first right' } },
  fits: ({ rows }, column) =>
    rows.length > 0 &&
    rows.every(({ fields }) => places.test(String(fields.get(column('image_path')!)?.value))),
  titleFor: ({ rows }, column) =>
    `What'sUp, subset ${rows.some(({ fields }) => /_(on|under)_/.test(String(fields.get(column('image_path')!)?.value))) ? 'A' : 'B'}`,
  by: { tag: 'preposition' },
  finish(draft, column) {
    addCaptionOptions(draft, column('caption_options')!);
    const name = draft.images.at(0)?.name.split(/[\\/]/).at(-1) ?? '';
    const place = places.exec(name)?.[1] ?? '';
    const parts = name.replace(/\.\w+$/, '').split('_');
    const set = `${parts[0]} ${parts.at(-1)}`;
    draft.tag('preposition', place);
    draft.extra.groups = { pair: `${set} ${/left|right/.test(place) ? 'beside' : 'other'}`, set };
  },
});

/** ARO's COCO order and Flickr30k order, in the form of ARO's loader. */
export const aroOrder = table({
  id: 'aro-order',
  title: named('ARO', say('dataset.readsWordOrder')),
  form: 'choice',
  columns: { 'image|image_path': 'image', caption_options: { as: 'captions, the first right' } },
  finish: (draft, column) => {
    addCaptionOptions(draft, column('caption_options')!);
  },
});

/** ARO's order data in the columns of the Hugging Face hub. */
export const aroOrderHub = table({
  id: 'aro-order',
  title: named('ARO', say('dataset.readsWordOrder')),
  form: 'choice',
  columns: {
    'images|image': 'image',
    correct_caption: 'caption',
    hard_text_1: 'wrong caption',
    hard_text_2: 'wrong caption',
    hard_text_3: 'wrong caption',
    hard_text_4: 'wrong caption',
  },
});

/** NegCLIP's training data: a caption and a list of wrong captions. */
export const negclip = table({
  id: 'negclip',
  title: say('dataset.readsNegClip'),
  form: 'choice',
  columns: { filepath: 'image', title: 'caption', neg_caption: 'wrong captions' },
});

const box = ['x', 'y', 'width', 'height'];
const kinds: Record<string, string> = {
  valid_hard_negs_atom: 'atom',
  valid_hard_negs_comp: 'comp',
  hard_negs: 'hard',
};

/** CREPE: a caption of an image region and lists of wrong captions; the systematicity files have two lists. */
export const crepe: Format = {
  id: 'crepe',
  title: 'CREPE',
  needs: ['image_id', 'caption', 'x', 'y', 'width', 'height'],
  looksLike: 'columns image_id, caption, x, y, width, height, and hard_negs or valid_hard_negs_…',
  recognise({ naming }) {
    const [image, caption, ...crop] = ['image_id', 'caption', ...box].map((name) => naming.named(name));
    const lists = Object.keys(kinds).flatMap((name) => naming.named(name) ?? []);
    if (image === undefined || caption === undefined || crop.includes(undefined) || lists.length === 0)
      return undefined;
    const halves = lists.filter((name) => plainName(name) !== 'hard_negs');
    if (halves.length === 1)
      return {
        ask: say('dataset.crepeHalfMissing', halves[0]),
        remedy: say('dataset.useCrepeOrMap', mapFlag({ image, caption, negative: halves[0] })),
      };
    const isSystematicity = lists.length > 1 || plainName(lists[0]) !== 'hard_negs';
    return {
      form: 'choice',
      title: isSystematicity
        ? named('CREPE', say('dataset.readsSystematicity'))
        : named('CREPE', say('dataset.readsProductivity')),
      reads: [
        [image, 'image'],
        [caption, 'caption'],
        ...lists.map((column) => [column, 'wrong captions'] as const),
        ...crop.map((column) => [column!, 'crop'] as const),
      ],
      reader: () => ({
        read(entry, sink) {
          for (const column of lists) {
            const cell = entry.fields.get(column);
            // A row may have wrong captions of only one kind.
            if (lists.length > 1 && (cell?.value === null || cell?.value === '' || cell?.value === '[]'))
              continue;
            const draft = new Draft(entry, sink);
            draft.addImage(image, (name) => (/\.\w+$/.test(name) ? name : `${name}.jpg`));
            draft.addCaption(caption, 'caption');
            draft.addCaptions(column, 'negative');
            for (const other of lists) draft.take(other);
            addCrop(draft, crop);
            draft.tag('hard_neg_type', kinds[plainName(column)]);
            draft.finish(
              'choice',
              undefined,
              lists.length > 1 ? `${entry.row}/${kinds[plainName(column)]}` : undefined,
            );
          }
        },
      }),
    };
  },
};
