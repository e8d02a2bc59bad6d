/** What people judged about a report's variants, for exports. */
import { say, type Words } from '../../base/say';
import { escapeXml as e } from '../../base/xml';
import type { Row } from '../../probe/metric';
import type { Picked } from '../../protocol/judgement';
import type { Judged } from '../../protocol/parts/judged';
import { endsOf, figure } from '../figures';
import { htmlTable } from './page';
import type { Speech } from './speech';

export interface Judgments extends Judged {
  variants: {
    image: string;
    original: string;
    changed: string;
    votes: { judge: string; picked: Picked }[];
  }[];
}

/** The judgments on a row's variant. */
export type VotesOn = (row: Row, variant: number) => Judgments['variants'][number]['votes'];

export interface JudgedParts {
  judgments: Judgments;
  votesOn: VotesOn;
}

/** The names of the people who reject a variant, and of those who find it valid. Empty without judgments. */
export function judgedCells(votes: ReturnType<VotesOn>): { judged?: Partial<Record<Picked, string>> } {
  if (votes.length === 0) return {};
  const by = (picked: Picked) => namesOf(votes, picked);
  return {
    judged: {
      ...(by('rejected') === '' ? {} : { rejected: by('rejected') }),
      ...(by('valid') === '' ? {} : { valid: by('valid') }),
    },
  };
}

function namesOf(votes: ReturnType<VotesOn>, picked: Picked): string {
  return votes.flatMap((vote) => (vote.picked === picked ? [vote.judge] : [])).join(', ');
}

/** The judgments as the body of a page: the people, the metrics with and without, and each variant. */
export function judgmentsBody({ judges, rejected, metrics, variants }: Judgments, speech: Speech): string {
  const people = judges.map(({ name, rejected: no, valid }) =>
    speech.say(say('export.judgedBy', name, no, valid)),
  );
  const cell = ({ value, ci, n }: Judged['metrics'][number]['all']) =>
    e(`${figure(value, ci)} ${endsOf(ci)} n = ${n}`);
  const said = (words: Words) => speech.say(words);
  return [
    `<p>${e(people.join(', '))}</p>`,
    rejected === 0
      ? ''
      : htmlTable(
          [
            { title: said(say('export.metricColumn')), number: false },
            { title: said(say('export.allVariants')), number: true },
            { title: said(say('export.withoutRejected', rejected)), number: true },
          ],
          metrics.map(({ title, all, rest }) => [e(said(title)), cell(all), cell(rest)]),
        ),
    htmlTable(
      [
        ...[say('export.judgedImage'), say('export.judgedOriginal'), say('export.judgedVariant')],
        ...[say('export.judgedNoError'), say('export.judgedValid')],
      ].map((title) => ({ title: said(title), number: false })),
      variants.map(({ image, original, changed, votes }) =>
        [image, original, changed, namesOf(votes, 'rejected'), namesOf(votes, 'valid')].map(e),
      ),
    ),
  ].join('\n');
}
