import { CaptiousError } from '../../base/errors';
import type { Runs } from '../native/engines';
import { DenseHead, type DenseLayer } from './dense';
import type { Outcome } from '../../base/outcome';
import { say } from '../../base/say';
import type { ModelFolder } from './modelFolder';
import { listOfRows } from '../outcomes';
import type { ConstantFeed, GraphRef, OutputSpec, Port, TextJob, TokenRules } from '../../protocol/native';
import type { Activation } from './onnx/activation';
import type { TokenPooling } from './onnx/tokenPooling';
import type { GraphHeader } from './onnx/graphPorts';
import type { TokenSource } from './tokenSource';

/** The settings that determine the embedding of a text. The text keys of the store include them. */
export interface TextTowerSpec {
  inputs: TextJob['inputs'];
  constants: readonly ConstantFeed[];
  output: Omit<OutputSpec, 'skip'>;
  /** Whether pooling excludes the prompt's tokens. */
  skipPrompt: boolean;
  /** The Dense layers that follow the pooling. */
  dense?: { layers: readonly DenseLayer[]; normalise: boolean };
  fixedRows: number | undefined;
  rules: TokenRules;
  /** The activation function that replaces that of the graph. Only comparisons of evaluators set it. */
  activation?: Activation;
  /** Likewise, how the graph makes one row of its tokens. */
  pooling?: TokenPooling;
}

/** Embeds texts. One child process tokenises them, and another process or a server encodes them. */
export class TextTower {
  private readonly head: DenseHead | undefined;

  constructor(
    private readonly engines: Runs<'texts'>,
    private readonly tokens: TokenSource,
    private readonly folder: ModelFolder,
    private readonly graph: GraphRef,
    private readonly spec: TextTowerSpec,
  ) {
    const { dense } = spec;
    this.head = dense === undefined ? undefined : new DenseHead(folder, dense.layers, dense.normalise);
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<Outcome<Float32Array>[]> {
    if (texts.length === 0) return [];
    const rows = await this.tokens.rows(texts, signal);
    const length = rows[0].ids.length;
    if (rows.some((row) => row.ids.length !== length))
      throw new Error('Texts of different lengths in one batch.');
    if (length === 0) return texts.map(() => ({ ok: false, problem: say('model.noToken') }));
    const ids = new Int32Array(rows.length * length);
    rows.forEach((row, r) => ids.set(row.ids, r * length));
    const padded = rows.some((row) => row.real < length);
    const { inputs, constants, output, fixedRows, skipPrompt } = this.spec;
    const answer = await this.engines.run(
      'texts',
      {
        graph: this.graph,
        rows: rows.length,
        length,
        ids,
        mask: padded ? maskOf(rows, length) : undefined,
        inputs,
        constants,
        output: { ...output, skip: skipPrompt ? this.tokens.promptTokens : 0 },
        fixedRows,
      },
      signal,
    );
    const list = listOfRows(answer);
    const embeddings = this.head === undefined ? list : list.map((row) => this.head!.apply(row));
    this.folder.unchanged();
    return embeddings;
  }
}

function maskOf(rows: readonly { real: number }[], length: number): Uint8Array {
  const mask = new Uint8Array(rows.length * length);
  rows.forEach((row, r) => mask.fill(1, r * length, r * length + row.real));
  return mask;
}

const textInputs = ['input_ids', 'attention_mask', 'token_type_ids', 'position_ids'];

/** The graph's inputs for texts. Callers check the other inputs. */
export function textPorts(graph: GraphHeader): {
  inputs: TextJob['inputs'];
  fixedLength?: number;
  fixedRows?: number;
} {
  const port = (name: string): Port | undefined => {
    const found = graph.inputs.find((input) => input.name === name);
    if (found === undefined) return undefined;
    if (found.type === 'int64' || found.type === 'int32' || found.type === 'float32' || found.type === 'bool')
      return { name, type: found.type };
    throw new CaptiousError('evaluator', say('model.textInputTypeWrong', name, found.type), {
      at: graph.path,
    });
  };
  const ids = port('input_ids');
  if (ids === undefined) {
    throw new CaptiousError('evaluator', say('model.noTokenInput', names(graph.inputs)), {
      at: graph.path,
      remedy: say('model.exportWithTextInputs', textInputs.join(', ')),
    });
  }
  const [rows, length] = graph.inputs.find((input) => input.name === 'input_ids')!.shape;
  return {
    inputs: {
      ids,
      mask: port('attention_mask'),
      types: port('token_type_ids'),
      positions: port('position_ids'),
    },
    ...(typeof length === 'number' ? { fixedLength: length } : {}),
    ...(typeof rows === 'number' ? { fixedRows: rows } : {}),
  };
}

export function isTextInput(name: string): boolean {
  return textInputs.includes(name);
}

export function names(ports: readonly { name: string }[]): string {
  return ports.map((port) => port.name).join(', ') || 'none';
}
