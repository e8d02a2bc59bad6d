import { join, resolve } from 'node:path';
import { mergeShards } from '../../../audit/shard/merge';
import type { MergeRequest } from '../../../audit/shard/mergeRequest';
import { manifestName } from '../../../audit/shard/manifest';
import { existsSync } from 'node:fs';
import { usageError } from '../../../base/errors';
import { type Command, text, wholeNumber } from '../../arguments';
import { python, yes } from '../../options';
import { report, reportOptions } from '../../reports';
import { agreed } from '../../terminal';

export const mergeCommand: Command = {
  name: 'merge',
  summary: 'merge the shards of an audit into the reports of a single run',
  usage: ['merge DIR…'],
  operands: { 'DIR…': 'the --out folder of the shards, or the folders of the shards' },
  options: {
    out: { value: 'DIR', describe: 'folder for reports and rows (default: the first DIR)' },
    threads: { value: 'N', describe: 'threads for each model. Used only if a shard lacks an embedding' },
    provider: { value: 'P', describe: 'where models run. Used only if a shard lacks an embedding' },
    python,
    yes,
    ...reportOptions,
  },
  notes: [
    'Reports and rows are bit-identical to those of a single run; for evaluators whose scores depend on the batch, the command warns that last digits may differ. If a shard is missing, duplicate, damaged or from another run, the command names this shard and writes nothing. Merging uses the embeddings of the shards and normally runs no model. One exception: if a shard could not read an image, RoCOCO may mix some images anew, and the merge encodes these.',
  ],
  examples: ['merge reports', 'merge /scratch/a/reports /scratch/b/reports --out reports'],

  async run({ positionals, values, signal }) {
    const [first] = positionals;
    if (first === undefined)
      throw usageError('Expected at least one folder of shards.', 'See: captious merge --help');
    const out = text(values, 'out') ?? (existsSync(join(first, manifestName)) ? resolve(first, '..') : first);
    const write = (onEvent: MergeRequest['onEvent']) =>
      mergeShards({
        folders: positionals,
        out,
        threads: wholeNumber(values, 'threads', 1),
        provider: text(values, 'provider'),
        python: { asked: text(values, 'python') },
        signal,
        onEvent,
        consent: (terms) => agreed(terms, values.yes === true, signal),
      });
    return report(values, write, signal);
  },
};
