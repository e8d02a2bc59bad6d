import assert from 'node:assert/strict';
import { say } from '../../../../src/base/say';
import type { ReportView } from '../../../../src/protocol/panel';
import { sentence } from '../../../sentence';
import { bundle } from '../../editor/bundle';

/** An element of the page as text: its own, and that of its children. */
class Shown {
  readonly children: (Shown | string)[] = [];
  constructor(readonly tag: string) {}
  readonly setAttribute = (): undefined => undefined;
  append(...children: (Shown | string)[]): void {
    this.children.push(...children);
  }
  get text(): string {
    return this.children.map((child) => (typeof child === 'string' ? child : child.text)).join('');
  }
  get items(): string[] {
    return this.children.flatMap((child) =>
      typeof child === 'string' ? [] : child.tag === 'li' ? [child.text] : child.items,
    );
  }
}

interface Remarks {
  leftOutView(reports: readonly Partial<ReportView>[]): Shown | null;
}

describe('what the list lacks', () => {
  const page = globalThis as { document?: unknown };
  let leftOutView: Remarks['leftOutView'];

  before(async () => {
    page.document = {
      ...{ body: { dataset: {} }, documentElement: { lang: 'en' } },
      createElement: (tag: string) => new Shown(tag),
    };
    ({ leftOutView } = (await bundle<Remarks>("export * from './webview/panel/remarks';"))({}));
  });
  after(() => {
    delete page.document;
  });

  const [noImage, notFound] = [say('probe.noImage'), say('probe.imageNotFound')];
  const report = (evaluator: string, ...leftOut: ReportView['leftOut']): Partial<ReportView> => ({
    ...{ evaluator, leftOut, examples: 9 },
    skipped: leftOut.reduce((sum, { count }) => sum + count, 0),
  });

  it('is counted with its reasons and lines, and with the evaluator if others lack less', () => {
    const shared = { reason: noImage, count: 30, lines: ['2', '1,234'] };
    const shown = leftOutView([
      report('Starter', shared),
      report('clip', shared, { reason: notFound, count: 1, lines: ['7'] }),
    ]);
    assert.match(shown!.text, /^30 \/ 31 left out/);
    assert.deepEqual(shown!.items, [
      `30 left out: ${sentence('probe.noImage')} (lines 2, 1,234, …)`,
      `clip: 1 left out: ${sentence('probe.imageNotFound')} (line 7)`,
    ]);
  });

  it('is not shown if it is nothing, or if it is all, which stands in place of the list', () => {
    assert.equal(leftOutView([report('Starter')]), null);
    const all = report('Starter', { reason: noImage, count: 1, lines: [] });
    assert.equal(leftOutView([{ ...all, examples: 0 }]), null);
  });
});
