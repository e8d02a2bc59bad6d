import { fetchModel } from '../../evaluator/fetch/fetchModel';
import { hubFrom } from '../../evaluator/fetch/hub';
import { knownEncoder } from '../../evaluator/fetch/known';
import { precisionNamed } from '../../evaluator/model/runtime';
import { listEvaluators } from '../../evaluator/installed';
import { english } from '../../base/english';
import { type Command, onePositional, text } from '../arguments';
import { bytes, log, print, printJson, ProgressBar, table } from '../terminal';

export const fetchCommand: Command = {
  name: 'fetch',
  summary: 'download a known encoder from the hub, or from a mirror of it',
  usage: ['fetch ID'],
  operands: { ID: 'the id of an encoder that "captious evaluators" lists as "known, not installed"' },
  options: {
    precision: { value: 'P', describe: 'precision of the model: float32 (default), float16 or int8' },
    endpoint: {
      value: 'URL',
      describe: 'the hub or a mirror (default: HF_ENDPOINT, or https://huggingface.co)',
    },
    json: { describe: 'print the downloaded files as one JSON value' },
  },
  notes: [
    "Files in the cache of the hub's own tools (HF_HOME, HF_HUB_CACHE) are reused. An interrupted download resumes. Every file is checked against its hash. The encoder is installed completely or not at all. HF_TOKEN is sent only to the hub.",
  ],
  examples: ['fetch clip-vit-base-patch32'],

  async run(call) {
    const { values, signal } = call;
    const model = knownEncoder(onePositional(call, 'fetch', 'The id of an encoder'));
    const bar = new ProgressBar();
    log(`${model.name}: ${model.hub} at ${model.revision}, licence ${model.licence}`);
    let fetched: Awaited<ReturnType<typeof fetchModel>>;
    try {
      fetched = await fetchModel(model, {
        hub: hubFrom(text(values, 'endpoint')),
        precision: precisionNamed(text(values, 'precision') ?? 'float32'),
        signal,
        onProgress: ({ file, number, files, received, total }) => {
          const sizes = total === undefined ? bytes(received) : `${bytes(received)} of ${bytes(total)}`;
          bar.show(`${number}/${files} ${file}`, total === undefined ? undefined : received / total, sizes);
        },
      });
    } finally {
      bar.clear();
    }
    if (values.json) {
      printJson(fetched);
      return 0;
    }
    const rows = fetched.files.map(({ path, size, from, check }) => [path, bytes(size), from, check]);
    print(table(['file', 'size', 'from', 'checked against'], rows));
    for (const doubt of model.unconfirmed) print(`not checked: ${doubt}`);
    const precision = precisionNamed(text(values, 'precision') ?? 'float32');
    const [found] = await listEvaluators({ only: [fetched.path], precision });
    print(
      'problem' in found
        ? `downloaded, but it cannot be opened yet: ${english(found.problem)}`
        : `ready: --evaluator ${model.id}`,
    );
    return 0;
  },
};
