import assert from 'node:assert/strict';
import type { Entry } from '../../../src/report/paper/entry';
import { unpublishable } from '../../../src/report/paper/footnotes';

const entryOf = (id: string) => ({ evaluator: `name of ${id}`, report: { evaluator: { id } } }) as Entry;

describe('exports for papers', () => {
  it('say that values of the bundled starter must not be published, by name, and only then', () => {
    const own = ['starter', 'clipscore:starter', 'refclipscore:starter'];
    const [note, ...more] = unpublishable([...own, 'vit', 'my-starter', 'starter-2'].map(entryOf));
    assert.deepEqual(more, []);
    for (const id of own) assert.ok(note.includes(`name of ${id}`));
    for (const id of ['vit', 'my-starter', 'starter-2']) assert.ok(!note.includes(`name of ${id}`));
    assert.deepEqual(unpublishable([entryOf('vit')]), []);
  });

  it('say the same of drafts, with their precision', () => {
    const draft = entryOf('vit');
    Object.assign(draft.report.evaluator, { draft: true, precision: 'int8' });
    const [note, ...more] = unpublishable([draft, entryOf('siglip')]);
    assert.deepEqual(more, []);
    assert.match(note, /name of vit: .*int8/);
    assert.ok(!note.includes('siglip'));
    assert.equal(unpublishable([draft, entryOf('starter')]).length, 2);
  });
});
