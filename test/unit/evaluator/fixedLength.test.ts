import { english } from '../../../src/base/english';
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
  const notesOf = (header: GraphHeader): readonly string[] =>
    describeDualEncoder(folder, header, vision, undefined).notes.map(english);

  it('is described with its cost and the command that exports a dynamic length', () => {
    const notes = notesOf(fixed(text, 16)).filter((note) => note.includes('takes exactly 16 tokens'));
    assert.equal(notes.length, 1);
    assert.match(notes[0], /four times as fast\. "captious convert"/);
    assert.ok(notesOf(text).every((note) => !note.includes('captious convert')));
  });

  it('gets every text padded to that length', () => {
    const { spec } = describeDualEncoder(folder, fixed(text, 16), vision, undefined).text!;
    assert.deepEqual([spec.rules.fixed, spec.rules.max], [16, 16]);
  });
});
