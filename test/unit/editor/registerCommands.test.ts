import assert from 'node:assert/strict';
import type { addCommands, CommandParts } from '../../../src/editor/commands';
import type { toolsOf } from '../../../src/editor/assistant/tools';
import { bundle } from './bundle';
import type { commandIds } from '../../../src/editor/commandIds';
import type { toolNames, ToolParts } from '../../../src/editor/assistant/toolParts';

interface Loaded {
  addCommands: typeof addCommands;
  commandIds: typeof commandIds;
  toolNames: typeof toolNames;
  toolsOf: typeof toolsOf;
}

describe('what loads on demand', function () {
  this.timeout(30_000);
  let loaded: Loaded;
  before(async () => {
    const load = await bundle<Loaded>(
      ['commands', 'commandIds', 'assistant/tools', 'assistant/toolParts']
        .map((name) => `export * from './src/editor/${name}';`)
        .join('\n'),
    );
    loaded = load({ EventEmitter: Object, CodeLens: Object, ThemeColor: Object });
  });

  it('is what each registered command runs', () => {
    const added: string[] = [];
    loaded.addCommands((id) => added.push(id), { context: {} } as CommandParts);
    assert.deepEqual(added, [...loaded.commandIds]);
  });

  it('is what each registered tool of assistants calls', () => {
    const tools = loaded.toolsOf({} as ToolParts);
    assert.deepEqual(Object.keys(tools), [...loaded.toolNames]);
  });
});
