import { createHash } from 'node:crypto';
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep, win32 } from 'node:path';
import { actionable, CaptiousError, evaluatorError, wordsOf } from '../../base/errors';
import { type JsonLimits, readJsonSync } from '../../base/files/readJson';
import { say } from '../../base/say';
import type { Fingerprints } from '../../base/files/fingerprints';
import type { Resampler } from '../../protocol/imageSpec';
import type { GraphHeader } from './onnx/graphPorts';
import { readGraphHeader } from './onnx/onnxHeader';
import type { Json } from './json';

/** The endings of graph names on the Hugging Face hub, by precision. */
const suffixes: Record<string, readonly string[]> = {
  float32: [''],
  float16: ['_fp16'],
  int8: ['_int8', '_quantized', '_uint8'],
  q4: ['_q4', '_bnb4'],
  q4f16: ['_q4f16'],
};
export const precisions: readonly string[] = Object.keys(suffixes);

/** A folder in the layout of the Hugging Face hub. It records which files are read, because the hash covers them. */
export class ModelFolder {
  readonly path: string;
  readonly name: string;
  private readonly used = new Set<string>();
  /** The size, times and inode number of each file before it was first read, or `gone` if it did not exist. */
  private readonly stamps = new Map<string, string>();
  /** The same for files outside the folder, by path. There may be one for each image. */
  private readonly others = new Map<string, string>();

  /** `resampler` is the library whose resizing to follow, if the user chose one. */
  constructor(
    path: string,
    readonly resampler?: Resampler,
  ) {
    this.path = realpathSync(path);
    this.name = basename(this.path);
  }

  /** The content of a JSON file, or undefined if the file does not exist. */
  json(name: string, limits?: JsonLimits): Json | undefined {
    const path = join(this.path, name);
    this.mark(name);
    if (!existsSync(path)) return undefined;
    this.used.add(name);
    return parseJson(path, limits);
  }

  /** Adds a file to the hash before it is read. Throws if the file is missing. */
  expect(name: string): void {
    if (!existsSync(join(this.path, name))) this.missing(name);
    this.use(name);
  }

  /** The list in a JSON file, or undefined if the file does not exist. Only `modules.json` contains a list. */
  list(name: string): unknown[] | undefined {
    const value: unknown = this.json(name);
    if (value === undefined || Array.isArray(value)) return value;
    throw new CaptiousError('evaluator', say('model.jsonListExpected'), { at: join(this.path, name) });
  }

  require(name: string, limits?: JsonLimits): Json {
    const json = this.json(name, limits);
    if (json !== undefined) return json;
    return this.missing(name);
  }

  /**
   * Finds the graph with this base name and precision, in onnx/ or next to config.json. The hash covers the graph
   * only after a call of `take`.
   */
  graph(base: string, precision: string): GraphHeader | undefined {
    for (const suffix of suffixes[precision]) {
      for (const name of [join('onnx', `${base}${suffix}.onnx`), `${base}${suffix}.onnx`]) {
        const path = join(this.path, name);
        if (!existsSync(path)) continue;
        this.mark(name);
        return readGraphHeader(path);
      }
    }
    return undefined;
  }

  /** Adds the graph and its weight files to the hash. */
  take(graph: GraphHeader): void {
    this.use(relative(this.path, graph.path));
    for (const location of graph.external) this.use(this.externalFile(graph.path, location));
  }

  graphFiles(): string[] {
    return ['onnx', '.'].flatMap((folder) => {
      const path = join(this.path, folder);
      if (!existsSync(path) || !statSync(path).isDirectory()) return [];
      return filesIn(path)
        .filter((name) => name.endsWith('.onnx'))
        .map((name) => (folder === '.' ? name : `${folder}/${name}`));
    });
  }

  /** The hashed files, relative to the folder. */
  files(): string[] {
    return [...this.used].sort();
  }

  /** The size in bytes of all hashed files. */
  size(): number {
    return [...this.used].reduce((sum, name) => sum + statSync(join(this.path, name)).size, 0);
  }

  /** One hash of the names and contents of all recorded files. */
  async sha256(fingerprints: Fingerprints): Promise<string> {
    const hash = createHash('sha256');
    for (const name of this.files()) {
      hash.update(`${name.split(sep).join('/')}\n${await fingerprints.sha256(join(this.path, name))}\n`);
    }
    this.unchanged();
    return hash.digest('hex');
  }

  /** Notes the state of a file outside the folder before it is read. */
  watch(path: string): void {
    this.others.set(path, this.stamp(path));
  }

  /**
   * Throws if a file changed after it was first read, because scores must not be stored under an old hash. `used` are
   * the files outside the folder that scores depend on.
   */
  unchanged(used: readonly string[] = []): void {
    const others = used.map((path) => [path, this.others.get(path) ?? 'gone'] as const);
    for (const [name, stamp] of [...this.stamps, ...others]) {
      if (this.stamp(name) === stamp) continue;
      throw new CaptiousError('interrupted', say('model.changedDuringRun'), {
        at: resolve(this.path, name),
        remedy: say('model.waitForStableFolder'),
      });
    }
  }

  private use(name: string): void {
    this.used.add(name);
    this.mark(name);
  }

  /** Notes the state of a file before it is read, so that `unchanged` detects every later change. */
  private mark(name: string): void {
    if (!this.stamps.has(name)) this.stamps.set(name, this.stamp(name));
  }

  private stamp(name: string): string {
    try {
      const found = statSync(resolve(this.path, name), { bigint: true, throwIfNoEntry: false });
      return found === undefined ? 'gone' : [found.size, found.mtimeNs, found.ctimeNs, found.ino].join(' ');
    } catch (error) {
      // A file of the model may name a file that cannot exist: with a NUL character or with too long a name.
      if (['ERR_INVALID_ARG_VALUE', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? ''))
        return 'gone';
      throw error;
    }
  }

  private missing(name: string): never {
    throw evaluatorError(say('model.folderFileMissing', name), say('model.useHubLayout'), this.path);
  }

  private externalFile(graph: string, location: string): string {
    const path = join(dirname(graph), location);
    const name = relative(this.path, path);
    // A path with a root would replace the folder. A name with a colon is a path with a root on Windows only.
    if (win32.parse(location).root !== '' || name === '..' || name.startsWith(`..${sep}`)) {
      throw new CaptiousError('evaluator', say('model.weightsOutsideFolder', location), {
        at: graph,
        remedy: say('model.exportWeightsInside'),
      });
    }
    if (!existsSync(path) || !statSync(path).isFile()) {
      throw new CaptiousError('evaluator', say('model.weightsFileMissing', location), {
        at: graph,
        remedy: say('model.downloadWeightsFile'),
      });
    }
    // ONNX Runtime opens the location as it is written. After a link to a folder, ".." leads elsewhere.
    const asWritten = `${dirname(graph)}${sep}${location}`;
    if (realpathSync.native(path) === realpathSync.native(asWritten)) return name;
    throw new CaptiousError('evaluator', say('model.weightsLocationAmbiguous', location), {
      at: graph,
      remedy: say('model.exportWeightsBesideGraph'),
    });
  }
}

function filesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    throw new CaptiousError('evaluator', say('shard.folderUnreadable', wordsOf(error)), {
      at: path,
      remedy: say('model.checkPermissions'),
    });
  }
}

function parseJson(path: string, limits: JsonLimits | undefined): Json {
  let value: unknown;
  try {
    value = readJsonSync(path, limits);
  } catch (error) {
    if (error instanceof CaptiousError && error.at === undefined)
      throw evaluatorError(error.what, say('model.downloadFileAgain'), path);
    if (!(error instanceof SyntaxError)) throw actionable(error, path);
    throw evaluatorError(say('model.jsonInvalid', wordsOf(error)), say('model.downloadFileAgain'), path);
  }
  if (typeof value === 'object' && value !== null) return value as Json;
  throw new CaptiousError('evaluator', say('model.jsonObjectExpected'), { at: path });
}
