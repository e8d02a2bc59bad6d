import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { QueryRow } from '../../src/probe/prsm/row';
import { environment } from './torchModels';

export type Row = Record<string, unknown>;

/** An audit and the input of its script. */
export interface Trial {
  /** The audit's dataset and options. */
  audit: string[];
  /** The script's way to score, and its files. */
  script: [way: 'pairs' | 'prsm' | 'rococo', ...files: string[]];
  /** Whether images are altered. The scores are then compared on Captious's altered images, too. */
  alters: boolean;
  hasImages: boolean;
  /** Reads the script's output as rows of the audit. */
  rows: (output: string) => Row[];
}

/** Of the whole comparison. Fewer are for a look at the scores. */
const images = Number(process.env.CAPTIOUS_BENCH_IMAGES ?? 30);
const triplets = 10 * images;

/** The folder of the benchmark, with the model in PyTorch (`weights`) and in ONNX. */
export class Workplace {
  readonly weights: string;
  readonly checkpoint: string;

  constructor(
    private readonly folder: string,
    readonly python: string,
  ) {
    this.weights = this.at('vit-b-32.pt');
    this.checkpoint = `open_clip:ViT-B-32?pretrained=${this.weights}`;
  }

  at(...names: string[]): string {
    return join(this.folder, ...names);
  }

  captious(...args: string[]): void {
    execFileSync(process.execPath, ['dist/cli.js', ...args], {
      env: { ...environment, CAPTIOUS_HOME: this.at('home') },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }

  audit({ audit }: Pick<Trial, 'audit'>, evaluator: string): void {
    const python = evaluator === this.checkpoint ? [`--python=${this.python}`, '--yes'] : [];
    this.captious('audit', ...audit, `--evaluator=${evaluator}`, ...python, `--out=${this.at('audit')}`);
  }

  /** Returns what the script counts, and leaves its output in `scores.jsonl`. */
  script({ script: [way, ...files] }: Trial, workers: number, ...more: string[]): Record<string, number> {
    const answer = execFileSync(
      this.python,
      [
        'test/bench/scripts.py',
        way,
        this.weights,
        String(workers),
        this.at('scores.jsonl'),
        ...files,
        ...more,
      ],
      { env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    );
    return JSON.parse(answer) as Record<string, number>;
  }
}

/** Prepares each probe's trial. The evaluator makes the wordings of PRSM. */
export const trials: Record<string, (place: Workplace, evaluator: string) => Trial> = {
  lgip: (place) => ofPairs(place, 'lgip', coco(place)),
  visla: (place) => {
    const data = [resolve('../shared/data/visla/Generic_VISLA.tsv'), resolve('samples/triplets.tsv')];
    return ofPairs(place, 'visla', [data.find(existsSync)!, `--limit=${triplets}`], '--kinds=text-text');
  },
  prsm,
  rococo,
  invariance: (place) => ofPairs(place, 'invariance', coco(place), '--write-images'),
};

/** The captions of some images of COCO, or of the samples if COCO is missing. */
function coco(place: Workplace): string[] {
  const folder = [resolve('../shared/data/coco'), resolve('samples')].find(existsSync)!;
  const dataset = JSON.parse(readFileSync(join(folder, 'captions.json'), 'utf8')) as {
    images: { id: number }[];
    annotations: { image_id: number }[];
  };
  const chosen = dataset.images.slice(0, images);
  const ids = new Set(chosen.map(({ id }) => id));
  const annotations = dataset.annotations.filter(({ image_id }) => ids.has(image_id));
  writeFileSync(place.at('captions.json'), JSON.stringify({ images: chosen, annotations }));
  return [place.at('captions.json'), `--images=${join(folder, 'images')}`];
}

function ofPairs(place: Workplace, probe: string, data: string[], ...options: string[]): Trial {
  const out = place.at('pairs', probe);
  place.captious('variants', ...data, `--probe=${probe}`, ...options, `--out=${out}`);
  const found = (end: string): string =>
    join(
      out,
      readdirSync(out).find((name) => name.endsWith(end))!,
    );
  return {
    audit: [...data, `--probe=${probe}`],
    script: ['pairs', found('.pairs.jsonl')],
    alters: options.includes('--write-images'),
    hasImages: probe !== 'visla',
    rows: (output) => {
      place.captious(
        'scores',
        found('.variants.json'),
        output,
        '--scale=-1..1',
        `--out=${place.at('scored')}`,
      );
      return rowsIn(place.at('scored'));
    },
  };
}

function prsm(place: Workplace, evaluator: string): Trial {
  const data = coco(place);
  const audit = [...data, '--probe=prsm', '--set=prsm.k=5,10'];
  place.audit({ audit }, evaluator);
  const names = (JSON.parse(readFileSync(data[0], 'utf8')) as { images: { file_name: string }[] }).images.map(
    ({ file_name }) => file_name,
  );
  const queries = (rowsIn(place.at('audit')) as unknown as QueryRow[]).map(
    ({ caption, wordings, pairs }) => ({
      caption,
      images: names,
      wordings: Object.fromEntries(wordings.map(({ label, text }) => [label, text])),
      pairs: pairs.map(({ first, second, shared }) => [first, second, Object.keys(shared)]),
    }),
  );
  writeFileSync(place.at('queries.jsonl'), jsonLines(queries));
  const folder = data[1].slice('--images='.length);
  return {
    audit,
    script: ['prsm', place.at('queries.jsonl'), folder],
    alters: false,
    hasImages: true,
    rows: rowsOf,
  };
}

/** Both get the altered captions from a file in the published form, so neither chooses words. */
function rococo(place: Workplace): Trial {
  const [data, folder] = coco(place);
  place.captious('alter', data, folder, `--out=${place.at('altered')}`);
  const altered = place.at('altered/captions.same-concept.json');
  return {
    audit: [altered, folder, '--probe=rococo', '--set=rococo.influence=false'],
    script: ['rococo', altered, folder.slice('--images='.length), place.at('altered/captions.images.jsonl')],
    alters: true,
    hasImages: true,
    rows: rowsOf,
  };
}

function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

function rowsOf(path: string): Row[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}

/** The rows of the only report in a folder. */
export function rowsIn(folder: string): Row[] {
  return rowsOf(
    join(
      folder,
      readdirSync(folder).find((name) => name.endsWith('.rows.jsonl'))!,
    ),
  );
}
