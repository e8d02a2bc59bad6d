import { pauses } from '../base/errors';
import { say } from '../base/say';
import { Tally } from '../base/text/tally';
import type { Example } from '../dataset/example';
import type { Candidate } from '../protocol/triplets';
import type { HalfTriplet } from './half';
import { jaccard, wordSet } from './jaccard';
import { contradiction, type RelationKind, turnedRound } from './relations';
import { parseStatement, sentence, type Statement } from './statement';
import { addTo } from '../base/lists';

const mostNegatives = 3;

interface Known extends Statement {
  id: string;
  image: string | undefined;
  isTrue: boolean;
  /** Whether an annotator judged the statement false. */
  disputed: boolean;
  words: ReadonlySet<string>;
}

export interface SpatialYield {
  halves: HalfTriplet[];
  statements: number;
  leftOut: Tally['list'];
}

/**
 * Mines VSR as in the VISLA paper. The second positive swaps subject and object and inverts the relation. A
 * negative contradicts the statement and is about the same two things.
 */
export async function mineSpatial(
  examples: AsyncIterable<Example>,
  signal?: AbortSignal,
): Promise<SpatialYield> {
  const leftOut = new Tally();
  const known: Known[] = [];
  let statements = 0;
  for await (const example of examples) {
    const caption = example.captions.at(0);
    const { relation } = example.attributes;
    if (caption === undefined || typeof relation !== 'string') continue;
    statements++;
    const text = caption.text.trim();
    const isTrue = caption.role === 'caption';
    const statement = parseStatement(text, relation);
    if (statement === undefined) {
      if (isTrue) leftOut.add(say('mining.relationUnknown', relation));
      continue;
    }
    known.push({
      ...statement,
      id: example.id,
      image: example.images.at(0)?.name,
      isTrue,
      disputed: hasVotes(example.attributes.vote_false_validator_id),
      words: wordSet(text),
    });
  }
  const corpus = new Corpus(known);
  const halves: HalfTriplet[] = [];
  const seen = new Set<string>();
  const pause = pauses(signal);
  for (const statement of known) {
    await pause();
    if (!statement.isTrue) continue;
    const key = JSON.stringify([statement.image, statement.text]);
    if (statement.disputed) leftOut.add(say('mining.statementDisputed'));
    else if (seen.has(key)) leftOut.add(say('mining.statementTwice'));
    else {
      seen.add(key);
      const negatives = corpus.negatives(statement);
      if (negatives.length === 0) leftOut.add(say('mining.noContradiction'));
      else halves.push(halfOf(statement, negatives));
    }
  }
  return { halves, statements, leftOut: leftOut.list };
}

function halfOf(statement: Known, negatives: Candidate[]): HalfTriplet {
  return {
    id: statement.id,
    ...(statement.image === undefined ? {} : { image: statement.image }),
    caption: statement.text,
    positives: turnings(statement),
    negatives,
  };
}

/** The sentence with subject and object swapped, once for each phrase of the inverse relation. */
export function turnings({ subject, relation, object, end }: Statement): Candidate[] {
  return relation.inverses.map((phrase) => ({
    text: sentence(object, phrase, subject, end),
    from: `${relation.phrase} → ${phrase}`,
  }));
}

/** The statements of a dataset, indexed by subject and object. */
class Corpus {
  private readonly byThings = new Map<string, Known[]>();
  private readonly bySubject = new Map<string, Known[]>();
  private readonly byObject = new Map<string, Known[]>();
  /** True statements about each image. They must not become negatives of the image. */
  private readonly truths = new Set<string>();

  constructor(statements: readonly Known[]) {
    for (const statement of statements) {
      addTo(this.byThings, things(statement), statement);
      addTo(this.bySubject, statement.subject, statement);
      addTo(this.byObject, statement.object, statement);
      if (statement.isTrue) this.truths.add(truth(statement.image, statement.text));
    }
  }

  negatives(of: Known): Candidate[] {
    const rivals = (this.byThings.get(things(of)) ?? []).filter(
      (other) => mayContradict(of, other) && contradiction(of.relation.kind, kindIn(other, of.subject)) > 0,
    );
    const verbatim = ranked(of, rivals).map(({ text, image, isTrue }) => ({
      text,
      from: `${isTrue ? 'true' : 'false'} of ${image ?? 'another image'}`,
    }));
    const strength = (other: Known) => contradiction(of.relation.kind, other.relation.kind);
    const kin = [...(this.bySubject.get(of.subject) ?? []), ...(this.byObject.get(of.object) ?? [])].filter(
      (other) => mayContradict(of, other) && strength(other) > 0,
    );
    // Relations come from statements with the same subject or object. Relations between other things can be
    // absurd, such as a truck inside a motorcycle.
    const fitted = [2, 1]
      .flatMap((wanted) =>
        ranked(
          of,
          kin.filter((other) => strength(other) === wanted),
        ),
      )
      .map(({ relation, text }) => ({
        text: sentence(of.subject, relation.phrase, of.object, of.end),
        from: `fitted: ${text}`,
      }));
    return distinct([...verbatim, ...fitted])
      .filter(({ text }) => !this.truths.has(truth(of.image, text)))
      .slice(0, mostNegatives);
  }
}

/** Whether the other statement is about another image, or is false of the same image. */
function mayContradict(of: Known, other: Known): boolean {
  return other.image !== of.image || !other.isTrue;
}

/** The kind of the relation, as seen from `subject`. */
function kindIn({ subject: own, relation }: Known, subject: string): RelationKind {
  return own === subject ? relation.kind : turnedRound(relation.kind);
}

/** Sorts statements by their word overlap with `of`, largest first. The sort is stable. */
function ranked(of: Known, others: readonly Known[]): Known[] {
  return others
    .map((other, at) => ({ other, at, closeness: jaccard(of.words, other.words) }))
    .sort((a, b) => b.closeness - a.closeness || a.at - b.at)
    .map(({ other }) => other);
}

function distinct(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ text }) => !seen.has(text) && seen.add(text));
}

function things({ subject, object }: Statement): string {
  return JSON.stringify([subject, object].sort());
}

function truth(image: string | undefined, text: string): string {
  return JSON.stringify([image, text]);
}

/** Whether there are any votes. VSR writes the voters' ids as text: "[2, 9]". */
function hasVotes(value: unknown): boolean {
  return typeof value === 'string' && /\d/.test(value);
}
