import { Reason } from '../../../base/errors';
import { say } from '../../../base/say';
import type { Field, ProtoFile } from './protoFile';

/** The messages of onnx.proto that can contain tensors, at any depth. */
type Form =
  'model' | 'graph' | 'node' | 'attribute' | 'tensor' | 'sparse' | 'training' | 'function' | 'entry';

/** Every field of these messages by number: the form of its message, or `leaf` if it cannot contain a tensor. */
const forms: Record<Form, Readonly<Record<number, Form | 'leaf'>>> = {
  model: { ...leaves(1, 2, 3, 4, 5, 6, 8, 14, 26), 7: 'graph', 20: 'training', 25: 'function' },
  graph: { ...leaves(2, 10, 11, 12, 13, 14, 16), 1: 'node', 5: 'tensor', 15: 'sparse' },
  node: { ...leaves(1, 2, 3, 4, 6, 7, 8, 9, 10), 5: 'attribute' },
  attribute: {
    ...leaves(1, 2, 3, 4, 7, 8, 9, 13, 14, 15, 20, 21),
    5: 'tensor',
    6: 'graph',
    10: 'tensor',
    11: 'graph',
    22: 'sparse',
    23: 'sparse',
  },
  tensor: { ...leaves(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16), 13: 'entry' },
  sparse: { ...leaves(3), 1: 'tensor', 2: 'tensor' },
  training: { ...leaves(3, 4), 1: 'graph', 2: 'graph' },
  function: { ...leaves(1, 4, 5, 6, 8, 9, 10, 12, 13, 14), 7: 'node', 11: 'attribute' },
  entry: leaves(1, 2),
};

function leaves(...numbers: number[]): Record<number, 'leaf'> {
  return Object.fromEntries(numbers.map((number) => [number, 'leaf' as const]));
}

const deepest = 32;
const inFile = 0;
const inOtherFile = 1;

interface Survey {
  operators: Set<string>;
  /** The locations of all external tensors. */
  external: Set<string>;
}

/**
 * Visits every tensor of a model, in subgraphs, functions and attributes too. Protocol buffers merge the parts of a
 * message that is written in several parts, so each part counts. Throws if a field is unknown, because it could
 * refer to a file.
 */
export function surveyModel(file: ProtoFile): Survey {
  const survey: Survey = { operators: new Set(), external: new Set() };
  const visit = (form: Form, from: number, to: number, depth: number): void => {
    if (depth > deepest) throw new Reason(say('model.onnxTooDeep', deepest));
    for (const field of file.fields(from, to)) {
      const inner = forms[form][field.number];
      if (inner === undefined || (inner !== 'leaf' && field.wire !== 2))
        throw new Reason(say('model.onnxFieldUnknown', field.from));
      if (inner === 'entry') addLocation(file, field, survey.external);
      else if (inner !== 'leaf')
        visit(inner, field.from, field.to, form === 'attribute' && inner === 'graph' ? depth + 1 : depth);
      else if (form === 'node' && field.number === 4) addOperator(file.text(field), survey.operators);
      else if (
        form === 'tensor' &&
        field.number === 14 &&
        field.value !== inFile &&
        field.value !== inOtherFile
      )
        throw new Reason(say('model.onnxTensorMisplaced', field.from));
    }
  };
  visit('model', 0, file.size, 0);
  return survey;
}

function addOperator(operator: string, operators: Set<string>): void {
  // The attributes of this operator name a file with a compiled graph.
  if (operator === 'EPContext') throw new Reason(say('model.onnxForOtherHardware'));
  operators.add(operator);
}

/** If a field is repeated, its last value counts, as in protocol buffers. */
function addLocation(file: ProtoFile, { from, to }: Field, external: Set<string>): void {
  const entry = ['', '', ''];
  for (const part of file.fields(from, to)) {
    if (forms.entry[part.number] === undefined || part.wire !== 2)
      throw new Reason(say('model.onnxFieldUnknown', part.from));
    entry[part.number] = file.text(part);
  }
  const [, key, value] = entry;
  if (key === 'location') external.add(value);
}
