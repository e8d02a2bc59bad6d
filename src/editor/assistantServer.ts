import { join } from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../base/errors';
import * as settings from './settings';

/** The API of VS Code 1.101 and newer, which the oldest supported VS Code lacks. */
interface ServerApi {
  McpStdioServerDefinition?: new (
    label: string,
    command: string,
    args: readonly string[],
    env: Readonly<Record<string, string | null>>,
    version: string,
  ) => object;
  lm: {
    registerMcpServerDefinitionProvider?: (
      id: string,
      provider: {
        onDidChangeMcpServerDefinitions: vscode.Event<void>;
        provideMcpServerDefinitions: () => object[];
      },
    ) => vscode.Disposable;
  };
}

/**
 * Offers the MCP server to the editor's assistants, for the folders of a trusted workspace. The editor starts the
 * server when an assistant first uses it.
 */
export function offerAssistantServer(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    register(context, changed.event, log),
  );
}

function register(
  { extension, extensionPath }: vscode.ExtensionContext,
  onDidChangeMcpServerDefinitions: vscode.Event<void>,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  const { McpStdioServerDefinition: Definition, lm } = vscode as typeof vscode & ServerApi;
  const none = vscode.Disposable.from();
  if (Definition === undefined || lm.registerMcpServerDefinitionProvider === undefined) return none;
  const { version } = extension.packageJSON as { version: string };
  const provideMcpServerDefinitions = (): object[] => {
    const folders = servedFolders();
    if (folders.length === 0) return [];
    const args = [join(extensionPath, 'dist', 'cli.js'), 'mcp', '--', ...folders];
    // In a desktop editor, the executable is Electron, which is Node.js only with this variable.
    const env = { ELECTRON_RUN_AS_NODE: '1', CAPTIOUS_HOME: settings.home() };
    return [new Definition('Captious', process.execPath, args, env, version)];
  };
  try {
    return lm.registerMcpServerDefinitionProvider('captious.assistant', {
      onDidChangeMcpServerDefinitions,
      provideMcpServerDefinitions,
    });
  } catch (error) {
    // In VS Code 1.100 the function exists, but throws, because the API is still a proposal.
    log.info(`The MCP server is not offered to assistants: ${messageOf(error)}`);
    return none;
  }
}

function servedFolders(): string[] {
  if (!vscode.workspace.isTrusted) return [];
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}
