import { fetchModel } from '../../evaluator/fetch/fetchModel';
import { hubFrom } from '../../evaluator/fetch/hub';
import { knownEncoder } from '../../evaluator/fetch/known';
import { precisionNamed } from '../../evaluator/model/runtime';
import { describeInstalled } from '../../evaluator/installed';
import { type Command, onePositional, text } from '../arguments';
import { bytes, log, print, printJson, ProgressBar, table } from '../terminal';

export const fetchCommand: Command = {
  name: 'fetch',
  summary: 'fetch a known encoder from the hub, or from a mirror of it',
  help: `captious fetch ID

  --precision P     which of its graphs: float32 (default), float16 or int8
  --endpoint URL    the hub or a mirror (default: HF_ENDPOINT, or https://huggingface.co)
  --json            print what was fetched as one JSON value

"captious evaluators" lists the known encoders. What the hub's own programs fetched already (HF_HOME, HF_HUB_CACHE) is
taken from there. A fetch that was stopped goes on from where it was. Every file is held against its hash, and the
encoder appears whole or not at all. A token for the hub is read from HF_TOKEN and sent to the hub alone.

Example:
  captious fetch clip-vit-base-patch32`,
  options: { precision: { type: 'string' }, endpoint: { type: 'string' } },

  async run(call) {
    const { values, signal } = call;
    const model = knownEncoder(onePositional(call, 'fetch', 'encoder'));
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
    print(table(['file', 'size', 'from', 'held against'], rows));
    for (const doubt of model.unconfirmed) print(`not confirmed: ${doubt}`);
    const found = await describeInstalled(model.id, fetched.path, {
      precision: precisionNamed(text(values, 'precision') ?? 'float32'),
    });
    print(
      'problem' in found
        ? `fetched, but it cannot be opened yet: ${found.problem}`
        : `ready: --evaluator ${model.id}`,
    );
    return 0;
  },
};
