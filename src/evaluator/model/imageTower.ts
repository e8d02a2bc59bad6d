import type { Runs } from '../native/engines';
import type { Outcome } from '../../base/outcome';
import type { ImageItem } from '../../protocol/item';
import type { ModelFolder } from './modelFolder';
import type { ImageSpec } from '../../protocol/imageSpec';
import type { ConstantFeed, GraphRef, OutputSpec, Port } from '../../protocol/native';
import type { Activation } from './onnx/activation';
import type { TokenPooling } from './onnx/tokenPooling';
import { listOfRows } from '../outcomes';

/** The settings that determine the embedding of an image. The image keys of the store include them. */
export interface ImageTowerSpec {
  input: string;
  /** The number type of the pixels. Undefined means float32. */
  inputType?: 'float16';
  /** Set only if the graph reads images as patches. */
  patchInputs?: { mask?: Port; shapes: Port };
  constants: readonly ConstantFeed[];
  output: OutputSpec;
  fixedRows: number | undefined;
  preprocessing: ImageSpec;
  /** The activation function that replaces that of the graph. Only comparisons of evaluators set it. */
  activation?: Activation;
  /** Likewise, how the graph makes one row of its tokens. */
  pooling?: TokenPooling;
}

/** The usual number of images in one run of the graph. More images would only need more memory. */
const perRun = 8;

/**
 * How many batches wait for a device that leaves all cores free: two images for each core. With one image, cores would
 * be idle until the end of a run, because new batches arrive only between two runs.
 */
export function batchesAhead(cores: number): number {
  return Math.max(1, Math.ceil((2 * cores) / perRun));
}

/** Embeds images. A child process prepares them, and the same process or a server runs the graph. */
export class ImageTower {
  constructor(
    private readonly engines: Runs<'images'>,
    private readonly folder: ModelFolder,
    private readonly graph: GraphRef,
    private readonly spec: ImageTowerSpec,
  ) {}

  async embed(images: readonly ImageItem[], signal?: AbortSignal): Promise<Outcome<Float32Array>[]> {
    if (images.length === 0) return [];
    const { input, inputType, patchInputs, constants, output, fixedRows, preprocessing } = this.spec;
    const answer = await this.engines.run(
      'images',
      {
        graph: this.graph,
        images,
        spec: preprocessing,
        input,
        inputType,
        patchInputs,
        constants,
        output,
        fixedRows,
        perRun,
      },
      signal,
    );
    this.folder.unchanged();
    return listOfRows(answer);
  }
}
