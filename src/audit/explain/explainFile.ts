/* Explains captions of a file: finds them and their images, opens the evaluator, and scores with the store of runs. */
import { dirname, resolve } from 'node:path';
import { type CaptiousError, inputError, usageError } from '../../base/errors';
import { homeFolder, storeFolder } from '../../base/files/home';
import { say, type Words } from '../../base/say';
import type { Bench } from '../../bench/bench';
import { createBench } from '../../bench/createBench';
import type { FieldMap } from '../../dataset/fields/fields';
import type { Example } from '../../dataset/example';
import { createImageFinder, type ImageFinder } from '../../dataset/images/images';
import { unopened } from '../../dataset/open';
import type { Allow, Evaluator, EvaluatorInfo } from '../../evaluator/evaluator';
import { openEvaluator } from '../../evaluator/open';
import type { PythonOptions } from '../../evaluator/python/python';
import type { ChangeExplained } from '../../explain/change';
import {
  explain,
  type ExplainOptions,
  explainTwo,
  type Explanation,
  optionsFor,
  type Parts,
} from '../../explain/explain';
import type { ObjectsToHide } from '../../explain/objects';
import type { Target } from '../../explain/scorer';
import type { HiddenFill } from '../../perturb/image/hide';
import type { ImageItem } from '../../protocol/item';
import { imageFoldersOf, referencesIn } from '../evaluators/open';
import { findImages } from '../findImages';
import { OutlinedObjects } from './objects';
import { comparedWith, findCaption, type FoundCaption, type Wanted } from './find';

export interface ExplainRequest {
  dataset: string;
  evaluator: string;
  images: readonly string[];
  references?: string | undefined;
  map?: FieldMap | undefined;
  home?: string | undefined;
  signal: AbortSignal;
  python?: PythonOptions;
  /** Asks for consent. Without it, only consent that the user gave earlier counts. */
  allow?: Allow;
}

export interface WhatToExplain {
  /** A text to compare the caption with, instead of its image. */
  against?: string | undefined;
  /** A second caption, whose difference to the first is explained, too. */
  other?: string | undefined;
  /** Hides the objects of the image instead of the regions of a grid. `instances` is the file of the objects. */
  objects?: { fill: HiddenFill; instances?: string | undefined } | undefined;
  options: Partial<ExplainOptions>;
  onWords?: Parts['onWords'] | undefined;
}

export interface ExplainedCaption extends Explanation {
  evaluator: Pick<EvaluatorInfo, 'id' | 'name' | 'sha256'>;
  dataset: string;
  example: string;
  line?: number | string;
  image?: string;
  change?: ChangeExplained;
}

/** What hides regions and objects unless the user chooses. */
export const usualFill: HiddenFill = 'grey';

/** An evaluator that explains captions of one dataset. */
export class FileExplainer {
  private readonly outlined: OutlinedObjects;

  private constructor(
    private readonly request: ExplainRequest,
    readonly evaluator: Evaluator,
    private readonly bench: Bench,
    private readonly finder: ImageFinder,
  ) {
    this.outlined = new OutlinedObjects(resolve(request.dataset));
  }

  static async open(request: ExplainRequest): Promise<FileExplainer> {
    const { dataset, images, home = homeFolder(), signal, python, allow } = request;
    const path = resolve(dataset);
    const evaluator = await openEvaluator(request.evaluator, {
      home,
      signal,
      python: { ...python, folders: [dirname(path)] },
      references: () => referencesIn({ ...request, dataset: path }),
      imageFolders: () => imageFoldersOf({ ...request, dataset: path }),
      ...(allow === undefined ? {} : { allow }),
    });
    try {
      const { consent, info } = evaluator;
      if (consent !== undefined) await allow?.(consent, info.scores);
      const finder = createImageFinder({ dataset: unopened(path, request.map), folders: images, signal });
      return new FileExplainer(request, evaluator, createBench({ store: storeFolder(home) }), finder);
    } catch (error) {
      await evaluator.close();
      throw error;
    }
  }

  find(wanted: Wanted): Promise<FoundCaption> {
    return findCaption(resolve(this.request.dataset), wanted, this.request);
  }

  async explain(
    { example, caption, line }: FoundCaption,
    { against, other, objects, options: given, onWords }: WhatToExplain,
  ): Promise<ExplainedCaption> {
    const { evaluator, bench } = this;
    const { dataset, signal } = this.request;
    const { target, image } = await this.targetOf(example, caption, against);
    const options = {
      ...optionsFor(evaluator, given),
      ...(objects === undefined ? {} : { grid: undefined, objects: this.objectsOf(image, objects) }),
    };
    const parts: Parts = { bench, evaluator, signal, ...(onWords === undefined ? {} : { onWords }) };
    const pair = { caption: caption.text, target };
    const explained = await explain(parts, pair, options);
    const { id, name, sha256 } = evaluator.info;
    return {
      ...{ evaluator: { id, name, sha256 }, dataset, example: example.id },
      ...(line === undefined ? {} : { line }),
      ...(image === undefined ? {} : { image: image.source.name }),
      ...explained,
      ...(other === undefined ? {} : { change: await explainTwo(parts, pair, other, options) }),
    };
  }

  private objectsOf(
    image: ImageItem | undefined,
    { fill, instances }: NonNullable<WhatToExplain['objects']>,
  ): ObjectsToHide {
    if (image === undefined)
      throw usageError(say('explain.scoresNoImages', this.evaluator.info.name), say('explain.chooseScoring'));
    return this.outlined.in(image, fill, instances);
  }

  /** The image of a caption, if the evaluator scores images. */
  async imageOf(example: Example, { image }: FoundCaption['caption']): Promise<ImageItem | undefined> {
    return (await findImages(example, this.finder, [this.evaluator])).at(image);
  }

  async close(): Promise<void> {
    await this.bench.close();
    await this.evaluator.close();
  }

  private async targetOf(
    example: Example,
    caption: FoundCaption['caption'],
    against: string | undefined,
  ): Promise<{ target: Target; image?: ImageItem }> {
    if (against !== undefined) return { target: { text: against } };
    const { scores } = this.evaluator.info;
    if (!scores.includes('image-text')) return { target: { text: comparedWith(example, caption) } };
    const image = await this.imageOf(example, caption);
    if (image === undefined) throw this.noImage(example, caption);
    const { references } = example;
    return { target: { image, ...(references === undefined ? {} : { references }) }, image };
  }

  private noImage(example: Example, { image, place }: FoundCaption['caption']): CaptiousError {
    const name: Words = example.images.at(image)?.name ?? say('explain.noImageNamed');
    return inputError(
      say('editor.imageNotFound', name),
      say('explain.nameImageFolder'),
      `${this.request.dataset}${place === undefined ? '' : `:${place.line}`}`,
    );
  }
}
