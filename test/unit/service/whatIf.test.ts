import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runAudit } from '../../../src/audit/run';
import type { CaptiousError } from '../../../src/base/errors';
import { WhatIf } from '../../../src/service/whatIf';
import type { ImageItem } from '../../../src/protocol/item';
import type { VislaRow } from '../../../src/probe/visla/row';

const models = resolve('test/fixtures/models');
const allowed = [join(models, 'clip')];
const imageItem: ImageItem = {
  kind: 'image',
  source: { name: 'wide.png', path: join(models, 'pictures/wide.png') },
  transforms: [],
};

describe('what if', function () {
  this.timeout(60_000);
  let folder: string;
  let report: string;
  let row: VislaRow;
  let whatIf: WhatIf;
  const home = () => join(folder, 'home');

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-what-if-'));
    const dataset = join(folder, 'triplets.tsv');
    await writeFile(
      dataset,
      'filename\tcaption\tsecond positive\tnegative_caption\nwide.png\ta red bus\tthe bus is red\ta blue bus on the road\n',
    );
    const [written] = await runAudit({
      dataset,
      probes: ['visla'],
      evaluators: [join(models, 'clip')],
      images: [join(models, 'pictures')],
      home: home(),
      out: join(folder, 'out'),
      signal: new AbortController().signal,
    });
    report = written.path;
    row = JSON.parse(await readFile(join(folder, 'out', written.report.rows), 'utf8')) as VislaRow;
    whatIf = new WhatIf();
  });
  after(async () => {
    await whatIf.close();
    await rm(folder, { recursive: true });
  });

  const ask = (text: string, others: string[], image: ImageItem | undefined = imageItem) =>
    whatIf.answer({ report, text, others }, image, home(), allowed);

  it("gives an existing caption the report's score", async () => {
    const answer = await ask(row.n, [row.p1, row.p2]);
    assert.equal(answer.problem, undefined);
    assert.equal(answer.image, row.i2t!.n);
    assert.deepEqual(
      answer.others.map((other) => other.image),
      [row.i2t!.p1, row.i2t!.p2],
    );
    assert.deepEqual(
      answer.others.map((other) => other.text),
      [row.t2t!.p1n, row.t2t!.p2n],
    );
  });

  it('scores a new caption, and omits a missing image', async () => {
    const fresh = await ask('three green kites above a beach', [row.p1]);
    assert.ok(fresh.image !== null && fresh.image !== row.i2t!.p1);
    const without = await whatIf.answer(
      { report, text: row.p1, others: [row.p2] },
      undefined,
      home(),
      allowed,
    );
    assert.deepEqual([without.image, without.others], [null, [{ photo: null, text: row.t2t!.p1p2 }]]);
  });

  it('cancels a request when the next one comes', async () => {
    const first = ask('a cancelled request', [row.p1]);
    const second = ask('the one that counts', [row.p1]);
    await assert.rejects(first, (error: CaptiousError) => error.kind === 'interrupted');
    assert.ok((await second).image !== null);
  });

  it('contacts no judge, which may cost money', async () => {
    const judged = join(folder, 'judged.report.json');
    const content = JSON.parse(await readFile(report, 'utf8')) as { evaluator: object };
    Object.assign(content.evaluator, { kind: 'judge', id: 'vscode.lm:eye', name: 'Eye', path: undefined });
    await writeFile(judged, JSON.stringify(content));
    await assert.rejects(
      whatIf.answer({ report: judged, text: 'a', others: [] }, imageItem, home(), allowed),
      /Eye sends each caption to a model server or to a language model/,
    );
  });

  const stranger = async (evaluator: object): Promise<string> => {
    const path = join(folder, 'stranger.report.json');
    const content = JSON.parse(await readFile(report, 'utf8')) as { evaluator: object };
    Object.assign(content.evaluator, evaluator);
    await writeFile(path, JSON.stringify(content));
    return path;
  };
  const answered = (path: string, refs: readonly string[]) =>
    whatIf.answer({ report: path, text: 'a', others: [] }, imageItem, home(), refs);

  it('contacts no address and opens no folder that a report names', async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests++;
      response.end('{}');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    try {
      const { port } = server.address() as AddressInfo;
      const clip = join(models, 'clip');
      const address = `oip+http://127.0.0.1:${port}?folder=${clip}&text=clip`;
      for (const named of [address, `cosine:${address}`, clip, `cosine:${clip}`])
        for (const evaluator of [{ path: named }, { id: named, path: named }, { id: named, path: undefined }])
          await assert.rejects(
            stranger({ name: 'Eye', ...evaluator }).then((path) => answered(path, [])),
            /Eye is not an installed evaluator/,
          );
      // The user's evaluator file is not used if it names an endpoint.
      const file = join(folder, 'far.evaluator.json');
      const said = { kind: 'remote', endpoint: `http://127.0.0.1:${port}`, folder: clip, text: 'clip' };
      await writeFile(file, JSON.stringify(said));
      const path = await stranger({ name: 'Eye', id: 'far' });
      await assert.rejects(
        answered(path, [file]),
        /Eye sends each caption to a model server or to a language model/,
      );
      assert.equal(requests, 0);
    } finally {
      server.close();
    }
  });

  it("finds the report's evaluator by id and hash among several with that id", async () => {
    const other = join(folder, 'other', 'clip');
    await cp(join(models, 'clip-two-graphs'), other, { recursive: true });
    const path = await stranger({ path: '/nowhere' });
    assert.notEqual((await answered(path, [other, ...allowed])).image, null);
    await assert.rejects(answered(path, [other]), /has changed since this report was made/);
  });

  it("rejects an evaluator other than the report's", async () => {
    const altered = join(folder, 'altered.report.json');
    const content = JSON.parse(await readFile(report, 'utf8')) as { evaluator: { sha256: string } };
    content.evaluator.sha256 = content.evaluator.sha256.replace(/^./, (c) => (c === '0' ? '1' : '0'));
    await writeFile(altered, JSON.stringify(content));
    await assert.rejects(
      whatIf.answer({ report: altered, text: 'a', others: [] }, imageItem, home(), allowed),
      /has changed since this report was made/,
    );
    // A later request works.
    assert.equal((await ask(row.p1, [])).image, row.i2t!.p1);
    assert.ok((await readdir(home())).includes('store'));
  });
});
