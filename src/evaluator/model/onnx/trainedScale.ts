import type { Scale } from '../../evaluator';
import type { GraphHeader } from './graphPorts';
import { type GraphNode, readGraphNodes } from './onnxHeader';

/** Operators that only move or convert values. */
const transparent = ['Transpose', 'Identity', 'Cast'];

/**
 * Finds SigLIP's trained factor and bias at the end of the graph: logits = cosines · exp(scale) + bias. Their names
 * vary between exports, so the operators identify them. Returns undefined for other graphs.
 */
export function trainedScale(whole: GraphHeader): Extract<Scale, { name: 'sigmoid' }> | undefined {
  const maker = new Map<string, GraphNode>();
  for (const node of readGraphNodes(whole.path)) for (const output of node.outputs) maker.set(output, node);
  const makerOf = (name: string): GraphNode | undefined => {
    const node = maker.get(name);
    return node !== undefined && transparent.includes(node.operator) ? makerOf(node.inputs[0]) : node;
  };
  const scalar = (name: string): number | undefined => whole.scalars.get(name);

  const logits = whole.outputs.find((port) => /^logits_per_(image|text)$/.test(port.name));
  const sum = logits === undefined ? undefined : makerOf(logits.name);
  const [product, bias] = operands(sum, 'Add', scalar);
  const times = product === undefined ? undefined : makerOf(product);
  // The factor is usually the exponential of a stored weight. Some exports store the factor itself.
  const factorOf = (name: string): number | undefined => {
    const node = maker.get(name);
    const weight = node?.operator === 'Exp' ? scalar(node.inputs[0]) : undefined;
    return weight === undefined ? scalar(name) : Math.exp(weight);
  };
  const [cosines, factor] = operands(times, 'Mul', factorOf);
  if (cosines === undefined || factor === undefined || bias === undefined) return undefined;
  return makerOf(cosines)?.operator === 'MatMul' ? { name: 'sigmoid', factor, bias } : undefined;
}

/** The name of a binary operator's variable operand, and the value of its constant operand. */
function operands(
  node: GraphNode | undefined,
  operator: string,
  numberOf: (name: string) => number | undefined,
): [string | undefined, number | undefined] {
  if (node?.operator !== operator || node.inputs.length !== 2) return [undefined, undefined];
  const [a, b] = node.inputs;
  const [atA, atB] = [numberOf(a), numberOf(b)];
  if ((atA === undefined) === (atB === undefined)) return [undefined, undefined];
  return atA === undefined ? [a, atB] : [b, atA];
}
