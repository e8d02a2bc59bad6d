/**
 * Writes a copy of a graph in which matrix products of the same input, such as those of an attention's queries, keys
 * and values, are one product. ONNX Runtime joins the weights when it opens the graph.
 */
import { valueIn } from '../../../base/lists';
import { message, type Node, nodeOf, readNodes, withNodes } from './nodes';
import { readGraphHeader } from './onnxHeader';
import { whole } from './tokenPooling';

/** From this version on, axes may be negative. */
const firstVersion = 11;
/** From this version on, a split into equal parts needs their number. */
const countedSplits = 18;
/** The last axis. */
const lastAxis = message(
  5,
  Buffer.concat([message(1, 'axis'), Buffer.from([3 << 3, ...Array<number>(9).fill(255), 1, 0xa0, 1, 2])]),
);

/** The parts of the copy, and how many products replace several. Undefined if there are none. */
export function withPackedProducts(path: string): { parts: Uint8Array[]; products: number } | undefined {
  const graph = readNodes(path);
  if (graph === undefined || graph.version < firstVersion) return undefined;
  const { weights } = readGraphHeader(path);
  const groups = new Map<string, Node[]>();
  for (const node of graph.nodes) {
    const [input, name] = node.inputs;
    const weight = weights.get(name);
    // Weights of equal size have equal numbers of columns, because they have as many rows as the input has columns.
    if (node.operator === 'MatMul' && weight?.type === 'float32')
      valueIn(groups, JSON.stringify([input, weight.bytes]), () => []).push(node);
  }
  const packed = [...groups.values()].filter(({ length }) => length > 1);
  if (packed.length === 0) return undefined;
  const replaced = packed.flatMap((nodes) => {
    const outputs = nodes.map((node) => node.outputs[0]);
    const [together, product] = [`${outputs[0]}/weights`, `${outputs[0]}/packed`];
    const count = graph.version < countedSplits ? [] : [whole('num_outputs', nodes.length)];
    const others = outputs.slice(1).map((output) => message(2, output));
    const by = [
      nodeOf(
        'Concat',
        nodes.map(({ inputs }) => inputs[1]),
        together,
        whole('axis', 1),
      ),
      nodeOf('MatMul', [nodes[0].inputs[0], together], product),
      nodeOf('Split', [product], outputs[0], Buffer.concat([...others, lastAxis, ...count])),
    ];
    return nodes.map((node, i) => ({ node, by: i === 0 ? by : [] }));
  });
  replaced.sort((a, b) => a.node.start - b.node.start);
  return { parts: withNodes(path, graph, replaced), products: packed.length };
}
