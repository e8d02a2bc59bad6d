/**
 * Writes a copy of a graph that chooses the pooled token before the last layer's projection and MLP instead of after
 * them. These steps compute each token alone, so the other tokens are not needed.
 */
import { addTo, append } from '../../../base/lists';
import { copiesOf, type Graph, type Node, nodeOf, readNodes, withNodes } from './nodes';
import { readGraphHeader } from './onnxHeader';
import { findPooling, valueOf } from './tokenPooling';

/** Operators that compute each token from the same token of their inputs, if their other inputs are constants. */
const byToken = new Set([
  ...['Add', 'Sub', 'Mul', 'Div', 'Pow', 'Sqrt', 'Erf', 'Sigmoid', 'Tanh', 'Gelu', 'QuickGelu', 'FastGelu'],
  ...['BiasGelu', 'LayerNormalization', 'SkipLayerNormalization', 'Identity', 'Cast', 'ReduceMean', 'MatMul'],
]);

/** What the steps behind the last attention read and make. */
interface Survey {
  graph: Graph;
  users: ReadonlyMap<string, readonly Node[]>;
  isConstant: (name: string) => boolean;
  /** The outputs with a row for each token. An evaluator that pools in the graph does not use them. */
  unused: ReadonlySet<string>;
  kept: ReadonlySet<string>;
  /** The nodes that choose the token, in the order in which they run, and what they choose from. */
  pooling: readonly Node[];
  tokens: string;
}

/**
 * The parts of the copy, and how many matrix products see only one token of each item. Undefined if there are none, or
 * if the weights are in another file. The copy lacks outputs with a row for each token.
 */
export function withTokenCut(
  path: string,
  output: string,
): { parts: Uint8Array[]; products: number } | undefined {
  const survey = surveyOf(path, output);
  if (survey === undefined) return undefined;
  const { graph, pooling, tokens, unused } = survey;
  const inside = stepsOf(survey);
  const steps = graph.nodes.filter((node) => inside.has(node));
  const products = steps.filter(({ operator }) => operator === 'MatMul').length;
  const shapes = shapesOf(survey, inside, steps);
  if (products === 0 || shapes === undefined) return undefined;

  const last = pooling[pooling.length - 1];
  const [asToken, asRow] = [`${tokens}/as_token`, `${tokens}/as_row`];
  const by = [integers(asToken, 0, 1, -1), integers(asRow, 0, -1)];
  const chosen = new Map<string, string>();
  for (const name of readBy(survey, inside, steps)) {
    const names = new Map([[tokens, name]]);
    for (const { outputs } of pooling) names.set(outputs[0], `${name}/${outputs[0]}`);
    chosen.set(name, `${name}/chosen`);
    append(by, copiesOf(path, pooling, names));
    by.push(nodeOf('Reshape', [names.get(last.outputs[0])!, asToken], `${name}/chosen`));
  }
  append(by, copiesOf(path, steps, chosen));
  by.push(nodeOf('Reshape', [tokens, asRow], last.outputs[0]));

  // The stated shapes of values would be those of all tokens.
  const stated = graph.stated.filter(({ isOutput, name }) => !isOutput || unused.has(name));
  const removed = [...steps, ...pooling.slice(0, -1), ...stated];
  const replaced = [
    ...removed.map((node) => ({ node, by: [] as Uint8Array[] })),
    ...shapes.map(({ node, names }) => ({ node, by: copiesOf(path, [node], names) })),
    { node: last, by },
  ];
  replaced.sort((a, b) => a.node.start - b.node.start);
  return { parts: withNodes(path, graph, replaced), products };
}

function surveyOf(path: string, output: string): Survey | undefined {
  const graph = readNodes(path);
  const found = graph && findPooling(graph, output);
  if (found === undefined || !['first', 'last', 'end'].includes(found.pooling)) return undefined;
  const { node, tokens } = found;
  const users = new Map<string, Node[]>();
  for (const user of graph!.nodes) for (const name of new Set(user.inputs)) addTo(users, name, user);
  // Some graphs put the tokens of all items under each other before they choose.
  const flat = node.inputs[0] === tokens ? undefined : graph!.maker.get(node.inputs[0]);
  if (flat !== undefined && users.get(flat.outputs[0])!.length > 1) return undefined;
  const { outputs, weights } = readGraphHeader(path);
  const unused = new Set(outputs.filter(({ shape }) => shape.length === 3).map(({ name }) => name));
  const constants = new Set(weights.keys());
  for (const { inputs, outputs: made } of graph!.nodes)
    if (inputs.every((name) => name === '' || constants.has(name)))
      for (const name of made) constants.add(name);
  return {
    graph: graph!,
    users,
    isConstant: (name) => constants.has(name),
    unused,
    kept: new Set(outputs.map(({ name }) => name).filter((name) => !unused.has(name))),
    pooling: flat === undefined ? [node] : [flat, node],
    tokens,
  };
}

/** The steps whose results only the pooling needs. */
function stepsOf({ graph, users, isConstant, kept, pooling, tokens }: Survey): Set<Node> {
  const inside = new Set<Node>();
  const isOnlyPooled = (name: string): boolean => {
    const readers = (users.get(name) ?? []).filter(({ operator }) => operator !== 'Shape');
    return (
      !kept.has(name) &&
      readers.length > 0 &&
      readers.every((user) => inside.has(user) || (name === tokens && user === pooling[0]))
    );
  };
  const isStep = ({ operator, inputs, outputs, numbers }: Node): boolean =>
    byToken.has(operator) &&
    inputs.some((name) => !isConstant(name)) &&
    (operator !== 'MatMul' || isConstant(inputs[1])) &&
    (operator !== 'ReduceMean' || (numbers.get('axes') ?? []).every((axis) => axis === -1 || axis === 2)) &&
    outputs.every((name) => name === '' || isOnlyPooled(name));
  // Nodes are in the order in which they run, so all readers of a value come before its maker here.
  for (const node of [...graph.nodes].reverse()) if (isStep(node)) inside.add(node);
  return inside;
}

/** The values that the steps read and do not make. */
function readBy(
  { graph, isConstant }: Survey,
  inside: ReadonlySet<Node>,
  steps: readonly Node[],
): Set<string> {
  const isMade = (name: string): boolean => {
    const maker = graph.maker.get(name);
    return maker !== undefined && inside.has(maker);
  };
  const read = steps.flatMap(({ inputs }) => inputs);
  return new Set(read.filter((name) => name !== '' && !isConstant(name) && !isMade(name)));
}

/** The nodes that read the shape of a step's result, and the value of the same shape that they read in the copy. */
function shapesOf(
  { graph, users, isConstant }: Survey,
  inside: ReadonlySet<Node>,
  steps: readonly Node[],
): { node: Node; names: ReadonlyMap<string, string> }[] | undefined {
  const alike = (name: string): string | undefined => {
    const maker = graph.maker.get(name);
    if (maker === undefined || !inside.has(maker)) return name;
    if (maker.operator === 'MatMul' || maker.operator === 'ReduceMean') return undefined;
    for (const input of maker.inputs) {
      const found = input === '' || isConstant(input) ? undefined : alike(input);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const shapes: { node: Node; names: ReadonlyMap<string, string> }[] = [];
  for (const value of steps.flatMap(({ outputs }) => outputs))
    for (const node of users.get(value) ?? []) {
      if (node.operator !== 'Shape') continue;
      const name = alike(value);
      if (name === undefined) return undefined;
      shapes.push({ node, names: new Map([[value, name]]) });
    }
  return shapes;
}

function integers(name: string, ...values: number[]): Uint8Array {
  return nodeOf('Constant', [], name, valueOf(7, BigInt64Array.from(values, BigInt), [values.length]));
}
