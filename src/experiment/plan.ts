/* Turns an experiment file and the name of a run into the audits to make. */
import { existsSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { CaptiousError } from '../base/errors';
import { isFile, isFolder } from '../base/files/isFile';
import { fileNames } from '../base/files/fileName';
import { say } from '../base/say';
import { chooseFrom } from '../base/text/nearest';
import { distinctPaths } from '../base/text/distinctPaths';
import type { FieldMap } from '../dataset/fields/fields';
import { placed } from '../dataset/images/imagePlaces';
import { namesParts } from '../dataset/parts/paths';
import { metricPrefix } from '../evaluator/clipscore';
import { knownIds, parseReference } from '../evaluator/reference';
import { probeNamed } from '../probe/list';
import { type Gate, parseGate } from '../report/gate';
import type { ExperimentFile } from './check';
import { type Checkpoint, checkpointsIn } from './checkpoints';
import { missingFile } from './missing';
import { runNamed } from './runs';
import { nameOfSplit, pathOfSplit } from './splits';
import type { DatasetEntry, RunFields } from './shape';

type EvaluatorEntry = RunFields['evaluators'][number];
type Path = (string | number)[];
/** The audits of one dataset with one seed. Their reports are in one folder. */
export interface Group {
  dataset: { path: string; name: string };
  /** Absent if the file has no seeds. */
  seed?: number;
  /** Absent if the size of the dataset decides. Several seeds are draws already, so each has one draw. */
  draws?: number;
  out: string;
  probes: string[];
  images: string[];
  references?: string;
  limit?: number;
  map?: FieldMap;
}

export interface Plan {
  file: string;
  sha256: string;
  /** The name of the run. Absent for the run without a name. */
  run?: string;
  /** The folder of all reports of the run. */
  out: string;
  groups: Group[];
  /** References to evaluators. Paths that begin with ./ or ../ start at the folder of the file. */
  evaluators: string[];
  /** Those of the evaluators that are checkpoints, for each pattern in the order of the steps. */
  series: (readonly Checkpoint[])[];
  options: Record<string, Record<string, string>>;
  gates: Gate[];
  allowLost: number;
  outputs: string[];
  settings: Pick<RunFields, 'batch' | 'threads' | 'provider' | 'precision' | 'python' | 'spread'>;
}

export async function planOf(file: ExperimentFile, run: string | undefined, home: string): Promise<Plan> {
  const { experiment, path, sha256 } = file;
  const own = run === undefined ? {} : runNamed(file, run);
  const fields: RunFields = { ...experiment, ...own };
  const at = (key: keyof RunFields, ...rest: Path): Path =>
    run !== undefined && Object.hasOwn(own, key) ? ['runs', run, key, ...rest] : [key, ...rest];
  const reader = new PlanReader(file, fields, at, home);
  // A run with its own folder needs no folder of its name.
  const isOwn = run === undefined || (own as Partial<RunFields>).out !== undefined;
  const parts = isOwn ? [] : [fileNames(Object.keys(experiment.runs ?? {})).get(run)!];
  const out = join(reader.near(fields.out), ...parts);
  const groups = await reader.groups(out);
  if (run === undefined) refuseSharedFolder(file, groups, out);
  const { batch, threads, provider, precision, python, spread } = fields;
  return {
    ...{ file: path, sha256, out, groups },
    ...(run === undefined ? {} : { run }),
    ...reader.evaluators(),
    options: reader.options(),
    gates: reader.gates(),
    allowLost: fields.thresholds?.allowLost ?? 0,
    outputs: [...new Set(fields.outputs)],
    settings: {
      ...{ batch, threads, provider, precision, spread },
      python: python !== undefined && /^\.{1,2}[\\/]/.test(python) ? reader.near(python) : python,
    },
  };
}

/** The reports of a named run are in a folder of the run's name, which no dataset may share. */
function refuseSharedFolder({ experiment, wrong }: ExperimentFile, groups: Group[], out: string): void {
  for (const [run, folder] of fileNames(Object.keys(experiment.runs ?? {}))) {
    const own = experiment.runs?.[run].out === undefined ? join(out, folder).toLowerCase() : undefined;
    if (groups.some((group) => group.out.toLowerCase() === own))
      throw wrong(['runs', run], say('experiment.sharedFolder', run), say('experiment.renameRun'));
  }
}

class PlanReader {
  private readonly folder: string;

  constructor(
    private readonly file: ExperimentFile,
    private readonly fields: RunFields,
    /** The place of a key, which a named run may replace. */
    private readonly at: (key: keyof RunFields, ...rest: Path) => Path,
    private readonly home: string,
  ) {
    this.folder = dirname(resolve(file.path));
  }

  /** An absolute path. Relative paths start at the folder of the file. */
  near(path: string): string {
    return resolve(this.folder, path);
  }

  async groups(out: string): Promise<Group[]> {
    const { fields } = this;
    const entries = await Promise.all(fields.datasets.map((given, i) => this.dataset(given, i)));
    const names = this.names(entries);
    const folders = fileNames(names);
    const seeds = fields.seeds === undefined ? [undefined] : [...new Set(fields.seeds)];
    const draws = fields.draws ?? (seeds.length > 1 ? 1 : undefined);
    return entries.flatMap(({ entry, path }, i) => {
      const { limit = fields.limit, map } = entry;
      const references = this.references(entry, i);
      const images = this.images(entry, i);
      const probes = this.probesOf(entry, i);
      return seeds.map((seed) => ({
        dataset: { path, name: names[i] },
        ...(seed === undefined ? {} : { seed }),
        ...(draws === undefined ? {} : { draws }),
        out: join(
          out,
          ...(entries.length > 1 ? [folders.get(names[i])!] : []),
          ...(seeds.length > 1 ? [`seed-${seed}`] : []),
        ),
        probes,
        images,
        ...(references === undefined ? {} : { references }),
        ...(limit === undefined ? {} : { limit }),
        ...(map === undefined ? {} : { map }),
      }));
    });
  }

  private async dataset(
    given: string | DatasetEntry,
    i: number,
  ): Promise<{ entry: DatasetEntry; path: string }> {
    const entry: DatasetEntry = typeof given === 'string' ? { path: given } : given;
    const at = this.at('datasets', i, ...(typeof given === 'string' ? [] : ['path']));
    const named = this.near(entry.path);
    const path = namesParts(named) ? named : this.existing(entry.path, at, 'file');
    return {
      entry,
      path: await pathOfSplit(path, entry, (key, what, remedy) =>
        this.file.wrong(this.at('datasets', i, key), what, remedy),
      ),
    };
  }

  private existing(named: string, at: Path, kind: 'file' | 'folder'): string {
    const path = this.near(named);
    if (kind === 'file' ? isFile(path) : isFolder(path)) return path;
    throw missingFile(this.file, at, named, path, kind);
  }

  /** The names of the datasets: given, or of the file, with its folder if another file has this name. */
  private names(entries: readonly { entry: DatasetEntry; path: string }[]): string[] {
    const stems = entries.map(
      ({ entry, path }) => entry.name ?? nameOfSplit(entry) ?? basename(path, extname(path)),
    );
    const folded = stems.map((name) => name.toLowerCase());
    const isTwice = (i: number): boolean => folded.indexOf(folded[i]) !== folded.lastIndexOf(folded[i]);
    const longer = distinctPaths(entries.map(({ path }) => path));
    return entries.map(({ entry }, i) => {
      if (!isTwice(i)) return stems[i];
      const name = entry.name === undefined ? longer[i]?.replaceAll('/', '-') : undefined;
      if (name !== undefined && !folded.includes(name.toLowerCase())) return name;
      throw this.file.wrong(
        this.at('datasets', i),
        say('experiment.twoDatasets', stems[i]),
        say('experiment.nameDatasets'),
      );
    });
  }

  private images({ images }: DatasetEntry, i: number): string[] {
    const given = images ?? this.fields.images ?? [];
    const at = images === undefined ? this.at('images') : this.at('datasets', i, 'images');
    return [given].flat().map((image) => placed(image, (folder) => this.existing(folder, at, 'folder')));
  }

  private references({ references }: DatasetEntry, i: number): string | undefined {
    const named = references ?? this.fields.references;
    if (named === undefined) return undefined;
    const at = references === undefined ? this.at('references') : this.at('datasets', i, 'references');
    return this.existing(named, at, 'file');
  }

  private probesOf({ probes }: DatasetEntry, i: number): string[] {
    const all = this.probes();
    const other = probes?.findIndex((id) => !all.includes(id)) ?? -1;
    if (probes === undefined || other < 0) return all.filter((id) => probes?.includes(id) ?? true);
    throw this.file.wrong(
      this.at('datasets', i, 'probes', other),
      say('experiment.probeNotListed', probes[other]),
      chooseFrom(probes[other], all),
    );
  }

  private probes(): string[] {
    const ids = this.fields.probes.map((probe) => (typeof probe === 'string' ? probe : probe.id));
    const twice = ids.findIndex((id, i) => ids.indexOf(id) !== i);
    if (twice < 0) return ids;
    throw this.file.wrong(
      this.at('probes', twice),
      say('experiment.probeListedTwice', ids[twice]),
      say('experiment.addNamedRun'),
    );
  }

  /** Option values as text, as --set takes them. */
  options(): Plan['options'] {
    const all: [string, Record<string, string>][] = [];
    for (const probe of this.fields.probes) {
      if (typeof probe === 'string' || probe.options === undefined) continue;
      const texts = Object.entries(probe.options as Record<string, string | number | boolean>).map(
        ([key, value]) => [key, this.optionValue(probe.id, key, value)],
      );
      all.push([probe.id, Object.fromEntries(texts) as Record<string, string>]);
    }
    return Object.fromEntries(all);
  }

  private optionValue(probe: string, key: string, value: string | number | boolean): string {
    const text = String(value);
    const spec = probeNamed(probe).options.find((option) => option.key === key);
    if (typeof value !== 'string' || value === '' || spec?.choices !== undefined) return text;
    const path = this.near(text);
    const isPath = /^\.{1,2}[\\/]/.test(text) || isFile(path);
    return isPath ? path : text;
  }

  evaluators(): Pick<Plan, 'evaluators' | 'series'> {
    const series: Plan['series'] = [];
    const refs = this.fields.evaluators.flatMap((evaluator, i) => {
      try {
        const checkpoints = checkpointsIn(evaluator, this.folder, (name) => this.refInFile(name));
        if (checkpoints !== undefined) series.push(checkpoints);
        return (checkpoints ?? [{ ref: this.refOf(evaluator) }]).map(({ ref }) => {
          const { absolute } = parseReference(ref, { home: this.home, within: [resolve(this.file.path)] });
          return { ref, absolute, i };
        });
      } catch (error) {
        if (!(error instanceof CaptiousError)) throw error;
        throw this.file.wrong(this.at('evaluators', i), error.what, error.details.remedy);
      }
    });
    const all = refs.map(({ absolute }) => absolute);
    const twice = all.findIndex((absolute, i) => all.indexOf(absolute) !== i);
    if (twice < 0) return { evaluators: refs.map(({ ref }) => ref), series };
    throw this.file.wrong(
      this.at('evaluators', refs[twice].i),
      say('experiment.evaluatorListedTwice', refs[twice].ref),
      say('experiment.removeOrRename'),
    );
  }

  private refOf(evaluator: EvaluatorEntry): string {
    if (typeof evaluator === 'string') return this.besideFile(evaluator);
    return this.refInFile('name' in evaluator ? String(evaluator.name) : '');
  }

  private refInFile(name: string): string {
    return `./${basename(this.file.path)}#${name}`;
  }

  /** Adds ./ to a relative path next to the file, unless an installed evaluator has this id. */
  private besideFile(ref: string): string {
    const prefix = metricPrefix(ref);
    const named = ref.slice(prefix.length);
    const isPath = !isAbsolute(named) && !/^\.{1,2}[\\/]/.test(named) && existsSync(this.near(named));
    return isPath && named !== '' && !knownIds(this.home).includes(named) ? `${prefix}./${named}` : ref;
  }

  gates(): Gate[] {
    const { failOn } = this.fields.thresholds ?? {};
    if (failOn === undefined) return [];
    return [failOn].flat().map((text, i) => {
      try {
        return parseGate(text);
      } catch (error) {
        if (!(error instanceof CaptiousError)) throw error;
        const at = this.at('thresholds', 'failOn', ...(typeof failOn === 'string' ? [] : [i]));
        throw this.file.wrong(at, error.what, error.details.remedy);
      }
    });
  }
}
