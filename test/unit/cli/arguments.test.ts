import assert from 'node:assert/strict';
import { english } from '../../../src/base/english';
import { CaptiousError } from '../../../src/base/errors';
import { say } from '../../../src/base/say';
import { oneOf, parseCommand } from '../../../src/cli/arguments';
import { auditCommand } from '../../../src/cli/commands/audit';

function thrownBy(run: () => unknown): CaptiousError {
  try {
    run();
  } catch (error) {
    if (error instanceof CaptiousError) return error;
    throw error;
  }
  throw new assert.AssertionError({ message: 'nothing was thrown' });
}

describe('arguments of a command', () => {
  const help = 'See: captious audit --help';
  const errorOf = (option: string) => thrownBy(() => parseCommand(auditCommand, ['x.json', option]));

  it('suggest the option that an unknown one is most like', () => {
    for (const [given, meant] of [
      ['--prboe', 'probe'],
      ['--evaluators=starter', 'evaluator'],
      ['--failon', 'fail-on'],
    ]) {
      const { kind, what, remedy } = errorOf(given);
      assert.equal(kind, 'usage');
      assert.equal(what, `There is no option ${given.split('=')[0]}.`);
      assert.equal(remedy, `Did you mean --${meant}? ${help}`);
    }
  });

  it('name the first unknown option, whatever the values are', () => {
    const named = (...args: string[]) => String(thrownBy(() => parseCommand(auditCommand, args)).what);
    assert.equal(named('--out', 'dir', '--sede', '3', '--lmit'), 'There is no option --sede.');
    assert.equal(named('--out=--sede', '--lmit=3'), 'There is no option --lmit.');
    assert.equal(named('--constructor'), 'There is no option --constructor.');
    // The parser's own words: a short option, and a missing value before an unknown option.
    assert.match(named('-x', '--sede'), /'-x'/);
    assert.match(named('--limit', '--sede'), /--limit/);
  });

  it('suggest nothing if no option is alike, and keep the other errors of the parser', () => {
    assert.equal(errorOf('--qqqqqqqq').remedy, help);
    const { what, remedy } = errorOf('--limit');
    assert.match(String(what), /argument/);
    assert.equal(remedy, help);
  });

  it('check values, and suggest the value that was probably meant', () => {
    const known = ['csv', 'parquet'] as const;
    assert.equal(oneOf('to', undefined, known), undefined);
    assert.equal(oneOf('to', 'csv', known), 'csv');
    assert.deepEqual(
      thrownBy(() => oneOf('to', 'parket', known)).remedy,
      english(say('base.nearestName', 'parquet', say('base.chooseName', 'csv, parquet'))),
    );
  });
});
