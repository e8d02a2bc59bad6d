import assert from 'node:assert/strict';
import { CaptiousError } from '../../../src/base/errors';
import { errorOf, failureOf } from '../../../src/protocol/failure';
import { fromPanel, toPanel } from '../../../src/protocol/panel';
import { toRunner } from '../../../src/protocol/processes';

describe('the protocol', () => {
  it('takes the messages of a panel and refuses others', () => {
    const message = {
      type: 'ask',
      id: 3,
      ask: {
        type: 'lines',
        report: 'r',
        selection: { text: '', facets: { kind: ['colour'] }, sort: 'worst' },
        offset: 0,
        limit: 100,
      },
    };
    assert.deepEqual(fromPanel(message, ''), message);
    assert.throws(() => fromPanel({ ...message, id: 'three' }, ''), /id is not a count/);
    assert.throws(() => fromPanel({ type: 'run', command: 'rm' }, ''), /type is not known/);
  });

  it('carries photos as bytes', () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const message = { type: 'answer', id: 1, answer: { type: 'photo', bytes } };
    assert.deepEqual(toPanel(message, ''), message);
  });

  it('does not let an order without a dataset start', () => {
    assert.throws(() => toRunner({ type: 'audit', order: { probes: [] } }, ''), /order\.dataset/);
  });

  it('brings an error over with its kind, place and way out', () => {
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
