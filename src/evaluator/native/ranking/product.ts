import { InferenceSession, Tensor } from 'onnxruntime-node';

type Element = 'float32' | 'float64';
type Numbers = Float32Array | Float64Array;

/** Multiplies two blocks of rows: `out[i * rowsB + j]` is the product of row i of `a` and row j of `b`. */
export class Product {
  private constructor(
    private readonly session: InferenceSession,
    private readonly element: Element,
    private readonly dimension: number,
  ) {}

  static async create(element: Element, dimension: number, threads: number): Promise<Product> {
    const session = await InferenceSession.create(productGraph(element), {
      intraOpNumThreads: threads,
      logSeverityLevel: 3,
      // Idle threads must not spin while other code reads the product.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    });
    return new Product(session, element, dimension);
  }

  async into(out: Numbers, a: Numbers, rowsA: number, b: Numbers, rowsB: number): Promise<void> {
    const tensor = (data: Numbers, dims: number[]): Tensor =>
      this.element === 'float32'
        ? new Tensor('float32', data as Float32Array, dims)
        : new Tensor('float64', data as Float64Array, dims);
    await this.session.run(
      { a: tensor(a, [rowsA, this.dimension]), b: tensor(b, [rowsB, this.dimension]) },
      { c: tensor(out.subarray(0, rowsA * rowsB), [rowsA, rowsB]) },
    );
  }

  release(): Promise<void> {
    return this.session.release();
  }
}

/** Builds the ONNX graph c = a · bᵀ. It has one node, so the code needs neither a file nor a library for it. */
export function productGraph(element: Element): Uint8Array {
  const type = element === 'float32' ? 1 : 11;
  const shape = (...dims: string[]): number[] => dims.flatMap((name) => message(1, text(2, name)));
  const value = (name: string, rows: string, columns: string): number[] => [
    ...text(1, name),
    ...message(2, message(1, [...number(1, type), ...message(2, shape(rows, columns))])),
  ];
  const transposed = [...text(1, 'transB'), ...number(3, 1), ...number(20, 2)];
  const node = [
    ...text(1, 'a'),
    ...text(1, 'b'),
    ...text(2, 'c'),
    ...text(4, 'Gemm'),
    ...message(5, transposed),
  ];
  const graph = [
    ...message(1, node),
    ...text(2, 'product'),
    ...message(11, value('a', 'm', 'k')),
    ...message(11, value('b', 'n', 'k')),
    ...message(12, value('c', 'm', 'n')),
  ];
  const opset = [...text(1, ''), ...number(2, 13)];
  return Uint8Array.from([...number(1, 8), ...message(7, graph), ...message(8, opset)]);
}

/** Encodes a protocol buffers field with a number. `message` encodes bytes, and `text` encodes a text. */
function number(field: number, value: number): number[] {
  return [...varint(field * 8), ...varint(value)];
}

function message(field: number, bytes: readonly number[]): number[] {
  return [...varint(field * 8 + 2), ...varint(bytes.length), ...bytes];
}

function text(field: number, value: string): number[] {
  return message(field, [...Buffer.from(value)]);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}
