import { chooseFrom } from '../../../base/text/nearest';
import { english } from '../../../base/english';
import { writeVariants } from '../../../audit/variants';
import { usageError } from '../../../base/errors';
import type { WantKind } from '../../../protocol/item';
import { type Command, list, needed, onePositional } from '../../arguments';
import { datasetRequest, datasetRequestOptions } from '../../datasetRequest';
import { seeds, splitOptions } from '../../options';
import { logPartly } from '../../shownImages';
import { log, printJson } from '../../terminal';

const kindsKnown: readonly WantKind[] = ['image-text', 'text-text'];

export const variantsCommand: Command = {
  name: 'variants',
  summary: 'write the pairs that a probe scores, so that your own program can score them',
  usage: ['variants FILE --probe P --out DIR'],
  operands: { FILE: 'a dataset file' },
  options: {
    ...splitOptions,
    probe: { value: 'P', describe: 'the probe whose pairs are written' },
    out: {
      value: 'DIR',
      describe:
        'output folder. P.FILE.pairs.jsonl has one pair per line. P.FILE.variants.json records how the pairs were made',
    },
    kinds: {
      value: 'K[,K]',
      multiple: true,
      describe: 'the kinds of pairs to write: image-text, text-text, or both (default image-text)',
    },
    'write-images': {
      describe:
        'write each altered image as a PNG file to DIR/images. The field "file" of a pair names the image',
    },
    ...datasetRequestOptions,
    seeds,
    json: { describe: 'print the result as one JSON value' },
  },
  notes: [
    'Score each line of the pairs file with your own program. Write {"key": …, "score": …} for each line. Then run "captious scores".',
  ],
  examples: ['variants samples/captions.json --probe lgip --out pairs'],

  async run(call) {
    const { values, signal } = call;
    const dataset = onePositional(call, 'variants', 'A dataset file');
    const probe = needed(values, 'probe', 'Add a probe, for example --probe lgip.');
    const out = needed(values, 'out', 'Add --out DIR.');
    const request = datasetRequest(values);
    const written = await writeVariants({
      dataset,
      probe,
      out,
      writeImages: values['write-images'] === true,
      kinds: parseKinds(list(values, 'kinds')),
      ...request,
      options: request.options[probe],
      signal,
      onPartly: logPartly,
    });
    for (const problem of written.problems ?? []) log(`not written: ${english(problem)}`);
    if (values.json) printJson(written);
    else
      log(
        `wrote ${written.manifest.pairCount} pairs${imagesOf(written)}. Score them, then run: captious scores ${written.path} SCORES`,
      );
    return 0;
  },
};

function imagesOf({ imagesWritten }: { imagesWritten?: number }): string {
  return imagesWritten === undefined ? '' : ` and ${imagesWritten} images`;
}

function parseKinds(given: readonly string[]): WantKind[] {
  if (given.length === 0) return ['image-text'];
  return given.map((name) => {
    const kind = kindsKnown.find((candidate) => candidate === name);
    if (kind !== undefined) return kind;
    throw usageError(`--kinds ${name}: there is no such kind of pair.`, chooseFrom(name, kindsKnown));
  });
}
