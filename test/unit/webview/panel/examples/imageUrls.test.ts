import assert from 'node:assert/strict';
import { CaptiousError } from '../../../../../src/base/errors';
import { failureOf } from '../../../../../src/base/failure';
import { say } from '../../../../../src/base/say';
import { sentence } from '../../../../sentence';
import { bundle } from '../../../editor/bundle';

/** The modules are of a page, whose types the tests do not have. */
interface Page {
  ImageUrls: new () => {
    areOpened: boolean;
    url(report: string, name: string, side: number): Promise<string | null>;
    why(report: string, name: string): string;
  };
  connectRows(way: () => Promise<never>): void;
  errorOf(failure: unknown): Error;
}

describe('an image that cannot be shown', () => {
  const page = globalThis as { document?: unknown };
  let load: Page;

  before(async () => {
    page.document = { body: { dataset: {} }, documentElement: { lang: 'en' } };
    const modules = ['./webview/panel/examples/imageUrls', './webview/base/rows', './src/base/failure'];
    load = (await bundle<Page>(modules.map((path) => `export * from '${path}';`).join('\n')))({});
  });
  after(() => {
    delete page.document;
  });

  it('has the reason of the search beside its name', async () => {
    const failing = (what: CaptiousError['what']) =>
      load.connectRows(() => Promise.reject(load.errorOf(failureOf(new CaptiousError('input', what)))));
    const urls = new load.ImageUrls();
    failing(say('dataset.severalFilesOfName', 2));
    assert.equal(await urls.url('r', 'a.jpg', 48), null);
    failing(say('editor.imageNotFound', 'b.jpg'));
    assert.equal(await urls.url('r', 'b.jpg', 48), null);
    assert.deepEqual(
      ['a.jpg', 'b.jpg'].map((name) => urls.why('r', name)),
      [sentence('dataset.severalFilesOfName', 2), 'image not found'],
    );
    urls.areOpened = false;
    assert.equal(urls.why('r', 'a.jpg'), 'not opened in Restricted Mode');
  });
});
