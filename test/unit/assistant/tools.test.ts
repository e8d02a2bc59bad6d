import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { editorTools, serverTools } from '../../../src/assistant/tools';
import { probeIds } from '../../../src/probe/list';

interface Manifest {
  contributes: { languageModelTools: { name: string; modelDescription: string; inputSchema: object }[] };
}

describe('tools for assistants', () => {
  it('are described in package.json as in the code', () => {
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
    assert.deepEqual(
      contributes.languageModelTools.map(({ name, modelDescription, inputSchema }) => ({
        ...{ name, modelDescription, inputSchema },
      })),
      Object.entries(editorTools).map(([name, { description, inputSchema }]) => ({
        name: `captious_${name}`,
        modelDescription: description,
        inputSchema: inputSchema(probeIds),
      })),
    );
  });

  it('describe every input that they check, and no other', () => {
    for (const tool of [...Object.values(editorTools), ...Object.values(serverTools)]) {
      const { properties, required } = tool.inputSchema(probeIds) as {
        properties: Record<string, { type: string; enum?: string[]; description: string }>;
        required: string[];
      };
      const examples: Record<string, unknown> = { string: 'x', array: ['x'], integer: 1 };
      const input = Object.fromEntries(
        Object.entries(properties).map(([key, { type, enum: known }]) => [key, known?.[0] ?? examples[type]]),
      );
      assert.deepEqual(tool.input(input, ''), input);
      for (const key of Object.keys(input)) {
        const rest = Object.fromEntries(Object.entries(input).filter(([own]) => own !== key));
        const attempt = () => tool.input(rest, '');
        if (required.includes(key)) assert.throws(attempt);
        else assert.doesNotThrow(attempt);
        assert.throws(() => tool.input({ ...input, [key]: {} }, ''));
      }
    }
  });
});
