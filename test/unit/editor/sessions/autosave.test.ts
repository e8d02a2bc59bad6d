import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import { findSaid, say } from '../../../../src/base/say';
import { Autosave, createWork } from '../../../../src/editor/sessions/autosave';
import { TripletSession } from '../../../../src/sessions/triplets';

const readSession = async (path: string) => TripletSession.parse(await readFile(path, 'utf8'), path);

function begin(): TripletSession {
  const half = {
    id: '1',
    caption: 'a',
    positives: [{ text: 'b', from: 'x' }],
    negatives: [{ text: 'c', from: 'y' }],
  };
  return TripletSession.begin([half], { path: 'a.json', how: 'rules', seed: 42 }, 'ann');
}

describe('saving a session', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-autosave-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('writes the last state, including changes during a write, and leaves no temporary file', async () => {
    const path = join(folder, 'a.triplets.json');
    const session = begin();
    const autosave = new Autosave(path, session, (problem) => {
      assert.equal(problem, undefined);
    });
    session.change(0, { second: 'one' });
    autosave.changed();
    const first = autosave.flush();
    session.change(0, { second: 'two' });
    autosave.changed();
    await Promise.all([first, autosave.flush()]);
    assert.ok(autosave.isSaved);
    assert.equal((await readSession(path)).items[0].decision.second, 'two');
    assert.deepEqual(await readdir(folder), ['a.triplets.json']);
  });

  it('saves shortly after a change', async () => {
    const path = join(folder, 'a.triplets.json');
    const session = begin();
    await new Promise<void>((resolve) => {
      const autosave = new Autosave(path, session, () => {
        resolve();
      });
      session.change(0, { status: 'rejected' });
      autosave.changed();
      assert.ok(!autosave.isSaved);
    });
    assert.equal((await readSession(path)).counts().rejected, 1);
  });

  it('reports a failed save and retries with the next change', async () => {
    const path = join(folder, 'gone', 'a.triplets.json');
    const session = begin();
    const problems: unknown[] = [];
    const autosave = new Autosave(path, session, (problem) => problems.push(problem));
    autosave.changed();
    await autosave.flush();
    const [problem] = problems;
    assert.ok(problem instanceof CaptiousError && findSaid(problem.what, 'editor.sessionNotSaved'));
    assert.deepEqual(problem.details.remedy, say('editor.allowSavingThenContinue'));
    assert.ok(!autosave.isSaved);
    await mkdir(join(folder, 'gone'));
    autosave.changed();
    await autosave.flush();
    assert.equal(problems[1], undefined);
    assert.equal((await readSession(path)).annotator, 'ann');
  });

  it('says how to create a session if its file cannot be written', async () => {
    const path = join(folder, 'gone', 'a.triplets.json');
    await assert.rejects(createWork(path, begin()), (error: CaptiousError) => {
      assert.ok(findSaid(error.what, 'editor.sessionNotSaved'));
      assert.deepEqual(error.details.remedy, say('editor.allowSavingThenRerun'));
      return true;
    });
  });

  it('does not write through a link next to the session', async () => {
    const victim = join(folder, 'victim');
    const path = join(folder, 'a.triplets.json');
    await writeFile(victim, 'mine');
    await symlink(victim, path);
    await symlink(victim, join(folder, `.a.triplets.json.${process.pid}.part`));
    const autosave = new Autosave(path, begin(), (problem) => {
      assert.equal(problem, undefined);
    });
    autosave.changed();
    await autosave.flush();
    assert.equal(await readFile(victim, 'utf8'), 'mine');
    assert.equal((await readSession(path)).annotator, 'ann');
  });
});
