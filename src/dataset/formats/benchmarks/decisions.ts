import { say } from '../../../base/say';
import { truthOf } from '../../fields/truth';
import { bivlcTables, decisionColumns } from './crossed';
import { table } from './table';

/** A model's decisions on BiVLC, in the form that BiVLC's authors publish. */
export const bivlcDecisions = table({
  id: 'bivlc-decisions',
  title: say('dataset.readsBivlcDecisions'),
  form: 'decisions',
  columns: {
    text_score_i0: { as: 'whether the image found its caption' },
    text_score_i1: { as: 'whether the second image found its caption' },
    image_score_c0: { as: 'whether the caption found its image' },
    image_score_c1: { as: 'whether the second caption found its image' },
    caption: 'caption',
    negative_caption: 'caption of the second image',
  },
  ...bivlcTables,
  finish(draft) {
    const decided = decisionColumns.map((name) => {
      const cell = draft.need(name);
      const truth = truthOf(cell?.value);
      if (cell !== undefined && truth === undefined)
        draft.fail('wrong-type', say('dataset.fieldNotBoolean', name), cell);
      return truth === true;
    });
    // These columns do not become attributes: they repeat the decisions or contain paths of the authors' machine.
    for (const name of ['text_score', 'image_score', 'group_score', 'image', 'negative_image'])
      draft.take(name);
    draft.images.push({ name: 'image' }, { name: 'negative_image' });
    draft.extra.decisions = { text: decided.slice(0, 2), image: decided.slice(2) };
  },
});
