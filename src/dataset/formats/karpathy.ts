import { say } from '../../base/say';
import type { Cell } from '../cell';
import { Draft } from '../draft';
import { type Format, readsOfId } from '../format';

/** Karpathy's split files (dataset_coco.json, dataset_flickr30k.json): images with nested sentences. */
export const karpathy: Format = {
  id: 'karpathy',
  title: 'COCO Karpathy split',
  looksLike: 'a list "images" whose entries have "filename" and "sentences"',
  recognise({ columns }) {
    if (!columns.includes('sentences') || !columns.includes('filename')) return undefined;
    const id = ['imgid', 'cocoid', 'id'].find((column) => columns.includes(column));
    return {
      form: 'captions',
      reads: [['filename', 'image'], ['filepath', 'image'], ['sentences', 'captions'], ...readsOfId(id)],
      reader: () => ({
        read(entry, sink) {
          if (entry.section === 'annotations' || entry.section === 'categories') return;
          const draft = new Draft(entry, sink);
          draft.addImage('filename');
          const folder = entry.fields.get('filepath');
          if (typeof folder?.value === 'string' && folder.value !== '' && draft.images.length > 0) {
            draft.take('filepath');
            draft.images[0].name = `${folder.value}/${draft.images[0].name}`;
          }
          const sentences = draft.need('sentences');
          if (sentences === undefined) return;
          if (!Array.isArray(sentences.value)) {
            draft.fail('wrong-type', say('dataset.sentencesNotList'), sentences);
            return;
          }
          for (const sentence of sentences.value as readonly Cell[])
            draft.addText(sentence, 'sentences', 'caption', 0, 'warning');
          if (draft.captions.length === 0)
            draft.fail('empty-caption', say('dataset.sentencesWithoutCaption'), sentences);
          draft.finish('captions', id);
        },
      }),
    };
  },
};
