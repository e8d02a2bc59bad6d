import { english } from '../../base/say';
import { runAudit } from '../../audit/run';
import type { WrittenReport } from '../../audit/output/writeReport';
import type { AuditEvent } from '../../audit/events';
import { CaptiousError } from '../../base/errors';
import { parseFieldMap } from '../../dataset/fields/fields';
import { probes as everyProbe } from '../../probe/generated/probes';
import { probeNamed } from '../../probe/list';
import { figure, interval, metricName, valueOf, measuredOf } from '../../report/figures';
import { parseGate, type Gate } from '../../report/gate';
import { worseThanBaseline } from '../../report/baseline';
import { readReport } from '../../report/report';
import {
  type Command,
  list,
  missing,
  onePositional,
  parseSettings,
  repeated,
  text,
  wholeNumber,
} from '../arguments';
import { agreed, log, placeOf, print, printJson, ProgressBar, table } from '../terminal';

import { images, limit, python, seed, set, map, slices, yes } from '../options';
export const auditCommand: Command = {
  name: 'audit',
  summary: 'score a dataset and its variants, and measure where the scores fail',
  usage: ['audit FILE --probe P[,P…] --evaluator E[,E…]'],
  operands: { FILE: 'a dataset file' },
  options: {
    probe: { value: 'P[,P…]', multiple: true, describe: 'probes to run; "captious probes" lists them' },
    evaluator: {
      value: 'E[,E…]',
      multiple: true,
      describe:
        'evaluators to audit: the id of an installed evaluator, a model folder with the layout of the Hugging Face hub, an evaluator file (x.evaluator.json), Python code (python:./my_metric.py:Evaluator), a PyTorch model (open_clip:ViT-B-32?pretrained=./x.pt, transformers:./folder), or a metric based on one of these, such as clipscore:starter',
    },
    images,
    out: {
      value: 'DIR',
      describe:
        "folder for reports and rows (default: a folder for this dataset under Captious's home folder)",
    },
    limit,
    seed,
    set,
    'text-only': { describe: 'compare captions only, without images (rococo)' },
    map,
    batch: { value: 'N', describe: 'largest batch of texts; changes the speed, not the metrics' },
    threads: { value: 'N', describe: 'threads for each model; changes the speed, not the metrics' },
    provider: {
      value: 'P',
      describe:
        'where models run: cpu (default), cuda, coreml, dml, webgpu, or auto (the report says which was used)',
    },
    python,
    precision: { value: 'P', describe: 'precision of the model: float32 (default), float16, int8, q4' },
    'fail-on': {
      value: 'EXPR',
      describe: 'exit with code 1 if EXPR is true, as in --fail-on "visla.t2t < 0.5"',
    },
    baseline: {
      value: 'REPORT',
      multiple: true,
      describe:
        'exit with code 1 if a metric is significantly worse than in REPORT (paired test on the rows)',
    },
    yes,
    slices,
    json: { describe: 'print the reports as a JSON list, and nothing else' },
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
    const dataset = onePositional(call, 'audit', 'A dataset file');
    const probes = list(values, 'probe');
    const evaluators = list(values, 'evaluator');
    if (probes.length === 0)
      throw missing('--probe', 'Add a probe, as in --probe visla. "captious probes" lists the probes.');
    if (evaluators.length === 0)
      throw missing(
        '--evaluator',
        'Add an evaluator, as in --evaluator starter. "captious evaluators" lists the installed evaluators.',
      );
    const gateText = text(values, 'fail-on');
    const gate = gateText === undefined ? undefined : parseGate(gateText);
    const settings = parseSettings(repeated(values, 'set'));
    const options = values['text-only'] === true ? withTextOnly(settings, probes) : settings;
    const map = text(values, 'map');
    const listener = new Listener();
    let reports: WrittenReport[];
    try {
      reports = await runAudit({
        dataset,
        probes,
        evaluators,
        images: repeated(values, 'images'),
        out: text(values, 'out'),
        limit: wholeNumber(values, 'limit', 1),
        seed: wholeNumber(values, 'seed'),
        options,
        map: map === undefined ? undefined : parseFieldMap(map),
        batchSize: wholeNumber(values, 'batch', 1),
        threads: wholeNumber(values, 'threads', 1),
        provider: text(values, 'provider'),
        python: { asked: text(values, 'python') },
        precision: text(values, 'precision'),
        signal,
        onEvent: (event) => listener.hear(event),
        consent: (terms) => agreed(terms, values.yes === true, signal),
      });
    } finally {
      listener.done();
    }
    if (values.json) printJson(reports.map(({ report }) => report));
    else for (const report of reports) printReport(report, values.slices === true);
    const passed = gate === undefined || passes(gate, reports);
    const held = await noWorseThan(repeated(values, 'baseline'), reports);
    return passed && held ? 0 : 1;
  },
};

/** Sets `textOnly` for each selected probe that has the option. */
export function withTextOnly(
  settings: Readonly<Record<string, Readonly<Record<string, string>>>>,
  probes: readonly string[],
): Record<string, Record<string, string>> {
  const key = 'textOnly';
  const has = (id: string): boolean => probeNamed(id).options.some((option) => option.key === key);
  const willing = probes.filter(has);
  if (willing.length === 0) {
    throw new CaptiousError(
      'usage',
      `--text-only does not work with probes that need images: ${probes.join(', ')}.`,
      {
        remedy: `Omit --text-only, or choose from: ${everyProbe
          .map(({ id }) => id)
          .filter(has)
          .join(', ')}.`,
      },
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

const problemsShown = 10;

/** Prints a run's events as a progress bar and lines on standard error. */
class Listener {
  private readonly bar = new ProgressBar();
  private problems = 0;

  hear(event: AuditEvent): void {
    switch (event.type) {
      // In a terminal, metrics appear only once they are final.
      case 'partialMetrics':
        return;
      case 'progress':
        this.bar.draw(event.probe, event.progress);
        break;
      case 'problem': {
        const { place, message, severity } = event.problem;
        if (++this.problems <= problemsShown) this.say(`${severity}: ${placeOf(place)}${english(message)}`);
        break;
      }
      case 'notice':
        this.say(event.message);
        break;
      case 'started':
      case 'report':
        break;
    }
  }

  done(): void {
    this.bar.clear();
    if (this.problems > problemsShown) {
      log(`… and ${this.problems - problemsShown} more problems. "captious inspect" lists them by kind.`);
    }
  }

  private say(line: string): void {
    this.bar.clear();
    log(line);
  }
}

export function printReport({ path, report }: WrittenReport, withSlices: boolean): void {
  const { dataset, evaluator } = report;
  print(`\n${report.probe} · ${evaluator.name} · ${dataset.path}`);
  const limit = report.limit === undefined ? '' : `, only the first ${report.limit} read`;
  print(`${dataset.examples} examples audited, ${dataset.skipped} left out${limit} · seed ${report.seed}`);
  const measured = measuredOf(dataset.examples, report.metrics);
  print(measured === '' ? '' : `${measured}\n`);
  for (const { text: sentence } of report.claims) print(`  ${sentence}`);
  if (report.claims.length > 0) print('');
  const shown = report.metrics.filter((metric) => withSlices || metric.slice === undefined);
  const hasChance = shown.some(({ chance }) => chance !== undefined);
  const rows = shown.map((metric) => [
    metricName(metric),
    valueOf(metric),
    interval(metric),
    String(metric.n),
    metric.ties === undefined ? '' : String(metric.ties),
    ...(hasChance ? [metric.chance?.toFixed(4) ?? ''] : []),
  ]);
  print(table(['metric', 'value', '95 % interval', 'n', 'ties', ...(hasChance ? ['chance'] : [])], rows));
  const hidden = report.metrics.length - shown.length;
  if (hidden > 0) print(`${hidden} more metrics by slice are in the report. Print them with --slices.`);
  for (const { reason, count } of dataset.leftOut) print(`left out, ${count}: ${reason}`);
  for (const warning of report.warnings) print(`note: ${warning}`);
  for (const note of evaluator.notes) print(`evaluator: ${note}`);
  print(`report: ${path}`);
}

function passes(gate: Gate, written: readonly WrittenReport[]): boolean {
  const reports = written.map(({ report }) => report);
  const evaluators = new Set(reports.map(({ evaluator }) => evaluator.sha256));
  const broken = [...evaluators].filter((sha256) =>
    gate.holds(reports.filter((report) => report.evaluator.sha256 === sha256)),
  );
  for (const sha256 of broken) {
    const name = reports.find((report) => report.evaluator.sha256 === sha256)!.evaluator.id;
    log(`gate failed for ${name}: ${gate.text}`);
  }
  return broken.length === 0;
}

/**
 * Compares example by example, so that noise does not fail a build: the interval of the difference must
 * exclude 0.
 */
async function noWorseThan(
  baselines: readonly string[],
  written: readonly WrittenReport[],
): Promise<boolean> {
  let held = true;
  for (const path of baselines) {
    const baseline = await readReport(path);
    const own = written.filter(({ report }) => report.probe === baseline.probe);
    if (own.length === 0 || own.some(({ report }) => report.dataset.sha256 !== baseline.dataset.sha256)) {
      throw new CaptiousError(
        'usage',
        `--baseline: the audit and this report have different ${own.length === 0 ? 'probes' : 'datasets'}.`,
        {
          at: path,
          remedy: 'Choose a report of the same probe and dataset file.',
        },
      );
    }
    for (const one of own) {
      for (const { metric, difference, ci } of await worseThanBaseline({ path, report: baseline }, one)) {
        const interval = ci ? ` [${ci.map((end) => figure(end)).join(', ')}]` : '';
        log(
          `worse than the baseline for ${one.report.evaluator.id}: ${metric} by ${figure(difference)}${interval}`,
        );
        held = false;
      }
    }
  }
  return held;
}
