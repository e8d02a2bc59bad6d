import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type * as assistantServer from '../../../src/editor/assistantServer';
import { bundle } from './bundle';

interface Definition {
  label: string;
  command: string;
  args: string[];
  env: Record<string, string>;
}
interface Provider {
  onDidChangeMcpServerDefinitions: (listener: () => void) => void;
  provideMcpServerDefinitions: () => Definition[];
}

const root = join(__dirname, '../../..');

describe("the editor's offer of the MCP server", function () {
  this.timeout(60_000);
  let load: (vscode: object) => { own: typeof assistantServer };
  before(async () => {
    load = await bundle("export * as own from './src/editor/assistantServer';");
  });

  /** A fake editor. `granted` grants trust. */
  function editor(lm: object): { offer: () => object; granted: () => void; logged: string[] } {
    const logged: string[] = [];
    const log = { info: (line: string) => void logged.push(line) };
    let onGrant: () => void = () => undefined;
    const workspace = {
      isTrusted: false,
      workspaceFolders: [
        { uri: { scheme: 'file', fsPath: join(root, 'samples') } },
        { uri: { scheme: 'vscode-vfs', fsPath: '/remote' } },
      ],
      onDidGrantWorkspaceTrust: (listener: () => void) => (onGrant = listener),
      onDidChangeWorkspaceFolders: () => undefined,
      getConfiguration: () => ({ get: (_name: string, usual: unknown) => usual }),
    };
    const { own } = load({
      lm,
      workspace,
      McpStdioServerDefinition: class {
        constructor(
          readonly label: string,
          readonly command: string,
          readonly args: string[],
          readonly env: Record<string, string>,
        ) {}
      },
      Disposable: { from: () => ({}) },
      EventEmitter: class {
        private readonly listeners: (() => void)[] = [];
        event = (listener: () => void) => void this.listeners.push(listener);
        fire(): void {
          for (const listener of this.listeners) listener();
        }
      },
    });
    const context = { extension: { packageJSON: { version: '1.2.3' } }, extensionPath: root };
    return {
      offer: () => own.offerAssistantServer(context as never, log as never),
      logged,
      granted: () => {
        workspace.isTrusted = true;
        onGrant();
      },
    };
  }

  it('has a server for the folders on disk of a trusted workspace, which answers', async () => {
    let provider: Provider | undefined;
    let changes = 0;
    const { offer, granted } = editor({
      registerMcpServerDefinitionProvider: (id: string, own: Provider) => {
        assert.equal(id, 'captious.assistant');
        provider = own;
      },
    });
    offer();
    provider!.onDidChangeMcpServerDefinitions(() => changes++);
    assert.deepEqual(provider!.provideMcpServerDefinitions(), []);
    granted();
    assert.equal(changes, 1);
    const [{ command, args, env }] = provider!.provideMcpServerDefinitions();
    assert.deepEqual(args.slice(1), ['mcp', '--', join(root, 'samples')]);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }));
    const { content, isError } = await client.callTool({
      ...{ name: 'inspect', arguments: { file: 'triplets.tsv' } },
    });
    assert.ok(isError !== true && Array.isArray(content));
    await client.close();
  });

  it('is none in an editor without the API', () => {
    const { offer, logged } = editor({});
    offer();
    assert.deepEqual(logged, []);
  });

  it('is none in an editor with the proposal of the API, which the log says', () => {
    const { offer, logged } = editor({
      registerMcpServerDefinitionProvider: () => {
        throw new Error('CANNOT use API proposal: mcpConfigurationProvider');
      },
    });
    offer();
    assert.equal(logged.length, 1);
  });
});
