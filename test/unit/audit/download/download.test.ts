import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  type Downloaded,
  downloadImages,
  type DownloadRequest,
} from '../../../../src/audit/download/download';
import { isOwnAddress } from '../../../../src/audit/download/request';
import { createImageFinder } from '../../../../src/dataset/images/images';
import { openDataset } from '../../../../src/dataset/open';
import { scratchFolder } from '../../dataset/support';

const scratch = scratchFolder();
const jpeg = readFileSync('samples/images/000000012280.jpg');
const png = Buffer.from('89504e470d0a1a0a00', 'hex');

describe('downloading images', () => {
  let server: Server;
  let origin = '';
  const asked: string[] = [];
  let answers: Record<string, (response: ServerResponse, request: IncomingMessage) => void> = {};

  before((done) => {
    server = createServer((request, response) => {
      const path = request.url ?? '';
      asked.push(path);
      const answer = answers[path];
      if (answer === undefined) response.writeHead(404).end();
      else answer(response, request);
    }).listen(0, '127.0.0.1', () => {
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      done();
    });
  });
  after((done) => {
    server.closeAllConnections();
    server.close(done);
  });
  beforeEach(() => {
    asked.length = 0;
    answers = {};
  });

  const datasetOf = (name: string, paths: readonly string[]): string => {
    const path = join(scratch.path, `${name}.jsonl`);
    const lines = paths.map((image) =>
      JSON.stringify({ image: image.startsWith('/') ? origin + image : image, caption: `About ${image}.` }),
    );
    writeFileSync(path, lines.join('\n'));
    return path;
  };

  const run = async (
    path: string,
    folder: string,
    more: Partial<DownloadRequest> = {},
  ): Promise<Downloaded> =>
    downloadImages({
      dataset: await openDataset(path),
      folder: join(scratch.path, folder),
      signal: new AbortController().signal,
      ...{ rate: 1000, atOnce: 4, retries: 2, pause: () => new Promise(setImmediate) },
      limits: { mostBytes: 1e6, stallMs: 2000, allowPrivate: true },
      ...more,
    });

  const reasons = ({ problems }: Downloaded): [string, number][] =>
    [...problems].map(([reason, { count }]): [string, number] => [reason, count]).sort();

  it('names files by content, follows redirects, and the image search finds them by address', async () => {
    answers['/a.jpg'] = (response) => response.end(jpeg);
    answers['/b'] = (response) => response.writeHead(302, { location: '/a.jpg' }).end();
    const path = datasetOf('found', ['/a.jpg', '/b', '/a.jpg', 'local.jpg']);
    const result = await run(path, 'one');
    assert.deepEqual(
      { ...result, problems: reasons(result) },
      { addresses: 2, others: 1, kept: 0, fetched: 2, bytes: 2 * jpeg.length, problems: [] },
    );
    const folder = join(scratch.path, 'one');
    assert.equal(readdirSync(folder).filter((name) => name.length === 2).length, 1);
    const finder = createImageFinder({ dataset: await openDataset(path), folders: [folder] });
    const found = await finder.find(`${origin}/b`);
    assert.ok(found.ok && readFileSync(found.path).equals(jpeg));
  });

  it('says why an address has no image, and asks only what may pass again', async () => {
    answers['/robots.txt'] = (response) => response.end('User-agent: *\nDisallow: /private/');
    answers['/page'] = (response) => response.end('<html>');
    answers['/large'] = (response) => response.end(Buffer.concat([png, Buffer.alloc(2e6)]));
    answers['/no'] = (response) => response.writeHead(200, { 'x-robots-tag': 'noai' }).end(png);
    answers['/yes'] = (response) => response.writeHead(200, { 'x-robots-tag': 'other: noai' }).end(png);
    answers['/busy'] = (response) => response.writeHead(503).end();
    answers['/cut'] = (response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write(png, () => response.destroy());
    };
    answers['/away'] = (response) => response.writeHead(301, { location: 'file:///etc/passwd' }).end();
    const all = [
      '/none',
      '/private/x.jpg',
      '/page',
      '/large',
      '/no',
      '/yes',
      '/busy',
      '/cut',
      '/away',
      'ftp://x/y.jpg',
    ];
    const path = datasetOf('bad', all);
    const result = await run(path, 'two');
    assert.equal(result.fetched, 1);
    assert.deepEqual(
      reasons(result).map(([reason]) => reason.slice(0, 40)),
      [
        'download.badAddress',
        'download.badRedirect',
        'download.noAnswer',
        'download.noImage',
        'download.ownerObjects',
        'download.robotsForbid',
        'download.status {"code":"download.status',
        'download.status {"code":"download.status',
        'download.tooLarge',
      ],
    );
    assert.equal(asked.filter((one) => one === '/busy').length, 3);
    assert.ok(!asked.includes('/private/x.jpg'));
    asked.length = 0;
    const again = await run(path, 'two', { retries: 0 });
    assert.deepEqual([again.kept, again.fetched], [1, 0]);
    // The limit of the size may be another one.
    assert.deepEqual(asked.sort(), ['/busy', '/cut', '/large', '/robots.txt']);
  });

  it('continues after an interruption, and fetches a lost file again', async () => {
    for (const name of ['/1.png', '/2.png', '/3.png'])
      answers[name] = (response) => response.end(Buffer.concat([png, Buffer.from(name)]));
    const path = datasetOf('resumed', ['/1.png', '/2.png', '/3.png']);
    const stop = new AbortController();
    const onImage = ({ fetched }: Downloaded): void => {
      if (fetched === 1) stop.abort();
    };
    await assert.rejects(run(path, 'three', { signal: stop.signal, onImage, atOnce: 1 }), {
      kind: 'interrupted',
    });
    const folder = join(scratch.path, 'three');
    const log = join(folder, 'captious.images.jsonl');
    writeFileSync(log, readFileSync(log, 'utf8') + '{"url":"cut');
    asked.length = 0;
    const rest = await run(path, 'three');
    assert.deepEqual([rest.kept, rest.fetched], [1, 2]);
    const [first] = readdirSync(folder).filter((name) => name.length === 2);
    rmSync(join(folder, first), { recursive: true });
    const repaired = await run(path, 'three');
    assert.equal(repaired.kept + repaired.fetched, 3);
    assert.ok(repaired.fetched >= 1 && existsSync(join(folder, first)));
  });

  it('does not ask addresses of the own network, also behind a name or a redirect', async () => {
    answers['/a.png'] = (response) => response.end(png);
    const { port } = new URL(origin);
    const path = datasetOf('own', [
      '/a.png',
      `http://localhost:${port}/a.png`,
      'http://[::ffff:127.0.0.1]/x.png',
    ]);
    const result = await run(path, 'four', {
      limits: { mostBytes: 1e6, stallMs: 2000, allowPrivate: false },
    });
    assert.deepEqual(reasons(result), [['download.ownNetwork', 3]]);
    assert.deepEqual(asked, []);
    const own = [
      '127.0.0.1',
      '10.1.2.3',
      '169.254.169.254',
      '::1',
      'fe80::1',
      '::ffff:192.168.0.1',
      '0.0.0.0',
    ];
    assert.deepEqual(
      own.map(isOwnAddress),
      own.map(() => true),
    );
    assert.deepEqual(['8.8.8.8', '2606:4700::1', 'example.org'].map(isOwnAddress), [false, false, false]);
  });

  it('leaves a host alone that never answers', async () => {
    const paths = Array.from({ length: 30 }, (_, i) => `http://127.0.0.1:9/${i}.png`);
    const result = await run(datasetOf('dead', paths), 'five', { retries: 0, atOnce: 1 });
    assert.deepEqual(reasons(result), [
      ['download.hostLost', 25],
      ['download.noAnswer', 5],
    ]);
  });
});
