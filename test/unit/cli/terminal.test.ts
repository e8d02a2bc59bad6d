import assert from 'node:assert/strict';
import { mock } from 'node:test';
import stringWidth from 'string-width';
import { visible } from '../../../src/base/text/visible';
import { ProgressBar, singles, table } from '../../../src/cli/terminal';

describe('text for a terminal', () => {
  it('contains no character that controls it', () => {
    const hostile =
      '\u001b]52;c;aGk=\u0007 \u009b2J \u001b[31m red \r over \u202e back \u200f mark \u007f \b';
    const shown = visible(hostile);

    assert.doesNotMatch(shown, /[\u0000-\u001f\u007f-\u009f\u200f\u202e]/);
    assert.match(shown, /^\\u001b\]52;c;aGk=\\u0007 \\u009b2J \\u001b\[31m red \\u000d over/);
    assert.equal(visible('a café,\tvier 😀\n'), 'a café,\tvier 😀\n');
  });

  it('leaves the value of JSON unchanged', () => {
    const value = { text: '\u001b[2J \u009b1m \u2028 \u202e "\\u001b" \u007f' };
    assert.deepEqual(JSON.parse(visible(JSON.stringify(value, null, 1))), value);
  });
});

describe('a table', () => {
  it('counts the columns of the terminal that a text takes', () => {
    const rows = [
      ['犬が走る', '1'],
      ['e\u0301', '12'],
      ['👩‍🚀', '3'],
    ];
    assert.deepEqual(table(['caption', 'n'], rows).split('\n').slice(2), [
      '犬が走る   1',
      'e\u0301         12',
      '👩‍🚀         3',
    ]);
  });
});

describe('characters that need no measuring', () => {
  it('take one column each', () => {
    const all = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code));
    const wrong = all.filter((character) => singles.test(character) && stringWidth(character) !== 1);
    assert.deepEqual(wrong, []);
    assert.ok(singles.test("Spearman's ρ −0.5 – 1 …"));
  });
});

describe('progress', () => {
  const progress = { fraction: 0.25, examples: 1200, asked: 5000, done: 1250, fromStore: 0, rate: 430.2 };

  function output(isTTY: boolean): { lines: string[]; bar: ProgressBar } {
    const lines: string[] = [];
    const write = (text: string | Uint8Array) => lines.push(String(text)) > 0;
    return { lines, bar: new ProgressBar({ isTTY, columns: 80, write } as NodeJS.WriteStream) };
  }

  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(() => mock.timers.reset());

  it('is a line every ten seconds if standard error is not a terminal', () => {
    const { lines, bar } = output(false);
    bar.draw('lgip', progress);
    mock.timers.tick(9_999);
    assert.deepEqual(lines, []);
    bar.draw('lgip', { ...progress, fraction: 0.5, secondsLeft: 12 });
    mock.timers.tick(1);
    mock.timers.tick(10_000);
    assert.deepEqual(lines, Array(2).fill('lgip 50 %  1200 examples · 430/s · 12 s left\n'));
    bar.clear();
    mock.timers.tick(60_000);
    assert.equal(lines.length, 2);
  });

  it('is a bar on a terminal that overwrites itself', () => {
    const { lines, bar } = output(true);
    bar.draw('lgip', progress);
    mock.timers.tick(60_000);
    assert.deepEqual(lines, ['\r\u001b[2Klgip ━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ 25 %  1200 examples · 430/s']);
    bar.clear();
    assert.equal(lines.at(-1), '\r\u001b[2K');
  });
});
