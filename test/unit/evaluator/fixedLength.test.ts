import { findSaid, say, type Words } from '../../../src/base/say';
import assert from 'node:assert/strict';
import { describeDualEncoder } from '../../../src/evaluator/model/dualEncoder';
import { ModelFolder } from '../../../src/evaluator/model/modelFolder';
import type { GraphHeader } from '../../../src/evaluator/model/onnx/graphPorts';
import { cleanUp, copyOf } from './fixtures';

/** Changes a header to that of an export for texts of one length, such as open_clip's. */
function fixed(graph: GraphHeader, length: number): GraphHeader {
  const inputs = graph.inputs.map((port) =>
    port.name === 'pixel_values' ? port : { ...port, shape: [port.shape[0], length] },
  );
  return { ...graph, inputs };
}

describe('a CLIP whose text graph takes a fixed length', () => {
  let folder: ModelFolder;
  let text: GraphHeader;
  let vision: GraphHeader;
  before(() => {
    folder = new ModelFolder(copyOf('clip-two-graphs'));
    text = folder.graph('text_model', 'float32')!;
    vision = folder.graph('vision_model', 'float32')!;
  });
  after(cleanUp);
  const notesOf = (header: GraphHeader): readonly Words[] =>
    describeDualEncoder(folder, header, vision, undefined).notes;

  it('is described with its cost and the command that exports a dynamic length', () => {
    const lengths = (header: GraphHeader) =>
      notesOf(header).flatMap((note) => findSaid(note, 'model.fixedTextLength') ?? []);
    assert.deepEqual(lengths(fixed(text, 16)), [say('model.fixedTextLength', 16)]);
    assert.deepEqual(lengths(text), []);
  });

  it('gets every text padded to that length', () => {
    const { spec } = describeDualEncoder(folder, fixed(text, 16), vision, undefined).text!;
    assert.deepEqual([spec.rules.fixed, spec.rules.max], [16, 16]);
  });
});
