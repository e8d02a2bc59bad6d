import { addressesIn, type Downloaded, downloadImages } from '../../../audit/download/download';
import { english } from '../../../base/english';
import { openDataset } from '../../../dataset/open';
import { type Command, onePositional, text, wholeNumber } from '../../arguments';
import { limit, map, splitOptions } from '../../options';
import { bytes, print, printJson, ProgressBar, table } from '../../terminal';
import { fieldsOf } from '../../datasetRequest';

export const imagesCommand: Command = {
  name: 'images',
  summary: 'download the images that a dataset names by web addresses',
  usage: ['images FILE [--download DIR]'],
  operands: { FILE: 'a dataset whose images are http:// or https:// addresses' },
  options: {
    ...splitOptions,
    download: {
      value: 'DIR',
      describe:
        'download into this folder, and continue an earlier download. Name it with --images afterwards. Without it, the addresses are only counted, by host',
    },
    rate: { value: 'N', describe: 'most requests a second to one host (default 5)' },
    'at-once': { value: 'N', describe: 'most requests at the same time, to all hosts (default 16)' },
    retries: {
      value: 'N',
      describe: 'how often an address is asked again after a failure that may pass (default 3)',
    },
    'most-mb': { value: 'N', describe: 'larger images are left out (default 50 MB)' },
    'allow-private': {
      describe: 'also ask addresses of this computer and its own network, such as a mirror',
    },
    limit,
    map,
    json: { describe: 'print the result as one JSON value' },
  },
  notes: [
    'The rules of robots.txt, and owners who object with the header X-Robots-Tag (noai, noindex), are respected. Files are named by the hash of their content. DIR/captious.images.jsonl has a line for each address: its file, or why there is none.',
    'An interrupted download continues with the same command. Failures that may pass are asked again then.',
  ],
  examples: ['images web.csv', 'images web.csv --download photos --rate 2'],

  async run(call) {
    const { values, signal } = call;
    const path = onePositional(call, 'images', 'A dataset file');
    const dataset = await openDataset(path, { signal, map: fieldsOf(values) });
    const first = wholeNumber(values, 'limit', 1);
    const folder = text(values, 'download');
    if (folder === undefined) {
      const { addresses, others } = await addressesIn(dataset, { signal, limit: first });
      const hosts = [...hostsOf(addresses)].sort(([, a], [, b]) => b - a);
      if (values.json) printJson({ addresses: addresses.length, others, hosts: Object.fromEntries(hosts) });
      else {
        print(`${addresses.length} web addresses, ${others} other image names. Nothing was downloaded.`);
        if (hosts.length > 0)
          print(
            table(
              ['host', 'images'],
              hosts.slice(0, 20).map(([host, n]) => [host, String(n)]),
            ),
          );
      }
      return 0;
    }
    const bar = new ProgressBar();
    let result: Downloaded;
    try {
      result = await downloadImages({
        ...{ dataset, folder, signal, limit: first },
        rate: wholeNumber(values, 'rate', 1) ?? 5,
        atOnce: wholeNumber(values, 'at-once', 1) ?? 16,
        retries: wholeNumber(values, 'retries') ?? 3,
        limits: {
          mostBytes: (wholeNumber(values, 'most-mb', 1) ?? 50) * 1e6,
          stallMs: 30_000,
          allowPrivate: values['allow-private'] === true,
        },
        onImage: (done) => {
          const there = done.kept + done.fetched + missing(done);
          bar.show('images', there / done.addresses, `${there} of ${done.addresses} · ${bytes(done.bytes)}`);
        },
      });
    } finally {
      bar.clear();
    }
    if (values.json) printJson({ ...result, problems: Object.fromEntries(result.problems) });
    else show(result, folder);
    return 0;
  },
};

function hostsOf(addresses: readonly string[]): Map<string, number> {
  const hosts = new Map<string, number>();
  for (const address of addresses) {
    const host = URL.canParse(address) ? new URL(address).host : 'not an address';
    hosts.set(host, (hosts.get(host) ?? 0) + 1);
  }
  return hosts;
}

function missing({ problems }: Downloaded): number {
  return [...problems.values()].reduce((sum, { count }) => sum + count, 0);
}

function show(result: Downloaded, folder: string): void {
  const { addresses, others, kept, fetched } = result;
  print(
    `${addresses} web addresses: ${fetched} downloaded (${bytes(result.bytes)}), ${kept} there before, ${missing(result)} without an image`,
  );
  if (others > 0) print(`${others} image names are no web address`);
  const rows = [...result.problems.values()]
    .sort((a, b) => b.count - a.count)
    .map(({ count, first: [{ url, problem, again }] }) => [
      `${english(problem!)}${again === true ? ' It is asked again next time.' : ''}`,
      String(count),
      url,
    ]);
  if (rows.length > 0) print(table(['reason', 'images', 'first address'], rows));
  if (kept + fetched > 0) print(`Use them with: --images ${folder}`);
}
