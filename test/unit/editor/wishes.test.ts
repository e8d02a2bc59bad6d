import assert from 'node:assert/strict';
import { CaptiousError } from '../../../src/base/errors';
import { modelsBy, Wishes } from '../../../src/editor/wishes';
import { failureOf } from '../../../src/protocol/failure';
import { type FromRunner, fromRunner, type ToRunner, toRunner } from '../../../src/protocol/processes';
import type { Grant, Wish } from '../../../src/protocol/wishes';

/** Both ends with the messages between them, as they are after a process boundary. */
function connected(give: (wish: Wish) => Grant | Promise<Grant>): { wishes: Wishes; told: FromRunner[] } {
  const told: FromRunner[] = [];
  const answer = (message: ToRunner): void => {
    const arrived = toRunner(structuredClone(message), '');
    if (arrived.type === 'granted' || arrived.type === 'refused') wishes.hear(arrived);
  };
  const wishes = new Wishes((message) => {
    const arrived = fromRunner(structuredClone(message), '');
    told.push(arrived);
    if (arrived.type !== 'wish') return;
    const { id } = arrived;
    void Promise.resolve()
      .then(() => give(arrived.wish))
      .then(
        (grant) => answer({ type: 'granted', id, grant }),
        (error: unknown) => answer({ type: 'refused', id, failure: failureOf(error) }),
      );
  });
  return { wishes, told };
}

describe('what an audit asks of the editor', () => {
  it('is granted: leave, a key, a model, an answer', async () => {
    const picture = { mime: 'image/png' as const, bytes: Uint8Array.of(1, 2, 3) };
    const { wishes, told } = connected((wish): Grant => {
      switch (wish.type) {
        case 'consent':
          return { type: 'consent', given: wish.terms === 'fair' };
        case 'key':
          return { type: 'key', ...(wish.name === 'MINE' ? { key: 'hush' } : {}) };
        case 'model':
          return {
            type: 'model',
            model: { id: wish.name, vendor: 'v', family: 'f', version: '1', name: 'n' },
          };
        case 'chat':
          return wish.text === 'odd'
            ? { type: 'unanswered', trouble: 'filtered', blocked: false }
            : { type: 'said', text: `${wish.orders} ${wish.picture.bytes.length}` };
      }
    });
    assert.equal((await wishes.ask({ type: 'consent', terms: 'fair' })).given, true);
    assert.equal((await wishes.ask({ type: 'consent', terms: 'other' })).given, false);
    assert.equal((await wishes.ask({ type: 'key', name: 'MINE' })).key, 'hush');
    assert.equal((await wishes.ask({ type: 'key', name: 'YOURS' })).key, undefined);
    const models = modelsBy(wishes);
    assert.equal((await models.find('eye')).id, 'eye');
    const question = { orders: 'orders', text: 'text', picture };
    const [a, b] = await Promise.all([
      models.ask('eye', question),
      models.ask('eye', { ...question, text: 'odd' }),
    ]);
    assert.deepEqual(a, { text: 'orders 3' });
    assert.ok('trouble' in b && b.trouble === 'filtered' && !b.blocked);
    assert.equal(told.length, 7);
  });

  it('is refused with the error of the other side', async () => {
    const { wishes } = connected(() => {
      throw new CaptiousError('usage', 'This editor has no language model ear.', { remedy: 'Name another.' });
    });
    await assert.rejects(modelsBy(wishes).find('ear'), (error: unknown) => {
      assert.ok(error instanceof CaptiousError);
      assert.equal(error.describe(), 'This editor has no language model ear. Name another.');
      return true;
    });
  });

  it('is given up when the run is cancelled, and an answer that comes later reaches nobody', async () => {
    let late: (grant: Grant) => void = () => undefined;
    const { wishes, told } = connected(() => new Promise((resolve) => (late = resolve)));
    const stop = new AbortController();
    const asked = wishes.ask({ type: 'consent', terms: 't' }, stop.signal);
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    await assert.rejects(asked, { kind: 'interrupted' });
    assert.deepEqual(
      told.map(({ type }) => type),
      ['wish', 'unwish'],
    );
    late({ type: 'consent', given: true });
    await new Promise((resolve) => setImmediate(resolve));
    await assert.rejects(wishes.ask({ type: 'consent', terms: 't' }, stop.signal), { kind: 'interrupted' });
  });

  it('takes no answer to another question', async () => {
    const { wishes } = connected(() => ({ type: 'said', text: 'yes' }));
    await assert.rejects(wishes.ask({ type: 'consent', terms: 't' }), /granted "said" to another wish/);
  });
});
