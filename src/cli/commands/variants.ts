import { writeVariants } from '../../audit/variants';
import { CaptiousError } from '../../base/errors';
import { parseFieldMap } from '../../dataset/fields';
import type { WantKind } from '../../protocol/item';
import { type Command, list, onePositional, repeated, text, wholeNumber } from '../arguments';
import { parseSettings } from './audit';
import { log, printJson } from '../terminal';

const kindsKnown: readonly WantKind[] = ['image-text', 'text-text'];

export const variantsCommand: Command = {
  name: 'variants',
  summary: 'write every pair a probe wants, to be scored elsewhere',
  help: `captious variants FILE --probe P --out DIR

  --probe P         the probe whose pairs are written
  --out DIR         gets P.FILE.pairs.jsonl, a pair a line, and P.FILE.variants.json, which says how they were made
  --kinds K[,K]     what your scorer can score: image-text, text-text, or both (default image-text)
  --images DIR      where the photos are, if not beside the file; may be given several times
  --limit N         only the first N examples
  --seed N          seed of the perturbations (default 42)
  --set P.KEY=V     an option of the probe
  --map F=C,…       which columns hold what
  --json            print what was written as one JSON value

Score each line of the pairs with whatever you have, write {"key": …, "score": …} for each, then: captious scores

Example:
  captious variants samples/captions.json --probe lgip --out elsewhere`,
  options: {
    probe: { type: 'string' },
    out: { type: 'string' },
    kinds: { type: 'string', multiple: true },
    images: { type: 'string', multiple: true },
    limit: { type: 'string' },
    seed: { type: 'string' },
    set: { type: 'string', multiple: true },
    map: { type: 'string' },
  },

  async run(call) {
    const { values, signal } = call;
    const dataset = onePositional(call, 'variants', 'A dataset file');
    const probe = text(values, 'probe');
    const out = text(values, 'out');
    if (probe === undefined)
      throw new CaptiousError('usage', '--probe is missing.', { remedy: 'As in --probe lgip.' });
    if (out === undefined)
      throw new CaptiousError('usage', '--out is missing.', { remedy: 'Name a folder.' });
    const map = text(values, 'map');
    const written = await writeVariants({
      dataset,
      probe,
      out,
      kinds: parseKinds(list(values, 'kinds')),
      images: repeated(values, 'images'),
      limit: wholeNumber(values, 'limit', 1),
      seed: wholeNumber(values, 'seed'),
      options: parseSettings(repeated(values, 'set'))[probe],
      map: map === undefined ? undefined : parseFieldMap(map),
      signal,
    });
    if (values.json) printJson(written);
    else log(`${written.manifest.pairCount} pairs to score; then: captious scores ${written.path} SCORES`);
    return 0;
  },
};

function parseKinds(given: readonly string[]): WantKind[] {
  if (given.length === 0) return ['image-text'];
  return given.map((name) => {
    const kind = kindsKnown.find((candidate) => candidate === name);
    if (kind !== undefined) return kind;
    throw new CaptiousError('usage', `--kinds ${name}: there is no such kind of pair.`, {
      remedy: `The kinds are: ${kindsKnown.join(', ')}.`,
    });
  });
}
