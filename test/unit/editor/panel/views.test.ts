import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import { keepView, viewsIn, withoutExample } from '../../../../src/editor/panel/views';
import type { PanelMemory } from '../../../../src/protocol/panel';

function memory(): Memento {
  const kept = new Map<string, unknown>();
  return {
    keys: () => [...kept.keys()],
    get: <T>(key: string, usual?: T) => (kept.get(key) as T | undefined) ?? usual,
    update: (key: string, value: unknown) => {
      kept.set(key, JSON.parse(JSON.stringify(value)));
      return Promise.resolve();
    },
  } as Memento;
}

const view: PanelMemory['view'] = {
  ...{ probe: 'lgip', report: 'r', index: 4, chart: 'kind', chartHeight: 200, whatIf: 'a blue bus' },
  selection: { text: 'bus', facets: { verdict: ['wrong'] }, sort: 'worst' },
};

describe('the view of a closed panel', () => {
  it('keeps filter, order, example, chart and typed caption, the latest of each panel', async () => {
    const memento = memory();
    await keepView(memento, { run: '1', compare: [] });
    await keepView(memento, { run: '1', compare: ['2'] });
    await keepView(memento, { run: '1', compare: [], view });
    assert.deepEqual(viewsIn(memento), [
      { run: '1', compare: [], view },
      { run: '1', compare: ['2'] },
    ]);
    for (let i = 0; i < 60; i++) await keepView(memento, { run: `more ${i}`, compare: [] });
    assert.equal(viewsIn(memento).length, 50);
    assert.equal(viewsIn(memento)[0].run, 'more 59');
  });

  it('drops what another version wrote', async () => {
    const memento = memory();
    await memento.update('captious.views', [{ run: 3 }, { run: '1', compare: [] }]);
    assert.deepEqual(viewsIn(memento), [{ run: '1', compare: [] }]);
  });

  it('opens another example with the same filters', () => {
    const { view: opened } = withoutExample({ run: '1', compare: [], view });
    assert.deepEqual(
      [opened?.index, opened?.whatIf, opened?.selection],
      [undefined, undefined, view?.selection],
    );
  });
});
