import { usualLimits, writeBatch } from '../../../audit/batch/writeBatch';
import { type Command, list, missing, needed, onePositional, text, wholeNumber } from '../../arguments';
import { datasetRequest, datasetRequestOptions } from '../../datasetRequest';
import { seeds, splitOptions } from '../../options';
import { logPartly } from '../../shownImages';
import { log, printJson } from '../../terminal';

export const requestsCommand: Command = {
  name: 'requests',
  summary: "write a judge's requests to files for a batch API, instead of sending them",
  usage: ['requests FILE --probe P[,P…] --evaluator E --out DIR'],
  operands: { FILE: 'a dataset file' },
  options: {
    ...splitOptions,
    probe: { value: 'P[,P…]', multiple: true, describe: 'the probes that you want to run' },
    evaluator: {
      value: 'E',
      describe: 'an evaluator file of the kind judge, fleur, vqascore or likelihood, with an endpoint',
    },
    out: {
      value: 'DIR',
      describe:
        'output folder. E.FILE.batch-N.requests-M.jsonl has one request per line. E.FILE.batch-N.json describes the batch',
    },
    'file-requests': {
      value: 'N',
      describe: `largest number of requests in a file (default ${usualLimits.requests}, OpenAI's limit)`,
    },
    'file-size': {
      value: 'MB',
      describe: `largest size of a file in megabytes (default ${usualLimits.bytes / 1e6}, OpenAI's limit)`,
    },
    references: {
      value: 'FILE',
      describe: 'reference captions, for judges that compare captions with references',
    },
    ...datasetRequestOptions,
    seeds,
    json: { describe: 'print the result as one JSON value' },
  },
  notes: [
    'Nothing is sent, but the files contain the images. Upload each file as a batch, for example to OpenAI, or give it to "vllm run-batch". Then run "captious answers" with the results.',
    'Requests whose scores are cached or whose answers were imported are not written again.',
  ],
  examples: [
    'requests samples/captions.json --probe lgip --evaluator judge.evaluator.json --limit 3 --out batches',
  ],

  async run(call) {
    const { values, signal } = call;
    const dataset = onePositional(call, 'requests', 'A dataset file');
    const probes = list(values, 'probe');
    if (probes.length === 0) throw missing('--probe', 'Add a probe, for example --probe lgip.');
    const evaluator = needed(values, 'evaluator', 'Add --evaluator FILE.');
    const out = needed(values, 'out', 'Add --out DIR.');
    const megabytes = wholeNumber(values, 'file-size', 1);
    const written = await writeBatch(
      {
        ...{ dataset, probes, evaluator, out, signal },
        references: text(values, 'references'),
        ...datasetRequest(values),
        onEvent: (event) => {
          if (event.type === 'notice') log(event.message);
          if (event.type === 'report') logPartly(event.report.dataset.partlyFound);
        },
      },
      {
        requests: wholeNumber(values, 'file-requests', 1) ?? usualLimits.requests,
        bytes: megabytes === undefined ? usualLimits.bytes : megabytes * 1e6,
      },
    );
    const { path, manifest } = written;
    if (values.json) printJson(written);
    else if (manifest === undefined) log('No request is missing. Run "captious audit" to get the reports.');
    else
      log(
        `wrote ${manifest.requestCount.toLocaleString('en')} requests to ${manifest.files.join(', ')}. Send them as a batch, then run: captious answers ${path} RESULTS`,
      );
    return 0;
  },
};
