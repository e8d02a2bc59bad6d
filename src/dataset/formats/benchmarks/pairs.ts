import { say } from '../../../base/say';
import { named } from '../named';
import { Fields } from '../../cell';
import { type Draft, listOf } from '../../draft';
import { mapFlag } from '../../fields/fields';
import { numberOf } from '../rated';
import { table } from './table';

const bbox = ['bbox_x', 'bbox_y', 'bbox_w', 'bbox_h'] as const;

/** ARO: a relation between two objects, in the image region that shows both. */
export const aroRelation = table({
  id: 'aro-relation',
  title: 'ARO, Visual Genome Relation',
  form: 'choice',
  columns: {
    'image_path|image': 'image',
    true_caption: 'caption',
    false_caption: 'wrong caption',
    relation_name: { as: 'relation' },
  },
  crop: bbox,
  by: { tag: 'relation_name' },
});

/** ARO: two attributes of two objects. Averages leave out pairs of attributes with fewer than 25 examples. */
export const aroAttribution = table({
  id: 'aro-attribution',
  title: 'ARO, Visual Genome Attribution',
  form: 'choice',
  columns: {
    'image_path|image': 'image',
    true_caption: 'caption',
    false_caption: 'wrong caption',
    attributes: { as: 'attributes' },
  },
  crop: bbox,
  by: { tag: 'attribute pair', atLeast: 25 },
  finish(draft, column) {
    const cell = draft.take(column('attributes')!);
    const pair = (cell && listOf(cell))?.map(({ value }) => String(value)).join('_');
    if (pair === undefined) draft.fail('wrong-type', say('dataset.attributesNotList'), cell);
    else draft.tag('attribute pair', pair);
  },
});

/** VALSE: a caption, its foil, and how many of three annotators found only the caption right. */
export const valse = table({
  id: 'valse',
  title: named('VALSE', say('dataset.readsFoil')),
  form: 'choice',
  columns: {
    image_file: 'image',
    caption: 'caption',
    foil: 'wrong caption',
    linguistic_phenomena: { as: 'type' },
  },
  also: { mturk: 'votes', mturk_caption: 'votes' },
  by: { tag: 'linguistic_phenomena' },
  fits({ rows }, column) {
    const votes = rows.every(({ fields }) => votesOf(fields) !== undefined);
    return votes || rows.length === 0
      ? true
      : {
          ask: say('dataset.valseWithoutVotes'),
          remedy: say(
            'dataset.useValseOrMap',
            mapFlag({ image: column('image_file')!, caption: column('caption')!, negative: column('foil')! }),
          ),
        };
  },
  finish(draft) {
    draft.take('mturk');
    const votes = votesOf(draft.entry.fields);
    if (votes === undefined) draft.fail('missing-field', say('dataset.votesMissing'));
    else draft.extra.votes = votes;
  },
});

function votesOf(fields: Fields): number | undefined {
  const votes = fields.get('mturk')?.value;
  return votes instanceof Fields ? numberOf(votes.get('caption')) : numberOf(fields.get('mturk.caption'));
}

/** VL-CheckList: [image, {POS: […], NEG: […]}]. The authors evaluate only the first caption of each list. */
export const vlChecklist = table({
  id: 'vl-checklist',
  title: named('VL-CheckList', say('dataset.readsWrongCaption')),
  form: 'choice',
  columns: { '0': 'image', '1': { as: 'captions in POS, wrong ones in NEG' } },
  fits: ({ rows, columns }) =>
    columns.length === 2 &&
    rows.length > 0 &&
    rows.every(({ fields }) => {
      const texts = fields.get('1')?.value;
      return texts instanceof Fields && ['POS', 'NEG'].every((name) => Array.isArray(texts.get(name)?.value));
    }),
  finish(draft) {
    const texts = draft.need('1')?.value;
    for (const [name, role] of [
      ['POS', 'caption'],
      ['NEG', 'negative'],
    ] as const) {
      const list = texts instanceof Fields ? texts.get(name) : undefined;
      const first = (list && listOf(list))?.at(0);
      if (first === undefined) draft.fail('missing-field', say('dataset.fieldMissing', name), list);
      else draft.addText(first, name, role, 0, 'error');
    }
  },
});

/**
 * What'sUp's COCO-spatial and GQA-spatial: [image id, right caption, wrong caption]. The image id is a number in
 * COCO-spatial and a text in GQA-spatial.
 */
export const whatsupSpatial = table({
  id: 'whatsup-spatial',
  title: "What'sUp, COCO-spatial or GQA-spatial",
  form: 'choice',
  columns: { '0': { as: 'image' }, '1': 'caption', '2': 'wrong caption' },
  fits: ({ rows, columns }) =>
    columns.length === 3 &&
    rows.length > 0 &&
    rows.every(({ fields }) => {
      const [image, right, wrong] = ['0', '1', '2'].map((name) => fields.get(name)?.value);
      return /^\d+$/.test(String(image)) && typeof right === 'string' && typeof wrong === 'string';
    }),
  titleFor: ({ rows }) =>
    typeof rows[0].fields.get('0')?.value === 'number' ? "What'sUp, COCO-spatial" : "What'sUp, GQA-spatial",
  by: { tag: 'preposition' },
  finish(draft) {
    const isCoco = typeof draft.entry.fields.get('0')?.value === 'number';
    draft.addImage('0', (name) => `${isCoco ? name.padStart(12, '0') : name}.jpg`);
    draft.tag('preposition', prepositionOf(draft));
  },
});

function prepositionOf(draft: Draft): string | null {
  const words = /\b(left|right|above|below|front|behind|top|bottom)\b/g;
  return [...(draft.captions.at(0)?.text ?? '').matchAll(words)].at(-1)?.[1] ?? null;
}

/** CC-Neg, with its PyTorch file saved as JSON. The authors remove commas from the negated caption. */
export const ccNeg = table({
  id: 'cc-neg',
  title: named('CC-Neg', say('dataset.readsNegation')),
  form: 'choice',
  columns: {
    'image_path|image_paths|filepath|image': 'image',
    'json|caption': { as: 'caption' },
    'sop_data|negative_prompt': { as: 'wrong caption' },
  },
  finish(draft, column) {
    const text = (outer: string, inner: string): string | undefined => {
      const cell = draft.need(outer);
      const value = cell?.value instanceof Fields ? cell.value.get(inner)?.value : cell?.value;
      if (typeof value === 'string' && value.trim() !== '') return value;
      if (cell !== undefined) draft.fail('wrong-type', say('dataset.fieldNotText', outer), cell);
      return undefined;
    };
    const caption = text(column('json|caption')!, 'caption');
    const negated = text(column('sop_data|negative_prompt')!, 'negative-prompt');
    if (caption === undefined || negated === undefined) return;
    draft.captions.push({ text: caption, role: 'caption', image: 0, field: 'caption' });
    draft.captions.push({
      text: negated.replaceAll(',', ''),
      role: 'negative',
      image: 0,
      field: 'negative-prompt',
    });
  },
});

const negatives = ['subj_neg', 'verb_neg', 'obj_neg'];

/** SVO-Probes: a sentence, a matching image, and an image with another subject, verb or object. */
export const svo = table({
  id: 'svo-probes',
  title: named('SVO-Probes', say('dataset.readsTwoImages')),
  form: 'choice',
  columns: {
    pos_image_id: { as: 'image' },
    neg_image_id: { as: 'second image' },
    sentence: 'caption',
  },
  also: { subj_neg: 'kind of negative', verb_neg: 'kind of negative', obj_neg: 'kind of negative' },
  by: { tag: 'negative' },
  finish(draft, column) {
    const withEnding = (name: string): string => (/\.\w+$/.test(name) ? name : `${name}.jpg`);
    draft.addImage(column('pos_image_id')!, withEnding);
    draft.addImage(column('neg_image_id')!, withEnding);
    const kind = negatives.find((name) => /^true$/i.test(String(draft.take(name)?.value)));
    draft.tag('negative', kind?.replace('_neg', '') ?? null);
  },
});
