import assert from 'node:assert/strict';
import { findWhole, placeOf } from '../../../../src/editor/text/captionPlace';

describe('a caption in its file', () => {
  it('is found in every spelling', () => {
    const found = (source: string, text: string) => {
      const place = findWhole(source, text);
      return place === undefined ? undefined : source.slice(place.start, place.end);
    };
    assert.equal(found('{"caption": "a \\"red\\" bus"}', 'a "red" bus'), 'a \\"red\\" bus');
    assert.equal(found('x,"a ""red"" bus"', 'a "red" bus'), 'a ""red"" bus');
    assert.equal(found('x,"""red"" bus"', '"red" bus'), '""red"" bus');
    assert.equal(found('{"caption": "a caf\\u00e9"}', 'a café'), 'a caf\\u00e9');
    assert.equal(found('1.jpg#0\ta red bus', 'a red bus'), 'a red bus');
    assert.equal(found('1.jpg| 0| a red bus .', 'a red bus .'), 'a red bus .');
    assert.equal(found("1,\"['a red bus', 'a cat']\"", 'a cat'), 'a cat');
    assert.equal(found('["a red bus","a cat"]', 'a red bus'), 'a red bus');
    assert.equal(found('"A red bus. \\n"', 'A red bus.'), 'A red bus.');
    assert.equal(found('{"caption": "a blue bus"}', 'a red bus'), undefined);
  });

  it('is not mistaken for a longer one that contains it', () => {
    for (const source of [
      '{"caption": "a red bus on a road"}',
      '{"caption": "there is a red bus"}',
      '{"caption": "a road, a red bus"}',
      '{"caption": "a red bus, a road"}',
      '{"caption": "a road, a red bus, a tree"}',
      '1.jpg,"a road,a red bus,a tree"',
      '1.jpg#0\tnot a red bus',
      '1.jpg,a red bus and more',
    ])
      assert.equal(findWhole(source, 'a red bus'), undefined, source);
  });

  it('is preferred to an equal text in another field', () => {
    const source = '{"title": "a red bus", "caption": "a red bus"}';
    assert.equal(findWhole(source, 'a red bus', 30)?.start, source.lastIndexOf('a red bus'));
  });

  it('is found below the line that opens its entry, and nowhere else', () => {
    const lines = ['{', '  "3": {', '    "filename": "3.jpg",', '    "caption": "a red bus",'];
    lines.push(
      '    "negative_caption": "a blue bus"',
      '  },',
      '  "4": {"caption": "a cat"},',
      '  "5": "a dog"',
      '}',
    );
    const document = {
      lineCount: lines.length,
      lineAt: (line: number) => ({ text: lines[line] }),
    } as unknown as Parameters<typeof placeOf>[0];
    const place = (line: number, text: string) => {
      const found = placeOf(document, {
        line,
        mark: { line: line + 1, texts: [text], words: '', captions: [] },
      });
      return found && [found.line, lines[found.line].slice(found.start, found.end)];
    };
    assert.deepEqual(place(1, 'a red bus'), [3, 'a red bus']);
    assert.deepEqual(place(6, 'a cat'), [6, 'a cat']);
    assert.equal(place(1, 'a green bus'), undefined);
    assert.equal(place(6, 'a dog'), undefined);
  });
});
