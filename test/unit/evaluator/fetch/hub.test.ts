import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import { findSaid, say } from '../../../../src/base/say';
import { pauseAfter } from '../../../../src/evaluator/fetch/fetchFile';
import { fetchModel, type FetchOptions } from '../../../../src/evaluator/fetch/fetchModel';
import {
  addressOf,
  cacheFolder,
  followRedirect,
  headersFor,
  hubFrom,
} from '../../../../src/evaluator/fetch/hub';
import { listEvaluators } from '../../../../src/evaluator/installed';
import {
  filesOf,
  knownEncoder,
  knownEncoders,
  type KnownEncoder,
} from '../../../../src/evaluator/fetch/known';
import { openEvaluator } from '../../../../src/evaluator/open';
import { sentence } from '../../../sentence';
import { until } from '../../../until';
import { cleanUp, modelsPath, scratch } from '../fixtures';
import { gitBlob, HubServer } from '../hubServer';

const graph = 'onnx/model.onnx';
const small = [
  'config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'modules.json',
  '1_Pooling/config.json',
  'sentence_bert_config.json',
];

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function contents(): Map<string, Buffer> {
  return new Map(
    [...small, graph].map((path) => [path, readFileSync(join(modelsPath, 'bert-cls', ...path.split('/')))]),
  );
}

const model: KnownEncoder = {
  id: 'tiny',
  name: 'Tiny',
  kind: 'text-encoder',
  hub: 'owner/tiny',
  revision: 'main',
  licence: 'MIT',
  files: small.map((path) => ({ path })),
  graphs: { float32: [{ path: graph }] },
  unconfirmed: [],
};

/** The encoder with its graph's size and hash, as in `known.json`. */
function pinned(): KnownEncoder {
  const content = contents().get(graph)!;
  return {
    ...model,
    graphs: { float32: [{ path: graph, size: content.length, sha256: sha256(content) }] },
  };
}

describe('the wait before a download is tried again', () => {
  it('doubles from the second failure in a row without new data', () => {
    assert.deepEqual(
      [0, 1, 2, 3].map((failures) => pauseAfter(failures, 500)),
      [500, 500, 1000, 2000],
    );
  });
});

describe('known encoders', () => {
  it('have all that a fetch needs, and only valid hashes', () => {
    const models = knownEncoders();
    assert.ok(models.length >= 12);
    assert.equal(new Set(models.map(({ id }) => id)).size, models.length);
    for (const { id, hub, revision, licence, kind, files, graphs, unconfirmed } of models) {
      assert.match(id, /^[\w.-]+$/);
      assert.match(hub, /^[\w.-]+\/[\w.-]+$/);
      assert.match(revision, /^(main|[0-9a-f]{40})$/);
      assert.ok(licence !== '' && Array.isArray(unconfirmed));
      assert.ok(graphs.float32.length > 0, `${id} has no float32 graph`);
      const all = [...files, ...Object.values(graphs).flat()];
      assert.equal(new Set(all.map(({ path }) => path)).size, all.length, id);
      for (const { path, size, sha256: hash } of all) {
        assert.doesNotMatch(path, /(^|\/)\.\.?(\/|$)|^\/|\\/);
        assert.ok(size === undefined || (Number.isSafeInteger(size) && size > 0));
        assert.ok(hash === undefined || /^[0-9a-f]{64}$/.test(hash), `${id} ${path}`);
      }
      const names = files.map(({ path }) => path);
      for (const needed of ['config.json', 'tokenizer.json']) assert.ok(names.includes(needed), id);
      assert.equal(names.includes('preprocessor_config.json'), kind === 'dual-encoder', id);
    }
  });

  it('match the files of those installed here', function () {
    const cache = join(__dirname, '../..', '..', '..', '.cache', 'models');
    let seen = 0;
    for (const id of ['all-MiniLM-L6-v2', 'gte-small']) {
      for (const { path, size, sha256: hash } of filesOf(knownEncoder(id), 'float32')) {
        const local = join(cache, id, path);
        if (!existsSync(local)) continue;
        seen++;
        assert.equal(statSync(local).size, size, path);
        assert.equal(sha256(readFileSync(local)), hash, path);
      }
    }
    if (seen === 0) {
      console.log('      skipped: there are no weights under .cache/models');
      this.skip();
    }
  });

  it('are requested by name, and by a precision they have', () => {
    assert.equal(knownEncoder('Xenova/gte-small').id, 'gte-small');
    assert.throws(() => knownEncoder('missing'), { what: say('fetch.encoderUnknown', 'missing') });
    const large = 'clip-vit-large-patch14-336';
    assert.throws(() => filesOf(knownEncoder(large), 'int8'), {
      what: say('fetch.precisionUnavailable', large, 'int8'),
    });
  });
});

describe('the hub', () => {
  it('is contacted by https only, except on this machine, and never with a password in its address', () => {
    assert.equal(hubFrom(undefined, {}).endpoint.href, 'https://huggingface.co/');
    assert.equal(hubFrom(undefined, { HF_ENDPOINT: 'https://mirror.example/hf' }).endpoint.pathname, '/hf');
    assert.equal(hubFrom('http://127.0.0.1:8080', {}).endpoint.port, '8080');
    for (const [wrong, why] of [
      ['http://mirror.example', say('fetch.httpsOnly', 'http:', 'mirror.example')],
      ['http://127.0.0.1.example', say('fetch.httpsOnly', 'http:', '127.0.0.1.example')],
      ['ftp://127.0.0.1', say('fetch.httpsOnly', 'ftp:', '127.0.0.1')],
      ['https://me:secret@mirror.example', say('fetch.hubAddressHasCredentials')],
      ['mirror', say('fetch.notHubAddress', 'mirror')],
    ] as const)
      assert.throws(() => hubFrom(wrong, {}), { what: why });
    const hub = hubFrom('https://mirror.example/hf/', {});
    assert.equal(
      addressOf(hub, 'a/b', 'refs/pr/1', 'onnx/model.onnx').href,
      'https://mirror.example/hf/a/b/resolve/refs%2Fpr%2F1/onnx/model.onnx',
    );
  });

  it('gets the token; its stores do not', () => {
    const hub = hubFrom(undefined, { HF_TOKEN: 'secret' });
    const header = (url: string) => headersFor(hub, new URL(url)).authorization;
    assert.equal(header('https://huggingface.co/a'), 'Bearer secret');
    for (const url of [
      'https://cdn-lfs.hf.co/a',
      'https://huggingface.co.evil.example/a',
      'http://huggingface.co/a',
    ])
      assert.equal(header(url), undefined);
  });

  it('is the only host that gets the token', () => {
    for (const env of [{}, { HF_ENDPOINT: 'https://mirror.example' }])
      for (const mirror of [
        'https://mirror.example',
        'https://huggingface.co.mirror.example',
        'https://huggingface.co:8443',
        'https://mirror.huggingface.co',
        'http://127.0.0.1:9',
      ]) {
        const hub = hubFrom(mirror, { ...env, HF_TOKEN: 'secret' });
        assert.equal(hub.token, undefined, mirror);
        assert.equal(headersFor(hub, new URL(`${mirror}/a`)).authorization, undefined, mirror);
      }
    assert.equal(hubFrom(undefined, { HF_ENDPOINT: 'https://m.example', HF_TOKEN: 's' }).token, undefined);
    assert.equal(hubFrom('https://huggingface.co/', { HF_TOKEN: 'secret' }).token, 'secret');
  });

  it('may redirect to its stores only', () => {
    const hub = hubFrom(undefined, {});
    const from = new URL('https://huggingface.co/a/b/resolve/main/x');
    const to = (location: string | null) => followRedirect(hub, from, location).href;
    assert.equal(to('/api/resolve-cache/x'), 'https://huggingface.co/api/resolve-cache/x');
    assert.equal(to('https://cas-bridge.xethub.hf.co/x'), 'https://cas-bridge.xethub.hf.co/x');
    for (const location of [
      'https://evil.example/x',
      'https://nothf.co/x',
      'http://huggingface.co/x',
      'http://127.0.0.1/x',
      'https://127.0.0.1/x',
      'file:///etc/passwd',
      'https://me:secret@huggingface.co/x',
      'https://[',
      null,
    ])
      assert.throws(() => to(location), CaptiousError, String(location));
    assert.throws(() => to('https://evil.example/x'), {
      what: say('fetch.redirectOutsideHub', 'evil.example'),
      remedy: sentence('fetch.setHubEndpoint'),
    });
    for (const location of ['https://127.0.0.1/x', 'https://[', null])
      assert.throws(() => to(location), { remedy: sentence('fetch.checkHubAddress') }, String(location));
  });

  it('keeps its cache where its own tools do', () => {
    assert.equal(cacheFolder({ HF_HUB_CACHE: '/a', HF_HOME: '/b' }), '/a');
    assert.equal(cacheFolder({ HF_HOME: '/b' }), join('/b', 'hub'));
    assert.equal(cacheFolder({ XDG_CACHE_HOME: '/c' }), join('/c', 'huggingface', 'hub'));
  });
});

describe('fetching a model', () => {
  let server: HubServer;
  let home: string;
  /** The number of bytes of the graph that have been downloaded. */
  const kept = (): number =>
    statSync(join(home, 'models', '.fetch', 'tiny', `${graph}.part`), { throwIfNoEntry: false })?.size ?? 0;

  beforeEach(async () => {
    server = await new HubServer(contents()).start();
    home = scratch();
  });

  afterEach(async () => {
    await server.stop();
    await cleanUp();
  });

  const options = (more: Partial<FetchOptions> = {}): FetchOptions => ({
    hub: { ...hubFrom(server.url, {}), token: 'secret' },
    home,
    cache: join(home, 'no-cache'),
    pauseMs: 1,
    stallMs: 2000,
    ...more,
  });

  async function refusal(promise: Promise<unknown>): Promise<CaptiousError> {
    const error = await promise.then(
      () => assert.fail('an error was expected'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof CaptiousError, String(error));
    assert.ok(!existsSync(join(home, 'models', 'tiny')), 'nothing may be installed');
    return error;
  }

  it("downloads everything, verified against the hub's hashes, and the model runs", async () => {
    const progress: string[] = [];
    const fetched = await fetchModel(
      model,
      options({ onProgress: ({ file, number, files }) => progress.push(`${number}/${files} ${file}`) }),
    );
    assert.deepEqual(
      new Set(fetched.files.map(({ from, check }) => `${from}, ${check}`)),
      new Set(["hub, hub's hash"]),
    );
    assert.equal(fetched.commit, server.commit);
    assert.ok(progress.includes(`7/7 ${graph}`));
    for (const [path, content] of contents())
      assert.ok(readFileSync(join(fetched.path, path)).equals(content), path);
    const [found] = (await listEvaluators({ home })).filter(({ id }) => id === 'tiny');
    assert.ok(!('problem' in found) && found.dimension === 32);
    const evaluator = await openEvaluator('tiny', { home });
    try {
      const [row] = await evaluator.embedTexts!(['a black cat']);
      assert.ok(row.ok && row.value.length === 32);
    } finally {
      await evaluator.close();
    }
    // Only the hub received the token. Every request after the first one names the commit.
    assert.ok(server.requests.every(({ authorization }) => authorization === 'Bearer secret'));
    assert.ok(server.storeRequests.every(({ authorization }) => authorization === undefined));
    assert.equal(server.storeRequests.length, 1);
    assert.ok(server.requests.slice(1).every(({ path }) => path.includes(server.commit)));
    assert.deepEqual(readdirSync(join(home, 'models', '.fetch')), []);
  });

  it('requests no existing file, and replaces no file that the user changed', async () => {
    await fetchModel(model, options());
    const before = server.requests.length;
    const again = await fetchModel(model, options());
    assert.ok(again.files.every(({ from }) => from === 'installed'));
    assert.equal(server.requests.length, before);
    writeFileSync(join(again.path, 'config.json'), '{}');
    await assert.rejects(fetchModel(model, options()), { what: say('fetch.existingFileDiffers') });
    assert.equal(readFileSync(join(again.path, 'config.json'), 'utf8'), '{}');
  });

  it('resumes after a broken connection', async () => {
    let cuts = 0;
    server.storeMischief = ({ range }, response, content) => {
      const from = Number(/\d+/.exec(range ?? '0')![0]);
      if (cuts++ >= 3) return false;
      response.writeHead(from === 0 ? 200 : 206, {
        'content-length': content.length - from,
        ...(from === 0 ? {} : { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }),
      });
      response.write(content.subarray(from, from + 10_000));
      void until(() => kept() === from + 10_000).then(() => response.destroy());
      return true;
    };
    await fetchModel(model, options());
    const starts = server.storeRequests.map(({ range }) => Number(/\d+/.exec(range ?? '0')![0]));
    assert.equal(starts.length, 4);
    assert.ok(starts[3] > starts[0], 'the last request asks for the rest only');
  });

  it('starts over if the server ignores ranges', async () => {
    server.whole = true;
    let cut = false;
    server.storeMischief = (_, response, content) => {
      if (cut) return false;
      cut = true;
      response.writeHead(200, { 'content-length': content.length });
      response.write(content.subarray(0, 10_000), () => response.destroy());
      return true;
    };
    const { files } = await fetchModel(model, options());
    assert.equal(files.at(-1)!.sha256, sha256(contents().get(graph)!));
  });

  it('reconnects if a connection is silent', async () => {
    let silent = true;
    server.storeMischief = (_, response, content) => {
      if (!silent) return false;
      silent = false;
      response.writeHead(200, { 'content-length': content.length });
      response.write(content.subarray(0, 5000));
      return true;
    };
    await fetchModel(model, options({ stallMs: 200 }));
    assert.equal(server.storeRequests.length, 2);
    assert.equal(server.storeRequests[1].range, 'bytes=5000-');
  });

  it('gives up on a server that sends single bytes forever, and keeps the bytes', async () => {
    let drip: NodeJS.Timeout | undefined;
    server.storeMischief = (_, response, content) => {
      response.writeHead(200, { 'content-length': content.length });
      drip = setInterval(() => response.write(content.subarray(0, 1)), 20);
      return true;
    };
    try {
      const { kind, what } = await refusal(fetchModel(model, options({ totalMs: 500 })));
      assert.equal(kind, 'interrupted');
      assert.deepEqual(what, say('fetch.downloadTooSlow', 1));
      assert.ok(kept() > 0);
    } finally {
      clearInterval(drip);
    }
  });

  it('requests no file that exceeds the free disk space', async () => {
    const error = await refusal(fetchModel(model, options({ room: () => Promise.resolve(5000) })));
    assert.deepEqual(error.what, say('fetch.downloadExceedsDisk', 7456, 5000, 256));
    assert.ok(findSaid(error.details.remedy, 'fetch.freeDiskSpace'));
    assert.equal(kept(), 0);
  });

  it('writes no more than the free disk space if the size is unknown', async () => {
    server.plain = true;
    server.storeMischief = (_, response) => {
      const send = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(1 << 16)));
        response.once('drain', send);
      };
      response.writeHead(200);
      send();
      return true;
    };
    const error = await refusal(fetchModel(model, options({ room: () => Promise.resolve(1 << 20) })));
    assert.deepEqual(error.what, say('fetch.fileExceedsDisk', 1 << 20, 256));
    assert.equal(kept(), 0);
  });

  it('stops when cancelled, and keeps the bytes', async () => {
    server.storeMischief = (_, response, content) => {
      response.writeHead(200, { 'content-length': content.length });
      response.write(content.subarray(0, 5000));
      return true;
    };
    const stop = new AbortController();
    const call = refusal(
      fetchModel(
        model,
        options({
          signal: stop.signal,
          stallMs: 60_000,
        }),
      ),
    );
    await until(() => kept() === 5000);
    stop.abort();
    assert.equal((await call).kind, 'interrupted');
    server.storeMischief = () => false;
    const before = server.requests.length;
    await fetchModel(model, options());
    assert.equal(server.storeRequests.at(-1)!.range, 'bytes=5000-');
    // Complete files are not requested again.
    for (const { path, range } of server.requests.slice(before))
      assert.match(range ?? '', /^bytes=[1-9]\d*-$/, path);
  });

  it('resumes after its process was killed', async function () {
    this.timeout(20_000);
    const content = contents().get(graph)!;
    let sent = (): void => undefined;
    const half = new Promise<void>((resolve) => (sent = resolve));
    server.storeMischief = (_, response) => {
      response.writeHead(200, { 'content-length': content.length });
      response.write(content.subarray(0, 20_000), sent);
      return true;
    };
    const script = `
      const { fetchModel } = require('./src/evaluator/fetch/fetchModel');
      const { hubFrom } = require('./src/evaluator/fetch/hub');
      fetchModel(${JSON.stringify(pinned())}, { hub: hubFrom(${JSON.stringify(server.url)}, {}),
        home: ${JSON.stringify(home)}, cache: ${JSON.stringify(join(home, 'none'))} });`;
    const child = spawn(process.execPath, ['--require', require.resolve('tsx/cjs'), '-e', script], {
      cwd: join(__dirname, '../..', '..', '..'),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await half;
    await until(() => kept() === 20_000);
    // While one process downloads the model, no other process can download it.
    assert.deepEqual(
      (await refusal(fetchModel(pinned(), options()))).what,
      say('fetch.alreadyDownloading', 'tiny', say('fetch.processOnHost', child.pid!, hostname())),
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    server.storeMischief = () => false;
    const { files } = await fetchModel(pinned(), options());
    assert.equal(server.storeRequests.at(-1)!.range, 'bytes=20000-');
    assert.deepEqual([files.at(-1)!.check, files.at(-1)!.sha256], ['known hash', sha256(content)]);
  });

  const other = (content: Buffer): Buffer => {
    const changed = Buffer.from(content);
    changed[changed.length >> 1] ^= 1;
    return changed;
  };

  it("rejects wrong bytes of the right length, by the known hash and by the hub's", async () => {
    server.storeMischief = (served, response, content) => {
      server.send(served, response, other(content));
      return true;
    };
    const known = say('fetch.knownHash', sha256(contents().get(graph)!).slice(0, 12));
    for (const [wanted, hash] of [
      [model, say('fetch.hubHash')],
      [pinned(), known],
    ] as const) {
      const error = await refusal(fetchModel(wanted, options()));
      assert.deepEqual(error.what, say('fetch.hashDiffers', hash));
      assert.match(error.at!, /127\.0\.0\.1/);
    }
    server.storeMischief = () => false;
    server.mischief = ({ path }, response, content) => {
      if (!path.endsWith('/tokenizer.json')) return false;
      server.send({ path, range: undefined, authorization: undefined }, response, other(content));
      return true;
    };
    assert.match((await refusal(fetchModel(model, options()))).at!, /tokenizer\.json/);
  });

  it('does not join two contents into one file', async () => {
    const staging = join(home, 'models', '.fetch', 'tiny', 'onnx');
    mkdirSync(staging, { recursive: true });
    writeFileSync(join(staging, 'model.onnx.part'), Buffer.alloc(7000, 1));
    writeFileSync(join(staging, 'model.onnx.part.tag'), 'something else');
    const { files } = await fetchModel(model, options());
    assert.equal(files.at(-1)!.sha256, sha256(contents().get(graph)!));
    assert.deepEqual(
      server.storeRequests.map(({ range }) => range),
      ['bytes=7000-', undefined],
    );
  });

  it('replaces a partial file of other content if the hash is known', async () => {
    const staging = join(home, 'models', '.fetch', 'tiny', 'onnx');
    mkdirSync(staging, { recursive: true });
    writeFileSync(join(staging, 'model.onnx.part'), Buffer.alloc(7000, 1));
    const { files } = await fetchModel(pinned(), options());
    assert.equal(files.at(-1)!.sha256, sha256(contents().get(graph)!));
    assert.deepEqual(
      server.storeRequests.map(({ range }) => range),
      ['bytes=7000-', undefined],
    );
  });

  it('rejects a wrong length before and during the download', async () => {
    server.storeMischief = (served, response, content) => {
      server.send(served, response, Buffer.concat([content, content]));
      return true;
    };
    const size = contents().get(graph)!.length;
    assert.deepEqual(
      (await refusal(fetchModel(model, options()))).what,
      say('fetch.sizeDiffers', 2 * size, size),
    );
    server.storeMischief = (_, response, content) => {
      response.writeHead(200, { 'transfer-encoding': 'chunked' });
      response.end(Buffer.concat([content, content]));
      return true;
    };
    assert.deepEqual((await refusal(fetchModel(model, options()))).what, say('fetch.moreThanExpected', size));
  });

  it('from a mirror sends the token neither to the mirror nor to its store', async () => {
    await fetchModel(model, options({ hub: hubFrom(server.url, { HF_TOKEN: 'secret' }) }));
    const { requests, storeRequests } = server;
    assert.ok(requests.length > 0 && storeRequests.length > 0);
    for (const { authorization } of [...requests, ...storeRequests]) assert.equal(authorization, undefined);
  });

  it('rejects a web page, a missing file and a denied access, and says how to get access', async () => {
    server.mischief = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>Sign in</html>');
      return true;
    };
    assert.deepEqual((await refusal(fetchModel(model, options()))).what, say('fetch.webPageAnswered'));
    server.mischief = (_, response) => {
      response.writeHead(401).end();
      return true;
    };
    const closed = options();
    const remedyOf = async (more: FetchOptions) => (await refusal(fetchModel(model, more))).details.remedy;
    assert.deepEqual(await remedyOf(closed), say('fetch.checkTokenAccess'));
    const mirror = { ...closed, hub: hubFrom(server.url, { HF_TOKEN: 'secret' }) };
    assert.deepEqual(await remedyOf(mirror), say('fetch.downloadFromTokenHost', 'https://huggingface.co'));
    server.mischief = () => false;
    const missing = { ...model, files: [...model.files, { path: 'nothing.json' }] };
    const lacking = await refusal(fetchModel(missing, options()));
    assert.deepEqual(lacking.what, say('fetch.serverRefused', 404));
    assert.match(lacking.at!, /nothing\.json$/);
  });

  it('retries after a 503, and gives up if it persists', async () => {
    let busy = 2;
    server.mischief = (_, response) => {
      if (busy-- <= 0) return false;
      response.writeHead(503).end();
      return true;
    };
    await fetchModel({ ...model, id: 'tiny-2' }, options());
    busy = 1000;
    const error = await refusal(fetchModel(model, options({ attempts: 3 })));
    assert.deepEqual([error.kind, /503/.test(error.message)], ['interrupted', true]);
    await server.stop();
    assert.match((await refusal(fetchModel(model, options({ attempts: 2 })))).message, /ECONNREFUSED/);
  });

  it('follows no redirect elsewhere and no endless one', async () => {
    server.mischief = (_, response) => {
      response.writeHead(302, { location: 'https://evil.example/x' }).end();
      return true;
    };
    assert.deepEqual(
      (await refusal(fetchModel(model, options()))).what,
      say('fetch.redirectOutsideHub', 'evil.example'),
    );
    server.mischief = ({ path }, response) => {
      response.writeHead(302, { location: path }).end();
      return true;
    };
    assert.deepEqual((await refusal(fetchModel(model, options()))).what, say('fetch.tooManyRedirects', 5));
  });

  it('notices that the repository changed meanwhile', async () => {
    server.mischief = ({ path }) => {
      if (path.endsWith('modules.json')) server.commit = '2'.repeat(40);
      return false;
    };
    const error = await refusal(fetchModel(model, options())).catch((reason: unknown) => reason);
    // The server sets the commit header before it calls `mischief`, so the next file is the first with the new commit.
    assert.ok(error instanceof CaptiousError);
    assert.deepEqual(error.what, say('fetch.repositoryChanged', model.hub));
  });

  it('trusts a plain mirror on lengths, and says so', async () => {
    server.plain = true;
    const { files } = await fetchModel(pinned(), options());
    assert.deepEqual(new Set(files.map(({ check }) => check)), new Set(['length', 'known hash']));
  });

  describe('the cache of the hub’s own tools', () => {
    /** A cache like huggingface_hub's: blobs by hash, and snapshots of links. */
    function cacheWith(files: Map<string, Buffer>, commit = '3'.repeat(40)): string {
      const root = join(home, 'hf', 'models--owner--tiny');
      mkdirSync(join(root, 'blobs'), { recursive: true });
      mkdirSync(join(root, 'refs'), { recursive: true });
      writeFileSync(join(root, 'refs', 'main'), commit);
      for (const [path, content] of files) {
        const name = path.endsWith('.onnx') ? sha256(content) : gitBlob(content);
        writeFileSync(join(root, 'blobs', name), content);
        const to = join(root, 'snapshots', commit, path);
        mkdirSync(join(to, '..'), { recursive: true });
        symlinkSync(join(root, 'blobs', name), to);
      }
      return join(home, 'hf');
    }

    it('needs no network if it has all files', async () => {
      const cache = cacheWith(contents());
      const { files, commit } = await fetchModel(model, options({ cache }));
      assert.ok(files.every(({ from }) => from === 'cache'));
      assert.equal(commit, '3'.repeat(40));
      assert.equal(server.requests.length, 0);
    });

    it('provides files with a matching hash; the rest is downloaded', async () => {
      const content = contents().get(graph)!;
      const cache = cacheWith(new Map([[graph, content]]));
      const { files } = await fetchModel(pinned(), options({ cache }));
      assert.deepEqual(
        files.map(({ from }) => from),
        [...small.map(() => 'hub'), 'cache'],
      );
      assert.equal(server.storeRequests.length, 0);
    });

    it('provides no file whose content does not match its name', async () => {
      const cache = cacheWith(contents());
      const blob = join(cache, 'models--owner--tiny', 'blobs', sha256(contents().get(graph)!));
      writeFileSync(blob, other(contents().get(graph)!));
      server.commit = '3'.repeat(40);
      const { files } = await fetchModel(model, options({ cache }));
      assert.equal(files.at(-1)!.from, 'hub');
      assert.equal(files.at(-1)!.sha256, sha256(contents().get(graph)!));
      assert.equal(readFileSync(blob).equals(other(contents().get(graph)!)), true);
    });
  });
});
