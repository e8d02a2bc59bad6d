import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

describe('the interval of every probe', () => {
  it('comes from one rule, which needs five images', () => {
    const files = readdirSync('src/probe', { recursive: true, encoding: 'utf8' });
    const own = files.filter(
      (file) => file.endsWith('.ts') && /\bbcaInterval\b/.test(readFileSync(join('src/probe', file), 'utf8')),
    );
    assert.deepEqual(own, [join('inference', 'interval.ts')]);
  });
});
