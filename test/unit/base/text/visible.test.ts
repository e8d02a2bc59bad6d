import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { visible } from '../../../../src/base/text/visible';
import { bundle } from '../../editor/bundle';

/** The tests have no types of pages. */
interface Loaded {
  escapeHidden: (node: object) => void;
  showHidden: (page: object) => void;
}

/** As little of a page as the function needs. */
class FakeNode {
  parentElement: FakeElement | null = null;
  childNodes: FakeNode[] = [];
}
class FakeText extends FakeNode {
  writes = 0;
  constructor(private text: string) {
    super();
  }
  get data(): string {
    return this.text;
  }
  set data(text: string) {
    this.writes++;
    this.text = text;
  }
}
class FakeElement extends FakeNode {
  constructor(
    readonly tagName: string,
    readonly attributes: Record<string, string>,
    ...children: FakeNode[]
  ) {
    super();
    this.childNodes = children;
    for (const child of children) child.parentElement = this;
  }
  getAttribute(name: string): string | null {
    return this.attributes[name] ?? null;
  }
  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }
}

const directions = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
const invisible = '\u200b\u2060\ufeff\u180e\u0000\u001b\u009b';

describe('hidden characters in pages', () => {
  const kept = ['Text', 'Element', 'MutationObserver'].map(
    (name) => [name, Reflect.get(globalThis, name)] as const,
  );
  let heard: (changes: object[]) => void = () => undefined;
  let observed: unknown[] = [];
  let loaded: Loaded;
  before(async () => {
    loaded = (await bundle<Loaded>("export * from './webview/base/hidden';"))({});
    Object.assign(globalThis, {
      ...{ Text: FakeText, Element: FakeElement },
      MutationObserver: class {
        constructor(hear: typeof heard) {
          heard = hear;
        }
        observe(...given: unknown[]): void {
          observed = given;
        }
      },
    });
  });
  after(() => kept.forEach(([name, value]) => Reflect.set(globalThis, name, value)));

  it('are escaped, but not joiners, line feeds and letters of any script', () => {
    for (const sign of [...directions, ...invisible])
      assert.equal(visible(`a${sign}b`), `a\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}b`);
    const right = 'a\tb\nשלום عربى 👩‍🚀 न‌ह é';
    assert.equal(visible(right), right);
  });

  it('are escaped in texts, titles and labels, but not where people edit', () => {
    const name = new FakeText('photo\u202egpj.exe');
    const edited = new FakeText('a\u200fb');
    const plain = new FakeText('two dogs');
    const cell = new FakeElement('td', { title: 'x\u2066y', 'aria-label': '\u202e', class: 'a\u200b' }, name);
    const page = new FakeElement('body', {}, cell, new FakeElement('TEXTAREA', {}, edited), plain);
    loaded.escapeHidden(page);
    assert.equal(name.data, 'photo\\u202egpj.exe');
    assert.deepEqual(cell.attributes, { title: 'x\\u2066y', 'aria-label': '\\u202e', class: 'a\u200b' });
    assert.equal(edited.data, 'a\u200fb');
    assert.deepEqual([name.writes, plain.writes], [1, 0]);
  });

  it('are escaped in whatever the page shows later', () => {
    const page = new FakeElement('body', {});
    loaded.showHidden(page);
    assert.equal(observed[0], page);
    const [added, changed] = [new FakeText('\u202eadded'), new FakeText('\u202echanged')];
    const titled = new FakeElement('p', { title: '\u202e' });
    heard([
      { type: 'childList', target: page, addedNodes: [new FakeElement('p', {}, added)] },
      { type: 'characterData', target: changed, addedNodes: [] },
      { type: 'attributes', target: titled, addedNodes: [] },
    ]);
    assert.deepEqual(
      [added.data, changed.data, titled.attributes.title],
      ['\\u202eadded', '\\u202echanged', '\\u202e'],
    );
  });

  it('are watched in every page, because every page has the bridge', () => {
    const files = readdirSync('webview', { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const using = files.filter((name) =>
      readFileSync(join('webview', name), 'utf8').includes('acquireVsCodeApi'),
    );
    assert.deepEqual(using, [join('base', 'bridge.ts')]);
    assert.ok(readFileSync('webview/base/bridge.ts', 'utf8').includes('showHidden(document)'));
  });

  it('leave no other way from a text to markup', () => {
    const files = readdirSync('webview', { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    for (const name of files)
      assert.doesNotMatch(
        readFileSync(join('webview', name), 'utf8'),
        /innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|document\.write|srcdoc/,
        name,
      );
  });
});
