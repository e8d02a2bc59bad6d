import { english } from '../../src/base/english';
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import type { Report } from '../../src/report/report';
import { captious, fixtures, model, scratch } from './command';

/** A black PNG of any size, with about 120 bytes per megapixel. */
function plainPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const out = Buffer.alloc(data.length + 12);
    out.writeUInt32BE(data.length, 0);
    out.write(type, 4, 'latin1');
    data.copy(out, 8);
    out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length);
    return out;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const lines = deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', lines),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

async function audit(
  rows: readonly string[],
  data: string,
  home: string,
): Promise<{ report: Report; rows: string; err: string; peakMb: number }> {
  const lines = rows.map((image, i) => JSON.stringify({ image, caption: `A red cat and ${i + 2} dogs.` }));
  writeFileSync(data, `${lines.join('\n')}\n`);
  const out = `${data}-out`;
  const ended = await captious(
    ['audit', data, '--probe', 'lgip', '--evaluator', model('clip'), '--out', out, '--json'],
    { home },
  );
  assert.equal(ended.code, 0, ended.err);
  const [report] = JSON.parse(ended.out) as Report[];
  return { report, rows: readFileSync(join(out, report.rows), 'utf8'), err: ended.err, peakMb: ended.peakMb };
}

function imagesIn(rows: string): Set<string> {
  return new Set(
    rows
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { image: string }).image),
  );
}

describe('broken or hostile images', function () {
  this.timeout(120_000);
  const place = scratch();

  it('each costs only its own example, is counted with its line and its reason; memory stays bounded', async () => {
    const folder = place.in('pictures');
    mkdirSync(folder);
    const known = join(fixtures, 'pictures');
    const good = readdirSync(known).filter((name) => !/^(broken-off|text|bitmap|drawing|vast)\b/.test(name));
    for (const name of readdirSync(known)) copyFileSync(join(known, name), join(folder, name));
    // The misleading name has no effect, because the content decides.
    copyFileSync(join(known, 'colour.png'), join(folder, 'really-a-png.jpg'));
    good.push('really-a-png.jpg');
    const whole = readFileSync(join(known, 'quality75.jpg'));
    const bad: Record<string, RegExp> = {
      'half.jpg': /cannot be decoded/,
      'nothing.jpg': /not a JPEG|cannot be decoded/,
      'noise.png': /not a JPEG/,
      'bomb.png': /more than 100 million pixels/,
      'broken-off.jpg': /cannot be decoded/,
      'text.jpg': /not a JPEG/,
      'bitmap.bmp': /not a JPEG/,
      'drawing.svg': /not a JPEG/,
      'drawing.png': /not a JPEG/,
      'vast.png': /more than 100 million pixels/,
    };
    writeFileSync(join(folder, 'half.jpg'), whole.subarray(0, whole.length >> 1));
    writeFileSync(join(folder, 'nothing.jpg'), '');
    writeFileSync(
      join(folder, 'noise.png'),
      Buffer.from(Array.from({ length: 999 }, (_, i) => (i * i) & 255)),
    );
    writeFileSync(join(folder, 'bomb.png'), plainPng(14_000, 14_000));
    // The order by the last letters mixes valid and invalid images, so that batches contain both.
    const names = [...good, ...Object.keys(bad)].sort((a, b) =>
      a.split('').reverse().join('') < b.split('').reverse().join('') ? -1 : 1,
    );
    const { report, rows, peakMb } = await audit(names, join(folder, 'all.jsonl'), place.home);
    assert.deepEqual([...imagesIn(rows)].sort(), [...good].sort());
    assert.equal(report.dataset.examples, good.length);
    assert.equal(report.dataset.skipped, Object.keys(bad).length);
    for (const [name, reason] of Object.entries(bad)) {
      const line = names.indexOf(name) + 1;
      const localized = report.dataset.leftOut.find(({ lines }) => lines.includes(line));
      assert.ok(localized !== undefined, `${name} is not accounted for`);
      assert.match(english(localized.reason), reason, name);
    }
    assert.ok(peakMb < 900, `${peakMb} MB`);
  });
});

describe('paths that lead elsewhere', function () {
  this.timeout(120_000);
  const place = scratch();

  it('none is opened or downloaded; each is left out and counted', async () => {
    mkdirSync(place.in('data/images'), { recursive: true });
    mkdirSync(place.in('outside'));
    const image = join(fixtures, 'pictures', 'colour.png');
    const secret = place.in('outside/secret.png');
    copyFileSync(image, secret);
    copyFileSync(image, place.in('data/images/fine.png'));
    symlinkSync(secret, place.in('data/images/link.png'));
    symlinkSync(place.in('outside'), place.in('data/images/folder'));
    let asked = 0;
    const server = createServer((_, answer) => {
      asked++;
      answer.end(readFileSync(image));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const web = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const hostile = [
      '../outside/secret.png',
      'images/../../outside/secret.png',
      secret,
      `file://${secret}`,
      '..\\outside\\secret.png',
      'C:\\outside\\secret.png',
      '\\\\server\\share\\secret.png',
      '//server/share/secret.png',
      '%2e%2e%2foutside%2fsecret.png',
      '..%2Foutside%2Fsecret.png',
      '%252e%252e/outside/secret.png',
      'images/link.png',
      'images/folder/secret.png',
      'secret.png\0.jpg',
      `http://${web}/secret.png`,
      `HTTPS://${web}/secret.png`,
      'data:image/png;base64,AAAA',
      '/dev/zero',
      '/proc/self/environ',
      '.',
      '..',
      'images',
    ];
    try {
      const names = ['images/fine.png', ...hostile, 'fine.png'];
      const { report, rows } = await audit(names, place.in('data/all.jsonl'), place.home);
      // The file is that of the other name, which has a folder.
      assert.deepEqual([...imagesIn(rows)], ['images/fine.png']);
      assert.equal(report.dataset.skipped, hostile.length + 1);
      const inspected = await captious(['inspect', place.in('data/all.jsonl'), '--json'], {
        home: place.home,
      });
      assert.equal(inspected.code, 0);
      const { images } = JSON.parse(inspected.out) as {
        images: { found: number; refused: { count: number }; missing: { count: number } };
      };
      assert.equal(images.found, 1);
      assert.equal(images.refused.count + images.missing.count, hostile.length + 1);
      assert.ok(images.refused.count >= 12, String(images.refused.count));
      assert.equal(asked, 0);
    } finally {
      server.close();
    }
  });

  it('a folder outside is read if the user names it', async () => {
    const data = place.in('named.jsonl');
    writeFileSync(data, `${JSON.stringify({ image: 'secret.png', caption: 'A red cat.' })}\n`);
    const { code, out } = await captious(['inspect', data, '--images', place.in('outside'), '--json'], {
      home: place.home,
    });
    assert.equal(code, 0);
    assert.equal((JSON.parse(out) as { images: { found: number } }).images.found, 1);
  });

  it('a report with rows elsewhere is rejected: exits with 2, reads nothing', async () => {
    const data = place.in('triplets.tsv');
    copyFileSync('samples/triplets.tsv', data);
    const out = place.in('reports');
    const made = await captious(
      ['audit', data, '--probe', 'visla', '--evaluator', model('bert-cls'), '--out', out],
      { home: place.home },
    );
    assert.equal(made.code, 0, made.err);
    const path = join(
      out,
      readdirSync(out).find((name) => name.endsWith('.report.json'))!,
    );
    const report = JSON.parse(readFileSync(path, 'utf8')) as Report;
    for (const rows of ['../secret.jsonl', secretOf(place.path), '..\\secret.jsonl', 'a\0b', '..']) {
      writeFileSync(path, JSON.stringify({ ...report, rows }));
      const {
        code,
        out: said,
        err,
      } = await captious(['export', path, '--to', 'jsonl'], { home: place.home });
      assert.equal(code, 2, err);
      assert.ok(err.includes(basename(path)) && err.includes('the name of a file in the same folder'), err);
      assert.equal(said, '');
    }
  });
});

function secretOf(folder: string): string {
  return join(folder, 'outside', 'secret.png');
}
