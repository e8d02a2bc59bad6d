import assert from 'node:assert/strict';
import { languageOf } from '../../../../src/base/english';
import { mkdtemp, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { Row } from '../../../../src/probe/metric';
import { claimsOf } from '../../../../src/probe/claim';
import { visla } from '../../../../src/probe/visla/visla';
import type { VislaRow } from '../../../../src/probe/visla/row';
import { csv, quote } from '../../../../src/report/export/csv';
import { exportForms, exportReport, exportRun } from '../../../../src/report/export/export';
import { writeBoard } from '../../../../src/report/board/board';
import { speechIn } from '../../../../src/report/export/speech';
import { comparisonHtml } from '../../../../src/report/export/comparison';
import { lineUpReports } from '../../../../src/report/lineUp';
import { jpegSize } from '../../../../src/dataset/images/jpegSize';
import type { ImageSource } from '../../../../src/report/imageSource';
import type { Report } from '../../../../src/report/report';
import { LeftOutRows } from '../../../../src/report/rowChecks';
import { reportOf, writeReport } from '../reportOf';
import { saying, sentence } from '../../../sentence';

const hostile = '</script><img src=x onerror="alert(1)"> & \u0007 =1+1';

function row(index: number, p1p2: number, p1n: number, p2n: number, p1 = `caption ${index}`): VislaRow {
  const distances = { p1p2: 3, p1n: 1, p2n: 4 };
  return {
    example: String(index),
    row: index,
    place: { line: index + 2, column: 1, offset: index * 10, length: 9 },
    image: `${index}.jpg`,
    p1,
    p2: 'the same in other words',
    n: 'something else',
    swapped: index % 2 === 1,
    characters: distances,
    words: distances,
    t2t: { p1p2, p1n, p2n, right: p1p2 > p1n && p1p2 > p2n, tie: p1p2 === Math.max(p1n, p2n) },
  };
}

describe('export formats', () => {
  const rows = [row(0, 0.9, 0.5, 0.4), row(1, 0.3, 0.5, 0.4, hostile), row(2, 0.5, 0.2, 0.5)];
  let folder: string;
  let path: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-export-'));
    const report = reportOf({
      claims: [{ text: 'It <b>guesses</b>.', rule: 'An interval contains 33.3 %.' }],
      metrics: [{ id: 'visla.t2t', value: 1 / 3, n: 3, ties: 1, ci: [0.1, 0.7] }],
    });
    path = await writeReport(folder, report, rows.map((one) => `${JSON.stringify(one)}\n`).join(''));
  });
  after(() => rm(folder, { recursive: true }));

  it('writes all reports of a run into one page, each below its own heading with its own failures', async () => {
    const other = await writeReport(
      await mkdtemp(join(folder, 'other-')),
      reportOf({ evaluator: { ...reportOf().evaluator, name: 'Second <i>one</i>', sha256: 'other' } }),
      [row(7, 0.1, 0.9, 0.8)].map((one) => `${JSON.stringify(one)}\n`).join(''),
    );
    const asked: string[] = [];
    const page = await exportRun([path, other], {}, (of) => {
      asked.push(of);
      return Promise.resolve(undefined);
    });
    assert.deepEqual(asked, [path, other]);
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length);
    const links = [...page.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id);
    assert.deepEqual(links, ['report-1', 'report-2']);
    assert.ok(links.every((id) => ids.includes(id)));
    const [, first, second] = page.split('<section ');
    assert.ok(first.includes('It &lt;b&gt;guesses&lt;/b&gt;.') && !first.includes('caption 7'));
    assert.ok(second.includes('Second &lt;i&gt;one&lt;/i&gt;') && !second.includes('guesses'));
    assert.ok(!page.includes('<img src=x'));
    // Each report alone has the same sections.
    const alone = String(await exported('html'));
    for (const [heading] of alone.matchAll(/<h2[^>]*>[^<]*/g))
      assert.ok(first.includes(heading.replace('id="', 'id="report-1-')), heading);
  });

  async function exported(form: string): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of exportReport(path, form)) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces);
  }

  it('JSON is the report, to the byte', async () => {
    assert.deepEqual(await exported('json'), await readFile(path));
  });

  it('CSV holds no text that a spreadsheet would run', async () => {
    const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
    const texts = signs.flatMap((sign) =>
      ['', ' ', '\u00a0', '\t', '\r', '\n'].map((before) => `${before}${sign}1+1`),
    );
    async function* of(): AsyncGenerator<Row> {
      for (const [i, text] of texts.entries()) yield Promise.resolve({ example: text, row: i });
    }
    let table = '';
    for await (const piece of csv(of)) table += piece;
    const cells = table.match(/(?<=\r\n)(?:"(?:[^"]|"")*"|[^",]*)(?=,)/g)!;
    assert.deepEqual(
      cells.map((cell) => cell.replace(/^"|"$/g, '')),
      texts.map((text) => (/^[\t\r\n]/.test(text) ? `'${text[0]}'${text.slice(1)}` : `'${text}`)),
    );
  });

  it('CSV is safe in programs that split lines at another sign, which do not see the quotes', () => {
    assert.equal(quote('a; b'), '"a; b"');
    for (const sign of [';', '|', '\t', '\n', '\r'])
      for (const blank of ['', '  ']) {
        const table = ['x', quote(`a${sign}${blank}=HYPERLINK(1)${sign}b`), 'y'].join(',');
        for (const cell of table.split(sign)) assert.doesNotMatch(cell, /^"?\s*=/);
      }
    assert.equal(quote('a dog - a cat; two cats = a pair'), '"a dog - a cat; two cats = a pair"');
    // Takes too long if the time grows faster than the length.
    assert.ok(quote(';  \n\t'.repeat(200_000) + ' '.repeat(1_000_000)).length > 2_000_000);
  });

  it('SARIF names every fault at its line, and no other row', async () => {
    const { version, runs } = JSON.parse((await exported('sarif')).toString()) as {
      version: string;
      runs: {
        results: {
          locations: { physicalLocation: { region: { startLine: number } } }[];
          message: { text: string };
        }[];
      }[];
    };
    assert.equal(version, '2.1.0');
    assert.deepEqual(
      runs[0].results.map(({ locations }) => locations[0].physicalLocation.region.startLine),
      [3, 4],
    );
    assert.match(runs[0].results[0].message.text, /something else.*0\.5000.*0\.3000/);
  });

  it('JUnit counts faulty examples as failures and is well-formed', async () => {
    const xml = (await exported('junit')).toString();
    assert.match(xml, /tests="3" failures="2"/);
    assert.equal(xml.match(/<testcase /g)?.length, 3);
    assert.equal(xml.match(/<failure /g)?.length, 2);
    assert.doesNotMatch(xml, /\u0007|<img/);
    assert.match(xml, /<property name="visla.t2t" value="0.3333 \[0.1000, 0.7000\]"\/>/);
  });

  it('HTML holds captions as text, has no script, and puts the worst first', async () => {
    const page = (await exported('html')).toString();
    assert.doesNotMatch(page, /<script|<img|onerror="|https?:\/\//);
    assert.match(page, /&lt;\/script&gt;&lt;img src=x onerror=&quot;/);
    assert.match(page, /It &lt;b&gt;guesses/);
    assert.ok(page.includes(sentence('export.failuresAllListed', 2, 2, 3)));
    assert.ok(page.indexOf('1.jpg') < page.indexOf('2.jpg'));
  });

  it('shows chance levels in HTML and Markdown, only for metrics that have one', async () => {
    const metrics = [
      { id: 'choice.text', value: 0.75, n: 4, ties: 0, ci: [0.5, 1], chance: 0.25 },
      { id: 'choice.pc', value: 0.5, n: 4 },
    ] satisfies Report['metrics'];
    const own = await mkdtemp(join(tmpdir(), 'captious-export-'));
    try {
      const written = await writeReport(own, reportOf({ probe: 'choice', metrics }), '');
      const text = async (form: string): Promise<string> => {
        const pieces: Buffer[] = [];
        for await (const piece of exportReport(written, form)) pieces.push(Buffer.from(piece));
        return Buffer.concat(pieces).toString();
      };
      const lines = (await text('md')).split('\n');
      assert.ok(lines.includes('| metric | value | 95 % interval | chance | n | ties |'));
      const line = (id: string) => lines.find((one) => one.includes(id))?.split(id)[1];
      assert.equal(line('choice.text'), ' | 0.7500 | [0.5000, 1.0000] | 0.2500 | 4 | 0 |');
      assert.equal(line('choice.pc'), ' | 0.5000 |  |  | 4 |  |');
      const page = await text('html');
      assert.match(page, new RegExp(`<th[^>]*>${sentence('export.chanceColumn')}</th>`));
      assert.ok(page.includes(sentence('export.barWithChance', '0.7500', '0.2500')));
      const row = /choice\.text.*?<\/tr>/s.exec(page)?.[0] ?? '';
      assert.match(row, /<td[^>]*>0\.2500<\/td>/);
    } finally {
      await rm(own, { recursive: true });
    }
    assert.doesNotMatch((await exported('md')).toString(), /chance/);
    const plain = (await exported('html')).toString();
    for (const absent of [`>${sentence('export.chanceColumn')}<`, 'chance'])
      assert.ok(!plain.includes(absent), absent);
    assert.doesNotMatch(plain, saying('export.barWithChance'));
  });

  it('Parquet reads back to the same cells, with the report inside', async () => {
    const bytes = await exported('parquet');
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    const found = (await parquetReadObjects({ file })) as Record<string, unknown>[];
    assert.equal(found.length, 3);
    for (const [i, one] of rows.entries()) {
      assert.equal(found[i].p1, one.p1);
      assert.equal(found[i]['t2t.p1p2'], one.t2t?.p1p2);
      assert.equal(found[i].swapped, one.swapped);
      assert.equal(found[i]['place.line'], one.place?.line);
    }
    const kept = parquetMetadata(file).key_value_metadata?.find(({ key }) => key === 'captious.report');
    assert.equal((JSON.parse(kept!.value!) as { probe: string }).probe, 'visla');
  });

  it("offer the paper's fields only for reports of LGIP", async () => {
    await assert.rejects(exported('lgip'), saying('export.wrongProbeForFormat', 'lgip', 'visla'));
  });

  it('produce content for every format', async () => {
    for (const form of exportForms.filter((one) => one !== 'lgip'))
      assert.ok((await exported(form)).length > 50, form);
  });

  it('hold no absolute path of the author’s machine', async () => {
    const home = '/home/jane/private';
    const base = reportOf();
    const report = reportOf({
      dataset: {
        ...base.dataset,
        path: `${home}/triplets.tsv`,
        leftOut: [{ reason: `the image ${home}/a.jpg was not found`, count: 1, lines: [] }],
      },
      evaluator: { ...base.evaluator, id: `${home}/model`, notes: [`Weights from "${home}/model.onnx".`] },
      options: { wordList: `${home}/words.txt` },
      warnings: [`Read ${home}/words.txt, and C:\\Users\\jane\\b.txt.`],
      metrics: [{ id: 'visla.t2t', value: 1 / 3, n: 3, note: `See ${home}/notes.md.` }],
      rows: 'visla.home.rows.jsonl',
    });
    const own = await writeReport(folder, report, rows.map((one) => `${JSON.stringify(one)}\n`).join(''));
    for (const form of exportForms.filter((name) => name !== 'lgip')) {
      const pieces: Buffer[] = [];
      for await (const piece of exportReport(own, form)) pieces.push(Buffer.from(piece));
      const text = Buffer.concat(pieces).toString();
      assert.doesNotMatch(text, /jane|file:\/\//, form);
      if (form === 'md' || form === 'html' || form === 'json') assert.match(text, /words\.txt/, form);
      if (form === 'sarif') assert.match(text, /"uri":"triplets\.tsv"/);
    }
    const compared = comparisonHtml(
      [report, { ...report, options: { wordList: `${home}/others.txt` } }],
      lineUpReports([report, { ...report, options: { wordList: `${home}/others.txt` } }]),
      [],
    );
    assert.doesNotMatch(compared, /jane/);
    assert.match(compared, /others\.txt/);
    for (const file of await writeBoard(folder, join(folder, 'board')))
      assert.doesNotMatch(await readFile(file, 'utf8'), /jane/, file);
  });

  it('embed small images on request, with their attribution', async () => {
    const jpeg = Buffer.from('ffd8ffc0000b080040006001011100ffd9', 'hex');
    const images: ImageSource = {
      image: ({ row: { image } }) =>
        Promise.resolve(
          image === '1.jpg' ? { type: 'image/jpeg', bytes: jpeg, ...jpegSize(jpeg)! } : undefined,
        ),
      file: () => Promise.resolve(undefined),
      attributions: () => Promise.resolve(new Map([['1.jpg', 'author: <Jo>']])),
    };
    assert.doesNotMatch((await exported('html')).toString(), /<img/);
    const pieces: string[] = [];
    for await (const piece of exportReport(path, 'html', new LeftOutRows(), { images }))
      pieces.push(String(piece));
    const page = pieces.join('');
    assert.match(
      page,
      /<img alt="1\.jpg" width="96" height="64" src="data:image\/jpeg;base64,[A-Za-z0-9+/=]+">/,
    );
    assert.match(page, /author: &lt;Jo&gt;/);
    assert.doesNotMatch(page, /<img[^>]* src="(?!data:)/);
  });

  it('HTML names dataset, evaluator and date first, and metrics by name with their id', async () => {
    await utimes(path, new Date('2026-03-04T05:06:00'), new Date('2026-03-04T05:06:00'));
    const page = (await exported('html')).toString();
    const top = page.slice(page.indexOf('<h1>'), page.indexOf(`${sentence('export.metrics')}</h2>`));
    assert.match(top, /VISLA · triplets\.tsv/);
    assert.ok(top.includes(`<dt>${sentence('export.evaluator')}</dt><dd>Tiny <span class="id">tiny</span>`));
    // Of three examples, the sentence counts the right ones.
    assert.ok(
      top.includes(`<p class="claims"><strong>Tiny: `) && top.includes(sentence('probe.tooLittleData')),
    );
    const [, date] = top.split(`<dt>${sentence('export.date')}</dt>`);
    assert.match(date, /^<dd><time datetime="2026-03-04T[^"]*">Mar 4, 2026, 5:06 AM</);
    const accuracy = `${sentence('visla.captionsAlone')}: ${sentence('visla.accuracy')}`;
    assert.ok(page.includes(`${accuracy} <span class="id">visla.t2t<`));
  });

  it('HTML is in the language of the editor, with its numbers and dates', async () => {
    const bundle = JSON.parse(await readFile('l10n/bundle.l10n.de.json', 'utf8')) as Record<string, string>;
    const own = await mkdtemp(join(tmpdir(), 'captious-export-'));
    try {
      const metrics = [
        { id: 'visla.t2t', value: 1 / 3, n: 3, ci: [0.1, 0.7] as const },
        { id: 'visla.t2t.p1n', value: null, n: 0, note: 'No examples.' },
        { id: 'visla.t2t', value: 1.2e-12, n: 3, slice: { 'caption length': '8–11' } },
      ];
      const claims = claimsOf(visla, metrics);
      const leftOut = [{ reason: sentence('probe.imageNotFound'), count: 2, lines: [] }];
      const dataset = { ...reportOf().dataset, leftOut };
      const report = reportOf({ claims, metrics, dataset });
      const written = await writeReport(own, report, `${JSON.stringify(row(0, 0.3, 0.5, 0.4))}\n`);
      await utimes(written, new Date('2026-03-04T05:06:00'), new Date('2026-03-04T05:06:00'));
      let page = '';
      const speech = speechIn({ language: 'de', ...languageOf(bundle) });
      for await (const piece of exportReport(written, 'html', new LeftOutRows(), { speech }))
        page += piece.toString();
      assert.match(page, /<html lang="de">/);
      for (const part of [
        '<dt>Datum</dt>',
        '04.03.2026, 05:06',
        'Zu wenige Bilder für einen Befund: „Nur aus den Bildunterschriften: Genauigkeit“ hat 3',
        '0,3333',
        '[0,1000; 0,7000]',
        'Nur aus den Bildunterschriften: Genauigkeit <span class="id">visla.t2t<',
        '(Länge der Bildunterschrift: 8–11)',
        '1,2e-12',
        'Keine Beispiele.',
        '2: sein Bild wurde nicht gefunden',
        'Fehlgeschlagene Vergleiche: 1, in 1 von 1 Zeile des Berichts.',
        '„something else“ ist „caption 0“ mindestens so ähnlich (0,5000)',
      ])
        assert.ok(page.includes(part), part);
      // Captions, versions and ids stay unchanged.
      assert.match(page, /„caption 0“/);
      assert.match(page, /captious 0\.1\.0/);
    } finally {
      await rm(own, { recursive: true });
    }
  });

  it('HTML collapses hundreds of metrics, except those of the cards', async () => {
    const own = await mkdtemp(join(tmpdir(), 'captious-export-'));
    try {
      const other = (i: number) => ({ id: `invariance.spatial.blur.${i}.median`, value: i, n: 1 });
      const card = { id: 'invariance.spatial.absDelta', value: 0.5, n: 1 };
      const metrics = [...Array.from({ length: 100 }, (_, i) => other(i)), card];
      const written = await writeReport(own, reportOf({ probe: 'invariance', metrics }), '');
      let page = '';
      for await (const piece of exportReport(written, 'html')) page += piece.toString();
      const [shown, collapsed] = page.split('<details>');
      assert.match(shown, /invariance\.spatial\.absDelta/);
      assert.doesNotMatch(shown, /invariance\.spatial\.blur/);
      assert.ok(collapsed.startsWith(`<summary>${sentence('editor.further', 100)}</summary>`));
      assert.match(collapsed, /invariance\.spatial\.blur\.99\.median/);
    } finally {
      await rm(own, { recursive: true });
    }
  });
});
