import { say, type Words } from '../../base/say';
import { plainCards } from '../plainView';
import { rowCheck } from '../rowSchema';
import { type ProbeView, rowView, type ShownCaption } from '../view';
import { type ImportedRow, importedRowSchema } from './row';

const labels = {
  input: say('imported.input'),
  target: say('imported.target'),
  answer: say('imported.answer'),
};

function textsOf(row: ImportedRow): ShownCaption[] {
  return (['input', 'target', 'answer'] as const).flatMap((key) => {
    const text = row[key];
    return text === undefined ? [] : [{ label: labels[key], text }];
  });
}

function scoresOf({ scores, epochs = {} }: ImportedRow): Words[] {
  return Object.entries(scores).map(([name, score]) => {
    const all = epochs[name] ?? [];
    return all.length < 2
      ? say('base.labelledPart', name, String(score))
      : say('imported.scoreOfEpochs', name, String(score), all.join(', '));
  });
}

const importedRows = rowView<ImportedRow>({
  row: rowCheck(importedRowSchema),
  facets: [],
  delta: { title: say('imported.nothingCompared'), head: 'Δ' },
  facts: () => [{ delta: undefined, harm: 0, verdict: 'none', facets: [] }],
  words: ({ example, input = '', target = '', answer = '', image = '' }) =>
    [example, input, target, answer, image].join('\n'),
  line: (row) => ({
    before: row.input ?? row.example,
    after: row.answer ?? '',
    label: scoresOf(row)[0] ?? '',
  }),
  captions: textsOf,
  detail: (row) => ({ notes: scoresOf(row) }),
  mark: (row) => ({ texts: [], words: scoresOf(row)[0] ?? '' }),
});

export const importedView = {
  id: 'imported',
  title: 'Imported',
  question: 'What do the logs of another evaluation program say?',
  mode: 'pairs',
  madeFor: [],
  rows: importedRows,
  columns: { before: labels.input, after: labels.answer },
  cards: plainCards,
  sameOptions: ['task'],
  // The rows say which direction is better, because each log has its own scores.
  better: () => undefined,
} satisfies ProbeView<ImportedRow>;
