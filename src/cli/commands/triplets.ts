import { CaptiousError, usageError } from '../../base/errors';
import { tsvOf } from '../../mining/half';
import { type Agreement, mergeSessions } from '../../sessions/mergeTriplets';
import { TripletSession } from '../../sessions/triplets';
import { OutputFile } from '../../report/output';
import { type Command, text } from '../arguments';
import { log, print, printJson } from '../terminal';
import { contentOf } from './check/check';

export const tripletsCommand: Command = {
  name: 'triplets',
  summary: 'merge the decisions of several annotators from the triplet workshop, and export the result',
  usage: ['triplets FILE… [--out FILE]'],
  operands: { 'FILE…': 'triplet files, one per annotator' },
  options: {
    out: {
      value: 'FILE',
      describe:
        'output file. A .tsv file contains the accepted triplets, for "captious audit --probe visla". A .json file contains the merged decisions, to continue in the workshop',
    },
    json: { describe: 'print counts and agreement as one JSON value' },
  },
  examples: ['triplets pairs.ann.triplets.json pairs.bo.triplets.json --out triplets.tsv'],

  async run({ positionals, values }) {
    if (positionals.length === 0)
      throw usageError('Expected at least one triplet file.', 'See: captious triplets --help');
    const out = text(values, 'out');
    if (out !== undefined && !/\.(tsv|json)$/.test(out))
      throw new CaptiousError('usage', `--out ${out}: the name must end in .tsv or .json.`);
    const sessions = await Promise.all(
      positionals.map(async (at) => ({ at, session: TripletSession.parse(await contentOf(at), at) })),
    );
    const merged = sessions.length > 1 ? mergeSessions(sessions) : undefined;
    const session = merged?.session ?? sessions[0].session;
    if (out !== undefined) {
      const file = await OutputFile.create(out);
      const pieces = out.endsWith('.tsv') ? tsvOf(session.triplets()) : [session.toString()];
      for (const piece of pieces) await file.write(piece);
      await file.finish();
    }
    const counts = session.counts();
    if (values.json) {
      printJson({
        ...counts,
        ...(merged ? { agreement: merged.agreement } : {}),
        ...(out ? { file: out } : {}),
      });
      return 0;
    }
    const { items, accepted, rejected, open } = counts;
    print(`${items} items: ${accepted} accepted, ${rejected} rejected, ${open} open`);
    if (merged) print(agreementWords(merged.agreement));
    if (out !== undefined) log(`wrote ${out}`);
    return 0;
  },
};

function agreementWords({ annotators, items, kappa, note, allAccepted, sameTexts }: Agreement): string {
  const figure =
    kappa === null ? (note ?? '') : `Fleiss' κ of accepting versus rejecting ${kappa.toFixed(4)}`;
  return `${annotators.length} annotators decided on ${items} common items: ${figure}. All of them accepted ${allAccepted} items, ${sameTexts} with the same captions.`;
}
