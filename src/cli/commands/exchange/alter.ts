import { english } from '../../../base/english';
import { writeAlteredSet } from '../../../audit/altered/alteredSet';
import { homeFolder, storeFolder } from '../../../base/files/home';
import { createBench } from '../../../bench/createBench';
import type { Evaluator } from '../../../evaluator/evaluator';
import { usageError } from '../../../base/errors';
import { isTableForm, tableForms } from '../../../report/table/forms';
import { type Command, list, needed, onePositional, text } from '../../arguments';
import { openFor } from '../../consent';
import { datasetRequest, datasetRequestOptions } from '../../datasetRequest';
import { python, splitOptions, yes } from '../../options';
import { logPartly } from '../../shownImages';
import { log, printJson } from '../../terminal';

export const alterCommand: Command = {
  name: 'alter',
  summary: "write RoCOCO's altered captions and images as files",
  usage: ['alter FILE --out DIR'],
  operands: { FILE: 'a dataset file with images and English captions' },
  options: {
    ...splitOptions,
    evaluator: {
      value: 'E[,E…]',
      multiple: true,
      describe:
        'evaluators that choose which noun to replace: the noun whose removal changes their embeddings least (default starter)',
    },
    out: {
      value: 'DIR',
      describe:
        'output folder. FILE.POLICY.json has the published format: one entry per image, with its five captions followed by the altered captions. If an image has another number of captions, or most have no altered one, the altered captions have a column of their own. FILE.images.jsonl lists the altered images in DIR/images',
    },
    to: {
      value: 'FORMAT',
      describe: `${tableForms.join(', ')}: tables with the images inside, instead of JSON: FILE.POLICY with the columns image, caption and altered, and FILE.images with the altered images`,
    },
    ...datasetRequestOptions,
    python,
    yes,
    json: { describe: 'print the result as one JSON value' },
  },
  notes: [
    'The options are those of the probe rococo. --set rococo.captions=all writes a file for each policy. --set rococo.images=none writes no images.',
    'An audit of FILE with the same seed and options, and with these evaluators as --voters, uses the same captions and images.',
  ],
  examples: ['alter samples/captions.json --out altered --set rococo.images=none'],

  async run(call) {
    const { values, signal } = call;
    const dataset = onePositional(call, 'alter', 'A dataset file');
    const out = needed(values, 'out', 'Add --out DIR.');
    const form = text(values, 'to');
    if (form !== undefined && !isTableForm(form))
      throw usageError(`--to ${form}: there is no such format.`, `Choose from: ${tableForms.join(', ')}.`);
    const request = datasetRequest(values);
    const refs = list(values, 'evaluator');
    const home = homeFolder();
    const bench = createBench({ store: storeFolder(home), onWarning: log });
    const evaluators: Evaluator[] = [];
    try {
      for (const ref of refs.length === 0 ? ['starter'] : refs)
        evaluators.push(await openFor(call, ref, { home }));
      const written = await writeAlteredSet({
        dataset,
        evaluators,
        bench,
        out,
        form,
        ...request,
        options: request.options.rococo,
        signal,
      });
      for (const problem of written.problems) log(`not written: ${english(problem)}`);
      logPartly(written.partly);
      if (values.json) {
        printJson(written);
        return 0;
      }
      for (const { reason, count } of written.leftOut) log(`left out, ${count}: ${english(reason)}`);
      for (const { path, images: entries, unaltered, published } of written.captions) {
        const without =
          unaltered === 0
            ? ''
            : ` ${unaltered} captions have no altered version: no noun could be replaced, or only by a word that makes another caption of the image.`;
        const columns =
          published === false
            ? ' The altered captions have a column of their own, because the published form needs five captions of each image.'
            : '';
        log(`wrote ${path}: ${entries} images.${without}${columns}`);
      }
      if (written.images !== undefined)
        log(`wrote ${written.images.written} altered images, listed in ${written.images.path}`);
      return 0;
    } finally {
      await bench.close();
      for (const evaluator of evaluators) await evaluator.close();
    }
  },
};
