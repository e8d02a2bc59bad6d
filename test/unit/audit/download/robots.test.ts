import assert from 'node:assert/strict';
import { parseRobots } from '../../../../src/audit/download/robots';

const allowed = (content: string, paths: readonly string[]): boolean[] => {
  const robots = parseRobots(content, 'captious');
  return paths.map((path) => robots.allows(path));
};

describe('robots.txt', () => {
  it('follows the group of the program, else that of all', () => {
    const content =
      'User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: Captious\nDisallow: /a # no\n';
    assert.deepEqual(allowed(content, ['/a/1.jpg', '/b/1.jpg']), [false, true]);
    assert.deepEqual(allowed('User-agent: *\nDisallow: /a', ['/a', '/b']), [false, true]);
    assert.deepEqual(allowed('User-agent: other\nDisallow: /', ['/a']), [true]);
  });

  it('lets the longest rule decide, and the permission of two equally long ones', () => {
    const content = 'User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /c\nAllow: /c\nDisallow:\n';
    assert.deepEqual(allowed(content, ['/a/x', '/a/b/x', '/c/x', '/']), [false, true, true, true]);
  });

  it('knows wildcards and ends', () => {
    const content = 'User-agent: *\nDisallow: /*.gif$\nDisallow: /x*y*z\n';
    assert.deepEqual(allowed(content, ['/a.gif', '/a.gif?b', '/x-y-z1', '/x-y', '/xzy']), [
      false,
      true,
      false,
      true,
      true,
    ]);
  });

  it('takes the delay, and survives what is no rule', () => {
    assert.equal(parseRobots('User-agent: *\nCrawl-delay: 2.5\n', 'captious').delay, 2.5);
    assert.deepEqual(allowed('<html>\u0000Disallow: /\nDisallow: /\n', ['/']), [true]);
    assert.deepEqual(allowed(`User-agent: *\nDisallow: /${'*a'.repeat(2000)}b`, [`/${'a'.repeat(4000)}`]), [
      true,
    ]);
  });
});
