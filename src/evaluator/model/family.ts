import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { evaluatorError, usageError } from '../../base/errors';
import { Fingerprints } from '../../base/files/fingerprints';
import { storeFolder } from '../../base/files/home';
import { temporaryFolder } from '../../base/files/temporary';
import { replaceFile } from '../../base/files/writeFile';
import { say } from '../../base/say';
import { metricNamed } from '../clipscore';
import type { Evaluator, EvaluatorInfo, Scale } from '../evaluator';
import { Engine } from '../native/engine';
import { Engines } from '../native/engines';
import { type FolderReference, parseReference, type Reference } from '../reference';
import { type Blueprint, buildEvaluator, describeInfo } from './blueprint';
import { describeFolder } from './describe';
import { ModelFolder } from './modelFolder';
import { withActivation } from './onnx/activation';
import { withPooling } from './onnx/tokenPooling';
import { type Runtime, runtimeOf, type RuntimeOptions } from './runtime';
import type { ImageTowerSpec } from './imageTower';
import type { TextTowerSpec } from './textTower';

type FamilyOptions = RuntimeOptions & { home: string };

/** A model folder that encodes images and texts, and evaluators that differ from it in one or more settings. */
export class Family {
  private readonly shared = { engines: new Engines(1), tokenizer: new Engine() };
  private edited: Promise<string> | undefined;

  private constructor(
    readonly info: EvaluatorInfo,
    readonly blueprint: Blueprint & {
      isReferenced: boolean;
      image: { spec: ImageTowerSpec };
      text: { spec: TextTowerSpec };
    },
    private readonly folder: ModelFolder,
    private readonly runtime: Runtime,
    private readonly fingerprints: Fingerprints,
  ) {}

  /** Describes the folder. Throws if `ref` is no folder, or a metric of none, or has no space of images and texts. */
  static async describe(ref: string, options: FamilyOptions): Promise<Family> {
    const { home } = options;
    const reference = parseReference(ref, { home });
    const { path } = folderOf(reference, ref);
    const folder = new ModelFolder(path, options.resize);
    const runtime = runtimeOf(options);
    const fingerprints = new Fingerprints(storeFolder(home));
    const { blueprint, info } = await describeFolder(folder, reference.id, runtime, fingerprints);
    const { text, image } = blueprint;
    if (text === undefined || image === undefined)
      throw evaluatorError(say('parity.noSharedSpace', info.name), say('parity.useDualEncoder'), path);
    const { prefix, scale } = scoring(reference, blueprint);
    const own = { ...info, prefix, scale };
    const isReferenced = reference.type === 'referenced';
    const whole = { ...blueprint, text, image, prefix, scale, isReferenced };
    return new Family(own, whole, folder, runtime, fingerprints);
  }

  /** An evaluator of the folder with other settings. It uses the processes of the family. */
  async vary(image: ImageTowerSpec, text: TextTowerSpec): Promise<Evaluator> {
    const { folder, runtime, fingerprints, shared, blueprint } = this;
    const varied: Blueprint = {
      ...blueprint,
      image: { spec: image, graph: await this.graphOf(blueprint.image.graph, image, undefined) },
      text: { spec: text, graph: await this.graphOf(blueprint.text.graph, text, text.inputs.mask?.name) },
    };
    const info = await describeInfo(folder, this.info.id, varied, runtime, fingerprints);
    return buildEvaluator(folder, info, varied, runtime, { shared });
  }

  async close(): Promise<void> {
    await Promise.all([this.shared.engines.close(), this.shared.tokenizer.close()]);
    if (this.edited !== undefined) await rm(await this.edited, { recursive: true, force: true });
  }

  /** The graph, or a temporary copy of it with another activation function or pooling. */
  private async graphOf(
    graph: string,
    { activation, pooling, output }: ImageTowerSpec | TextTowerSpec,
    mask: string | undefined,
  ): Promise<string> {
    let path = graph;
    if (activation !== undefined)
      path = await this.copyOf(path, activation, () => withActivation(graph, activation));
    if (pooling === undefined) return path;
    const from = path;
    return this.copyOf(from, `${output.name} ${pooling}`, () =>
      withPooling(from, output.name, pooling, mask),
    );
  }

  private async copyOf(graph: string, name: string, parts: () => Uint8Array[]): Promise<string> {
    this.edited ??= temporaryFolder('parity');
    const path = join(await this.edited, `${name.replaceAll(/\W/g, '_')}-${basename(graph)}`);
    if (!existsSync(path))
      await replaceFile(path, async (file) => {
        for (const part of parts()) await file.writeFile(part);
      });
    return path;
  }
}

function folderOf(reference: Reference, ref: string): FolderReference {
  switch (reference.type) {
    case 'starter':
    case 'installed':
    case 'folder':
      return reference;
    case 'metric':
    case 'referenced':
      return folderOf(reference.of, ref);
    default:
      throw usageError(say('parity.noModelFolder', ref), say('parity.swapEvaluators'));
  }
}

function scoring(reference: Reference, blueprint: Blueprint): { prefix: string; scale: Scale } {
  if (reference.type === 'referenced') return scoring(reference.of, blueprint);
  return reference.type === 'metric' ? metricNamed(reference.metric) : blueprint;
}
