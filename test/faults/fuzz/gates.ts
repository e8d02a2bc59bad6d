import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseGate } from '../../../src/report/gate';
import { reportOf } from '../../unit/report/reportOf';
import { orToldApart, type Target } from './target';

/** A gate's text, and whether the gate holds for `metrics`. */
interface Sum {
  text: string;
  holds: boolean;
}

const metrics = { 'a.b': 0.5, 'c@0.7': -1, d: 0 };
const operand = fc.oneof(
  fc.constantFrom(...Object.entries(metrics)).map(([text, value]) => ({ text, value, isMetric: true })),
  fc
    .double({ min: -9, max: 9, noNaN: true })
    .map((value) => ({ text: String(value), value, isMetric: false })),
);
const signs: Record<string, (a: number, b: number) => boolean> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};
const { sum } = fc.letrec<{ sum: Sum }>((tie) => ({
  sum: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc
      .tuple(operand, fc.constantFrom(...Object.entries(signs)), operand)
      .filter(([a, , b]) => a.isMetric !== b.isMetric || (a.isMetric && a.text !== b.text))
      .map(([a, [sign, holds], b]) => ({
        text: `${a.text} ${sign} ${b.text}`,
        holds: holds(a.value, b.value),
      })),
    fc
      .tuple(tie('sum'), tie('sum'))
      .map(([a, b]) => ({ text: `(${a.text}) && (${b.text})`, holds: a.holds && b.holds })),
    fc
      .tuple(tie('sum'), tie('sum'))
      .map(([a, b]) => ({ text: `(${a.text})||(${b.text})`, holds: a.holds || b.holds })),
    tie('sum').map((a) => ({ text: `!(${a.text})`, holds: !a.holds })),
  ),
}));

export const gates: Target = {
  name: 'gates',
  share: 0.15,
  property: () => {
    const report = reportOf({ metrics: Object.entries(metrics).map(([id, value]) => ({ id, value, n: 1 })) });
    const noise = fc
      .array(
        fc.constantFrom(
          '(',
          ')',
          '!',
          '&&',
          '||',
          '<',
          '<=',
          '==',
          '!=',
          '=',
          '1',
          '-.5',
          '1e999',
          'a.b',
          'd',
          '__proto__',
          'constructor',
          ' ',
          '\n',
          '"',
          '`',
          '${',
          '\0',
          'é',
        ),
        { maxLength: 24 },
      )
      .map((parts) => parts.join(''));
    return fc.asyncProperty(
      fc.oneof(sum, noise, fc.string({ unit: 'binary', maxLength: 60 })),
      async (given) => {
        if (typeof given !== 'string') {
          assert.equal(parseGate(given.text).holds([report]), given.holds, given.text);
          return;
        }
        await orToldApart(() => assert.equal(typeof parseGate(given).holds([report]), 'boolean'));
      },
    );
  },
};
