import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { imageBase, sessionImages } from '../../../../src/service/images/imageBase';
import { isOnOtherHost } from '../../../../src/service/images/networkPath';

describe('images of a report', () => {
  let root: string;
  let scope: { own: string[]; workspace: string[] };
  const at = (...parts: string[]): string => join(root, ...parts);

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'captious-image-base-')));
    for (const folder of ['home/runs', 'workspace/out', 'private', 'downloads', 'workspace-other'])
      mkdirSync(at(folder), { recursive: true });
    for (const file of ['private/data.json', 'workspace/data.json', 'workspace-other/data.json'])
      writeFileSync(at(file), '[]');
    scope = { own: [at('home')], workspace: [at('workspace')] };
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('are searched next to a dataset in the workspace, and where a local run found them', async () => {
    const base = (report: string, dataset: string) => imageBase(at(report), at(dataset), [], scope);
    assert.equal(await base('downloads/r.json', 'workspace/data.json'), at('workspace/data.json'));
    assert.equal(await base('home/runs/r.json', 'private/data.json'), at('private/data.json'));
  });

  it('are not searched in any other folder that the report names', async () => {
    symlinkSync(at('private'), at('workspace/link'));
    const outside = ['private/data.json', 'workspace-other/data.json', 'workspace/link/data.json'];
    for (const dataset of [...outside, 'workspace/../private/data.json', 'private/gone.json']) {
      assert.equal(await imageBase(at('downloads/r.json'), at(dataset), [], scope), undefined, dataset);
      const name = dataset.split('/').at(-1)!;
      assert.equal(
        await imageBase(at('workspace/out/r.json'), at(dataset), [], scope),
        at('workspace/out', name),
      );
      assert.equal(
        await imageBase(at('downloads/r.json'), at(dataset), [at('images')], scope),
        at('images', name),
      );
    }
  });

  it('are not searched on another host that the report names', async () => {
    for (const path of [
      '\\\\host\\share\\data.json',
      '//host/share/data.json',
      '\\/host\\x',
      '\\\\?\\UNC\\host\\x',
    ]) {
      assert.equal(isOnOtherHost(path, ['C:\\work', '/work', '\\\\other\\share']), true, path);
      assert.equal(await imageBase(at('downloads/r.json'), path, [], scope), undefined, path);
    }
    assert.equal(isOnOtherHost('\\\\Host\\share\\data.json', ['//host/share/work']), false);
    for (const path of ['C:\\data.json', '/data.json', 'data.json', ''])
      assert.equal(isOnOtherHost(path, []), false);
    // The same file, but the path starts with two slashes, so that Windows would read its first folder as a host.
    assert.equal(
      await imageBase(at('downloads/r.json'), `/${at('workspace/data.json')}`, [], scope),
      undefined,
    );
  });

  it('of a session are not searched in a folder outside the workspace', async () => {
    const images = (session: string, dataset: string, named: string[], folders: string[] = []) =>
      sessionImages(
        { session: at(session), dataset: at(dataset), named: named.map((name) => at(name)) },
        folders,
        scope,
      );
    symlinkSync(at('private'), at('workspace/link'));
    for (const named of ['private', 'workspace/link', 'workspace-other'])
      assert.deepEqual(
        await images('workspace/x.check.json', 'private/data.json', [named, 'workspace/out']),
        {
          dataset: at('workspace/data.json'),
          images: [at('workspace/out')],
        },
      );
    assert.equal(await images('downloads/x.check.json', 'private/data.json', ['private']), undefined);
    const beside = await images('private/x.check.json', 'private/data.json', ['private']);
    assert.deepEqual(beside, { dataset: at('private/data.json'), images: [] });
    const allowed = await images('downloads/x.check.json', 'private/data.json', ['private'], [at('mine')]);
    assert.deepEqual(allowed, { dataset: at('mine/data.json'), images: [at('mine')] });
  });
});
