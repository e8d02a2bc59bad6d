import assert from 'node:assert/strict';
import { CaptiousError } from '../../../src/base/errors';
import { errorOf, failureOf } from '../../../src/base/failure';
import { fromPanel } from '../../../src/protocol/panel';
import { nativeRequests } from '../../../src/protocol/native';
import { parquetRequests } from '../../../src/protocol/parquet';
import { runnerRequests } from '../../../src/protocol/runner';
import { readerRequests } from '../../../src/protocol/service';
import { rowRequests } from '../../../src/protocol/rows';

describe('the protocol', () => {
  it('accepts the messages of a panel and rejects others', () => {
    const { ask, answer } = rowRequests.lines;
    const question = {
      report: 'r',
      selection: { text: '', facets: { kind: ['colour'] }, sort: 'worst' },
      offset: 0,
      limit: 100,
    };
    assert.deepEqual(ask(question, ''), question);
    assert.throws(() => ask({ ...question, offset: 'three' }, ''), /offset is not an integer of 0 or more/);
    const results = { right: 1, wrong: 0, tie: 0, none: 0 };
    assert.throws(() => answer({ total: 1, results }, ''), /lines is not a list/);
    const message = { type: 'reveal', report: 'r', index: 1 };
    assert.deepEqual(fromPanel(message, ''), message);
    assert.throws(
      () => fromPanel({ ...message, index: 'three' }, ''),
      /index is not an integer of 0 or more/,
    );
    assert.throws(() => fromPanel({ type: 'run', command: 'rm' }, ''), /type is not known/);
  });

  it('gives the reading process the scope of a request about rows, and requires it', () => {
    const scope = {
      images: ['i'],
      home: 'h',
      trusted: true,
      allowed: { evaluators: [], own: [], workspace: [] },
    };
    const question = { report: 'r', line: 3, ...scope };
    assert.deepEqual(readerRequests.find.ask({ ...question, more: 1 }, 'find'), question);
    assert.throws(() => readerRequests.find.ask({ ...question, line: 'a' }, 'find'), /find\.line/);
    assert.throws(() => readerRequests.find.ask({ report: 'r', line: 3 }, 'find'), /find\.images/);
  });

  it('transfers images as bytes', () => {
    const bytes = new Uint8Array([1, 2, 3]);
    assert.equal(rowRequests.image.answer(bytes, ''), bytes);
  });

  it('rejects an order without a dataset', () => {
    assert.throws(() => runnerRequests.audit.ask({ order: { probes: [] } }, ''), /order\.dataset/);
  });

  it('passes jobs to models unchanged, and rejects incomplete ones', () => {
    const image = {
      kind: 'image',
      source: { name: 'a.jpg', path: '/a.jpg' },
      transforms: [{ op: 'hflip' }],
    };
    const ask = { images: [image], side: 64, format: 'png' };
    assert.equal(nativeRequests.sendable.ask(ask, 'sendable'), ask);
    const broken = { ...ask, images: [{ ...image, source: {} }] };
    assert.throws(
      () => nativeRequests.sendable.ask(broken, 'sendable'),
      /images\[0\]\.source\.name is not a text/,
    );
    const part = { gallery: 1, count: 2, dimension: 3, from: 0, data: new Float64Array(6), last: true };
    assert.throws(() => nativeRequests.galleryPart.ask(part, ''), /data is not a Float32Array/);
  });

  it('rejects a Parquet row that is not an object', () => {
    assert.deepEqual(parquetRequests.rows.answer([{ caption: 'a' }], 'rows'), [{ caption: 'a' }]);
    assert.throws(
      () => parquetRequests.rows.answer([{ caption: 'a' }, null], 'rows'),
      /rows\[1\] is not an object/,
    );
  });

  it('transfers an error with its kind, place and remedy', () => {
    const error = new CaptiousError('input', 'Broken.', { at: 'file.json:3', remedy: 'Mend it.' });
    const back = errorOf(failureOf(error));
    assert.ok(back instanceof CaptiousError);
    assert.equal(back.describe(), error.describe());
    assert.equal(back.kind, 'input');
  });

  it('keeps a defect a defect', () => {
    const back = errorOf(failureOf(new TypeError('x is undefined')));
    assert.ok(!(back instanceof CaptiousError));
    assert.equal(back.message, 'x is undefined');
  });
});
