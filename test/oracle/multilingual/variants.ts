// Applies the multilingual flip rules to the captions in captions.json:
// tsx test/oracle/multilingual/variants.ts > variants.json
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../../src/base/random';
import { Multilingual } from '../../../src/perturb/text/multilingual/rules';

export type Kept = Record<string, { caption: string; variants: string[] }[]>;

export function madeVariants(): Kept {
  const captions = JSON.parse(readFileSync(join(__dirname, 'captions.json'), 'utf8')) as Record<
    string,
    string[]
  >;
  const entries = Object.entries(captions).map(([language, own]): [string, Kept[string]] => {
    const rules = Multilingual.of(language)!;
    const made = own.map((caption, at) => {
      const flips = [1, 2, 3].flatMap((seed) =>
        rules.flips(caption, (purpose) => new Random(seed, language, at, purpose)),
      );
      return { caption, variants: [...new Set(flips.map(({ text }) => text))] };
    });
    return [language, made];
  });
  return Object.fromEntries(entries);
}

if (require.main === module) console.log(JSON.stringify(madeVariants(), undefined, 1));
