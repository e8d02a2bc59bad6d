import { runAudit } from '../../audit/run';
import type { AuditRequest } from '../../audit/request';
import { distinctWants } from '../../audit/scoring/distinctWants';
import { parseShard } from '../../audit/shard/shard';
import { CaptiousError, usageError } from '../../base/errors';
import type { FieldMap } from '../../dataset/fields/fields';
import { probes as everyProbe } from '../../probe/generated/probes';
import { probeNamed, resolveOptions } from '../../probe/list';
import {
  type Command,
  datasetOf,
  list,
  missing,
  parseSettings,
  repeated,
  text,
  type Values,
  wholeNumber,
} from '../arguments';
import { auditOptions, byImage, datasetOperand, yes } from '../options';
import { report, reportOptions } from '../reports';
import { agreed, log } from '../terminal';
import { auditShard } from './cluster/shard';
import { auditWithWorkers } from './cluster/workers';
import { datasetRequest, fieldsOf } from '../datasetRequest';

export const auditCommand: Command = {
  name: 'audit',
  summary: 'score a dataset and its variants, and measure where the scores fail',
  usage: ['audit DATASET… --probe P[,P…] --evaluator E[,E…]'],
  operands: { DATASET: datasetOperand },
  options: {
    ...auditOptions,
    shard: {
      value: 'I/N',
      describe:
        'audit only shard I of N shards, for "captious merge". A dataset of at least N Parquet, Arrow or tar files is split by file, other datasets by image (docs/cluster.md). In an array job of Slurm or AWS Batch, use auto: the scheduler sets I and N. In Kubernetes, use auto/N: the scheduler sets only I',
    },
    workers: {
      value: 'N',
      describe:
        'audit in N parallel processes on this machine, one shard each, and merge the results. Each process uses one GPU of CUDA_VISIBLE_DEVICES',
    },
    'by-image': byImage,
    confirm: {
      describe:
        'with --precision: score the 100 worst wrong rows, ties, and rows close to a tie again in float32, and write which decisions stay the same to a file FILE.confirmed.jsonl next to the report',
    },
    yes,
    ...reportOptions,
  },
  notes: [
    'An evaluator file is a JSON object that builds an evaluator. Paths in it begin with ./ or ../ and are relative to the file. docs/evaluators.md describes each kind:',
    [
      '{ "kind": "clipscore", "encoder": "starter" }',
      '{ "kind": "cosine", "encoder": "starter", "prefix": "a photo of " }',
      '{ "kind": "siglip", "encoder": "./siglip", "factor": 112.3, "bias": -16.5 }',
      '{ "kind": "itm", "folder": "./umic", "features": "./features" }',
      '{ "kind": "judge", "endpoint": "http://localhost:8000/v1", "model": "…", "keyFrom": "ENVIRONMENT_VARIABLE" }',
      '{ "kind": "python", "file": "./my_metric.py", "object": "Evaluator", "args": { "device": "cuda" } }',
      '{ "kind": "remote", "endpoint": "http://gpu:8000", "folder": "./clip", "text": "clip_text", "image": "clip_vision" }',
    ],
  ],
  examples: [
    'audit samples/triplets.tsv --probe visla --evaluator starter,clipscore:starter --out reports',
    'audit samples/captions.json --probe invariance --evaluator starter,clipscore:starter --out reports',
  ],

  async run(call) {
    const { values, signal } = call;
    const dataset = datasetOf(call, 'audit');
    const probes = list(values, 'probe');
    const evaluators = list(values, 'evaluator');
    if (probes.length === 0)
      throw missing('--probe', 'Add a probe, for example --probe visla. "captious probes" lists the probes.');
    if (evaluators.length === 0)
      throw missing(
        '--evaluator',
        'Add an evaluator, for example --evaluator starter. "captious evaluators" lists the installed evaluators.',
      );
    const settings = parseSettings(repeated(values, 'set'));
    const options = withVoters(
      values['text-only'] === true ? withTextOnly(settings, probes) : settings,
      text(values, 'voters'),
      probes,
    );
    const request: AuditRequest = {
      ...{ dataset, probes, evaluators },
      ...datasetRequest(values),
      references: text(values, 'references'),
      out: text(values, 'out'),
      options,
      map: mapOf(values),
      batchSize: wholeNumber(values, 'batch', 1),
      threads: wholeNumber(values, 'threads', 1),
      provider: text(values, 'provider'),
      python: { asked: text(values, 'python') },
      precision: text(values, 'precision'),
      confirm: values.confirm === true,
      spread: values['no-spread'] !== true,
      signal,
      consent: (terms) => agreed(terms, values.yes === true, signal),
    };
    const shard = text(values, 'shard');
    if (request.confirm === true) refuseConfirm(values);
    const isByImage = values['by-image'] === true;
    if (shard !== undefined)
      return auditShard(values, { ...request, shard: parseShard(shard), byImage: isByImage });
    if (values.events !== true) await sayCosts(request);
    const workers = wholeNumber(values, 'workers', 1);
    if (isByImage && workers === undefined)
      throw usageError('--by-image needs shards.', 'Add --shard I/N or --workers N, or omit --by-image.');
    if (workers !== undefined) return auditWithWorkers(call, request, workers);
    return report(values, (onEvent) => runAudit({ ...request, onEvent }), signal);
  },
};

/** Says how many pairs the costly probes score, before the first score. */
async function sayCosts(request: AuditRequest): Promise<void> {
  for (const probe of new Set(request.probes)) {
    const options = request.options?.[probe];
    const own = probeNamed(probe);
    if (own.isCostly?.(resolveOptions(own, options ?? {})) !== true) continue;
    const keys = new Set<string>();
    let following = 0;
    const onExample = (_: unknown, more = 0): void => void (following += more);
    const asked = { ...request, probe, options, kinds: ['image-text'] as const };
    for await (const { key } of distinctWants(asked, {}, onExample)) keys.add(key);
    log(
      `${probe}: each evaluator scores ${keys.size.toLocaleString('en')} pairs of an image and a text` +
        (following === 0 ? '' : `, and searches with up to ${following.toLocaleString('en')} more`),
    );
  }
}

/** Refuses --confirm where there is no draft to confirm. */
function refuseConfirm(values: Values): void {
  if (text(values, 'precision') === undefined)
    throw usageError(
      '--confirm needs --precision.',
      'Add --precision int8 or another precision of the model, or omit --confirm.',
    );
  if (text(values, 'shard') !== undefined || text(values, 'workers') !== undefined)
    throw usageError('--confirm does not work with shards.', 'Omit --confirm, or --shard and --workers.');
}

/** The columns of --map and --cluster. */
function mapOf(values: Values): FieldMap | undefined {
  const [map, cluster] = [fieldsOf(values), text(values, 'cluster')];
  return cluster === undefined ? map : { ...map, cluster };
}

/** Sets the encoders that choose RoCOCO's words. */
function withVoters(
  settings: Readonly<Record<string, Readonly<Record<string, string>>>>,
  voters: string | undefined,
  probes: readonly string[],
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  if (voters === undefined) return settings;
  if (!probes.includes('rococo'))
    throw usageError('--voters needs the probe rococo.', 'Omit --voters, or add --probe rococo.');
  return { ...settings, rococo: { ...settings.rococo, voters } };
}

/** Sets `textOnly` for the selected probes that have this option. */
export function withTextOnly(
  settings: Readonly<Record<string, Readonly<Record<string, string>>>>,
  probes: readonly string[],
): Record<string, Record<string, string>> {
  const key = 'textOnly';
  const has = (id: string): boolean => probeNamed(id).options.some((option) => option.key === key);
  const willing = probes.filter(has);
  if (willing.length === 0) {
    throw usageError(
      `--text-only does not work with probes that need images: ${probes.join(', ')}.`,
      `Omit --text-only, or choose from: ${everyProbe
        .map(({ id }) => id)
        .filter(has)
        .join(', ')}.`,
    );
  }
  const contradicted = willing.find((id) => settings[id]?.[key] === 'false');
  if (contradicted !== undefined) {
    throw new CaptiousError(
      'usage',
      `--text-only and --set ${contradicted}.${key}=false contradict each other.`,
    );
  }
  return {
    ...settings,
    ...Object.fromEntries(willing.map((id) => [id, { ...settings[id], [key]: 'true' }])),
  };
}
