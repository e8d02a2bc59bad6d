import { type Report } from '../../../src/report/report';
import { reportSchema } from '../../../src/report/reportShape';

/** A small sound report, with what a test wants to be different. */
export function reportOf(changes: Partial<Report> = {}): Report {
  return {
    schema: reportSchema,
    probe: 'visla',
    dataset: {
      path: 'triplets.tsv',
      sha256: 'aa',
      format: 'visla-tsv',
      examples: 3,
      skipped: 0,
      leftOut: [],
    },
    evaluator: {
      id: 'tiny',
      name: 'Tiny',
      kind: 'text-encoder',
      sha256: 'bb',
      scores: ['text-text'],
      precision: 'float32',
      provider: 'cpu',
      scale: { name: 'cosine' },
      prefix: '',
      notes: [],
    },
    options: {},
    seed: 42,
    claims: [],
    metrics: [],
    rows: 'visla.tiny.rows.jsonl',
    rowCount: 3,
    rowsSha256: 'cc',
    warnings: [],
    versions: { captious: '0.1.0' },
    ...changes,
  };
}
