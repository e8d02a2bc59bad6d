import { say } from '../../base/say';
import { createHash } from 'node:crypto';
import type { TextItem, Want } from '../../protocol/item';
import type { Consent, Evaluator, Measure } from '../evaluator';

/** Separates a caption from the number of its repeat, under which the store keeps its answer. */
const mark = '\u0000repeat ';

/** Splits a text into its caption and the number of the repeat. A text without a number is repeat 0. */
export function repeatOf(text: string): { caption: string; repeat: number } {
  const at = text.lastIndexOf(mark);
  const repeat = at < 0 ? NaN : Number(text.slice(at + mark.length));
  return Number.isInteger(repeat) ? { caption: text.slice(0, at), repeat } : { caption: text, repeat: 0 };
}

/** Wraps a consent, so that its terms count `times` questions for each pair. */
export function consentFor(consent: Consent, times: number): Consent {
  return {
    endpoint: consent.endpoint,
    get given() {
      return consent.given;
    },
    terms: (pairs) => consent.terms(pairs === undefined ? undefined : pairs * times),
    give: () => consent.give(),
  };
}

/** Asks each question several times. The score is the mean, and reports state the spread. */
export function repeated(inner: Evaluator, times: number): Evaluator {
  const { info, consent } = inner;
  return {
    info: {
      ...info,
      sha256: createHash('sha256').update(`${times} repeats of ${info.sha256}`).digest('hex'),
      get notes() {
        return [say('judge.meanOfAnswers', times), ...info.notes];
      },
    },
    ...(consent === undefined ? {} : { consent: consentFor(consent, times) }),
    derived: {
      inner,
      expand: ({ left, right }) =>
        Array.from({ length: times }, (_, i): Want => {
          const { text } = right as TextItem;
          return { left, right: { kind: 'text', text: i === 0 ? text : `${text}${mark}${i}` } };
        }),
      combine: (_want, scores) => mean(scores),
      measure: (answers) => spreadOf(answers, times),
    },
    close: () => inner.close(),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1));
}

/** Measures how much the answers to one question differ. */
function spreadOf(answers: readonly (readonly number[])[], times: number): Measure[] {
  const n = answers.length;
  if (n === 0) return [];
  const same = answers.filter((own) => own.every((score) => score === own[0])).length;
  return [
    {
      id: 'judge.spread',
      value: mean(answers.map(deviation)),
      n,
      note: say('judge.spreadMeaning', times),
    },
    { id: 'judge.same', value: same / n, n, note: say('judge.sameMeaning', times) },
  ];
}
