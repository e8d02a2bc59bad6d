import assert from 'node:assert/strict';
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { english } from '../../src/base/english';
import { say } from '../../src/base/say';
import { saying } from '../sentence';
import type { Inspection } from '../../src/dataset/inspect';
import type { Report } from '../../src/report/report';
import { captious, type Ended, fixtures, model, scratch } from './command';

describe('broken or hostile datasets', function () {
  this.timeout(180_000);
  const place = scratch();

  function write(name: string, content: string | Buffer): string {
    const path = place.in(name);
    writeFileSync(path, content);
    return path;
  }

  async function inspect(path: string): Promise<{ found: Inspection; ended: Ended }> {
    const ended = await captious(['inspect', path, '--json'], { home: place.home, limitMs: 170_000 });
    assert.equal(ended.code, 0, ended.err);
    return { found: JSON.parse(ended.out) as Inspection, ended };
  }

  function problem(found: Inspection, code: string): Inspection['problems'][number] {
    const localized = found.problems.find((one) => one.code === code);
    assert.ok(localized !== undefined, JSON.stringify(found.problems));
    return localized;
  }

  async function audit(
    path: string,
    probe = 'visla',
    evaluator = model('bert-cls'),
  ): Promise<Ended & { reports: Report[]; folder: string }> {
    const folder = `${path}-out`;
    const ended = await captious(
      ['audit', path, '--probe', probe, '--evaluator', evaluator, '--out', folder, '--json'],
      { home: place.home },
    );
    return { ...ended, reports: ended.code === 0 ? (JSON.parse(ended.out) as Report[]) : [], folder };
  }

  const row = (image: string, caption: string): string => JSON.stringify({ image, caption });
  const triplet = (i: number, p1: string, p2: string, n: string): string =>
    [`${i}.jpg`, p1, p2, n].join('\t');
  const head = 'filename\tcaption\tsecond positive\tnegative_caption';

  it('a Parquet page that never ends: stops after half a minute, names the row group', async () => {
    const bytes = readFileSync(join(fixtures, 'dataset', 'encodings.parquet'));
    // Overwrites the block size of the delta-encoded values in the second row group's first page.
    bytes.set([0xff, 0xff, 0xff, 0xff, 0x0f], 1507);
    const path = write('endless.parquet', bytes);
    const { code, err, seconds } = await captious(['inspect', path], { home: place.home });
    assert.equal(code, 2, err);
    assert.match(
      err,
      /endless\.parquet: Row group 2 \(rows 51 to 80\) cannot be read: nothing was decoded for 30/,
    );
    assert.ok(err.includes(english(say('dataset.parquetDownloadAgain'))), err);
    assert.ok(seconds < 45, `${seconds} s`);
  });

  describe('size and depth', () => {
    for (const [name, before, after] of [
      [
        'JSON lines',
        `${row('a.jpg', 'One.')}\n{"image": "b.jpg", "caption": "`,
        `"}\n${row('c.jpg', 'Three.')}\n`,
      ],
      ['a list', `[${row('a.jpg', 'One.')},{"image": "b.jpg", "caption": "`, `"},${row('c.jpg', 'Three.')}]`],
      ['a table', `image,caption\na.jpg,One.\nb.jpg,"`, `"\nc.jpg,Three.\n`],
    ] as const) {
      it(`1 GB on one line, ${name}: names that entry, reads the others, memory stays flat`, async () => {
        const path = place.in('long');
        const file = openSync(path, 'w');
        const piece = Buffer.alloc(1 << 20, 'x');
        writeSync(file, before);
        for (let i = 0; i < 1000; i++) writeSync(file, piece);
        writeSync(file, after);
        closeSync(file);
        try {
          const { found, ended } = await inspect(path);
          assert.equal(found.examples, 2);
          const { count, first } = problem(found, 'broken-row');
          assert.equal(count, 1);
          assert.match(first[0].message, /longer than/);
          assert.ok(ended.peakMb < 400, `${ended.peakMb} MB`);
        } finally {
          rmSync(path);
        }
      });
    }

    for (const [name, open, close] of [
      ['lists', '[', ']'],
      ['objects', '{"a":', '}'],
    ] as const) {
      it(`a million levels of ${name}: names that entry, reads the others`, async () => {
        const deep = `{"image": "b.jpg", "caption": ${open.repeat(1e6)}1${close.repeat(1e6)}}`;
        const { found } = await inspect(
          write('deep.jsonl', `${row('a.jpg', 'One.')}\n${deep}\n${row('c.jpg', 'Three.')}\n`),
        );
        assert.equal(found.examples, 2);
        assert.equal(found.problems.length, 1);
        assert.equal(found.problems[0].first[0].place?.line, 2);
        const whole = await captious(
          ['inspect', write('deep.json', `${open.repeat(1e6)}1${close.repeat(1e6)}`)],
          {
            home: place.home,
          },
        );
        assert.equal(whole.code, 2, whole.err);
        assert.match(whole.err, saying('dataset.formatUnknown'));
        assert.match(whole.err, /deep\.json: /);
      });
    }
  });

  it('an empty file, and one of white space: exits with 2, names the file', async () => {
    for (const [content, says] of [
      ['', saying('dataset.useFileWithCaptions')],
      ['\n \n\t', saying('dataset.formatUnknown')],
      ['\ufeff', /empty\.jsonl: /],
      ['\0'.repeat(100_000), saying('dataset.formatUnknown')],
    ] as const) {
      const { code, err } = await captious(['inspect', write('empty.jsonl', content)], { home: place.home });
      assert.equal(code, 2, err);
      assert.match(err, says);
      assert.match(err, /empty\.jsonl: /);
    }
  });

  it('a table with a header and no rows: exits with 2, and writes no report', async () => {
    const { code, err, reports } = await audit(write('none.tsv', `${head}\n`));
    assert.equal(code, 2, err);
    assert.ok(err.includes(`none.tsv: ${english(say('audit.noExamples'))}`), err);
    assert.deepEqual(reports, []);
  });

  it('one row: metrics without intervals', async () => {
    const { code, err, reports } = await audit(
      write('one.tsv', `${head}\n${triplet(1, 'a cat', 'one cat', 'a dog')}\n`),
    );
    assert.equal(code, 0, err);
    assert.equal(reports[0].dataset.examples, 1);
    for (const { value, ci } of reports[0].metrics)
      assert.ok(value === null || ci === undefined || ci[0] <= ci[1]);
  });

  it('all ties and no variance: no win, counts each tie, never NaN', async () => {
    const same = Array.from({ length: 30 }, (_, i) => triplet(i, 'a cat', 'a cat', 'a cat'));
    const { code, err, reports, folder } = await audit(write('ties.tsv', `${head}\n${same.join('\n')}\n`));
    assert.equal(code, 0, err);
    const rate = reports[0].metrics.find(({ id }) => id === 'visla.t2t');
    assert.deepEqual([rate?.value, rate?.ties, rate?.n], [0, 30, 30]);
    for (const name of readdirSync(folder))
      assert.doesNotMatch(readFileSync(join(folder, name), 'utf8'), /NaN|Infinity|:null,"n":[1-9]/);
  });

  it('ragged rows: names each with its line, reads the others', async () => {
    const lines = [
      head,
      triplet(1, 'a', 'b', 'c'),
      '2.jpg\tonly',
      triplet(3, 'd', 'e', 'f'),
      `${triplet(4, 'g', 'h', 'i')}\tmore\tand more`,
      triplet(5, 'j', 'k', 'l'),
    ];
    const { code, err, reports } = await audit(write('ragged.tsv', `${lines.join('\n')}\n`));
    assert.equal(code, 0, err);
    assert.equal(reports[0].dataset.examples, 3);
    assert.equal(reports[0].dataset.skipped, 2);
    assert.deepEqual(reports[0].dataset.leftOut.flatMap(({ lines: at }) => at).sort(), [3, 5]);
    assert.match(err, /line 3, column 1/);
  });

  it('special keys, repeated keys, half characters, invisible letters: rows count, warnings name their lines', async () => {
    const lines = [
      '{"image": "1.jpg", "caption": "A.", "__proto__": {"caption": "polluted"}, "constructor": 2}',
      '{"image": "2.jpg", "caption": "first", "caption": "last"}',
      '{"image": "3.jpg", "caption": "half \\ud83d of one"}',
      `{"image": "4.jpg", "caption": "\u202eturned round\u202c \u200b\u200d\ufeff and unseen"}`,
      '{"image": "5.jpg", "caption": "\u05d7\u05ea\u05d5\u05dc \u0642\u0637\u0629"}',
    ];
    const { found } = await inspect(write('odd.jsonl', `${lines.join('\n')}\n`));
    assert.equal(found.examples, 5);
    assert.deepEqual(
      found.problems.map(({ code, first }) => [code, first[0].place?.line]),
      [
        ['duplicate-key', 2],
        ['encoding', 3],
      ],
    );
  });

  it('captions with markup, commands or formulas: text in the report and in every export', async () => {
    const captions = [
      '</script><img src=x onerror=alert(1)>',
      '[look](command:workbench.action.terminal.new) command:evil',
      '=HYPERLINK("http://evil.example/","x")',
      '+1+1|cmd',
      '-2+3',
      '@SUM(1)',
      '\u0007bell',
      '|a|b|\n# title',
      '`code` *bold* <b>',
      ']]>',
    ];
    const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    const lines = captions.map((text, i) =>
      [`${i}.jpg`, text, `${text} too`, `no ${text}`].map(cell).join('\t'),
    );
    const { code, err, reports, folder } = await audit(write('markup.tsv', `${head}\n${lines.join('\n')}\n`));
    assert.equal(code, 0, err);
    assert.equal(reports[0].dataset.examples, captions.length);
    const report = join(
      folder,
      readdirSync(folder).find((name) => name.endsWith('.report.json'))!,
    );
    const exported = async (form: string): Promise<string> => {
      const ended = await captious(['export', report, '--to', form], { home: place.home });
      assert.equal(ended.code, 0, ended.err);
      return ended.out;
    };
    const page = await exported('html');
    assert.doesNotMatch(page, /<script|<img|<b>|href=/i);
    assert.match(page, /Content-Security-Policy" content="default-src 'none'/);
    const table = await exported('csv');
    for (const line of table.split('\r\n')) {
      for (const one of cellsOf(line))
        assert.ok(/^-?[\d.]+(e-?\d+)?$/.test(one) || !/^[=+\-@\t\r]/.test(one), one);
    }
    assert.match(table, /'=HYPERLINK/);
    for (const form of ['junit', 'sarif', 'md', 'jsonl']) {
      const text = await exported(form);

      if (form === 'junit') assert.doesNotMatch(text, /<img|<b>|\u0007/);
      if (form === 'sarif') JSON.parse(text);
      // Editors make unescaped links in SARIF messages clickable.
      if (form === 'sarif') assert.doesNotMatch(text, /[^\\]\[look\]\(command:/);
      if (form === 'md') assert.doesNotMatch(text, /<img|\[look\]\(/);
    }
  });

  it('a gate that would expand or run code: exits with 2 at once, before encoding', async () => {
    const data = write('gate.tsv', `${head}\n${triplet(1, 'a cat', 'one cat', 'a dog')}\n`);
    for (const gate of [
      '('.repeat(1900),
      '!'.repeat(1900) + '1<2',
      '1<2||'.repeat(5000),
      'process.exit(0)',
      '`id`',
      '$(id)',
      'visla.t2t < (() => { while (true); })()',
      '1 < 1e999999999999999999999 && a == b; c',
      'a'.repeat(1999),
    ]) {
      const { code, err, seconds } = await captious(
        [
          'audit',
          data,
          '--probe',
          'visla',
          '--evaluator',
          model('bert-cls'),
          '--out',
          place.in('gate'),
          '--fail-on',
          gate,
        ],
        { home: place.home },
      );
      assert.equal(code, 2, `${gate.slice(0, 40)}: ${err}`);
      assert.match(err, saying('report.conditionInvalid'));
      assert.ok(seconds < 10);
    }
  });
});

function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((match) =>
    (match[1] ?? match[2]).replaceAll('""', '"'),
  );
}
