import { say } from '../base/say';
import type { Row } from './probe';
import type { LabelledCaption } from '../protocol/rows';
import type { RowView } from './view';

/** For a probe without a lens of its own: its texts and numbers as they stand in the row. */
export const plainView: RowView = {
  facets: [],
  delta: { title: say`Change` },
  fileLine: (row) => row.place?.line,
  facts: (row) => [{ delta: deltaOf(row) ?? 0, harm: -(deltaOf(row) ?? 0), verdict: 'none', facets: [] }],
  words: (row) =>
    texts(row)
      .map(([, text]) => text)
      .join('\n'),
  line(row) {
    const [first, second] = texts(row);
    return {
      line: row.place?.line,
      image: row.image,
      before: first?.[1] ?? row.example,
      after: second?.[1] ?? '',
      label: second?.[0] ?? '',
      delta: deltaOf(row),
      verdict: 'none',
    };
  },
  detail: (row) => ({
    example: row.example,
    line: row.place?.line,
    image: row.image,
    captions: captionsOf(row),
    notes: numbers(row).map(([key, value]) => `${key}: ${value}`),
  }),
  mark: (row) => ({
    texts: [],
    words: numbers(row)
      .map(([key, value]) => `${key} ${value}`)
      .join(' · '),
    captions: captionsOf(row),
  }),
};

function captionsOf(row: Row): LabelledCaption[] {
  return texts(row).map(([label, text]) => ({ label, text, verdict: 'none', chosen: false }));
}

const common = new Set(['example', 'row', 'place', 'image']);

function own(row: Row): [string, unknown][] {
  return Object.entries(row).filter(([key]) => !common.has(key));
}

function texts(row: Row): [string, string][] {
  return own(row).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}

function numbers(row: Row): [string, number][] {
  return own(row).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
}

function deltaOf(row: Row): number | undefined {
  return numbers(row).find(([key]) => key === 'delta')?.[1];
}
