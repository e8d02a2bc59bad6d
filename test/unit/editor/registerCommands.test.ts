import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
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
    const l10n = { t: (text: string) => text };
    loaded = load({ EventEmitter: Object, CodeLens: Object, ThemeColor: Object, l10n });
  });

  it('is what each registered command runs', () => {
    const added: string[] = [];
    loaded.addCommands((id) => added.push(id), { context: {} } as CommandParts);
    assert.deepEqual(added, [...loaded.commandIds]);
  });

  it('names the board, which compares reports of the command line, where there are no runs', async () => {
    const actions = new Map<string, (...given: unknown[]) => unknown>();
    const parts = { context: {}, runs: { all: [] } } as unknown as CommandParts;
    loaded.addCommands((id, action) => actions.set(id, action), parts);
    const names = JSON.parse(await readFile('package.nls.json', 'utf8')) as Record<string, string>;
    await assert.rejects(
      async () => actions.get('captious.compare')!(),
      ({ remedy }: { remedy?: string }) => remedy?.includes(`"${names['command.board']}"`) === true,
    );
  });

  it('is what each registered tool of assistants calls', () => {
    const tools = loaded.toolsOf({} as ToolParts);
    assert.deepEqual(Object.keys(tools), [...loaded.toolNames]);
  });
});
