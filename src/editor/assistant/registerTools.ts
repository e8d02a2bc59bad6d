import * as vscode from 'vscode';
import { type ToolParts, toolNames, type Tools } from './toolParts';

/** Registers tools for AI assistants. Their code loads when an assistant first calls one. */
export function registerTools(parts: ToolParts): vscode.Disposable {
  let loading: Promise<Tools> | undefined;
  const tools = () => (loading ??= import('./tools').then(({ toolsOf }) => toolsOf(parts)));
  return vscode.Disposable.from(
    ...toolNames.map((name) =>
      vscode.lm.registerTool<object>(name, {
        prepareInvocation: async (...asked) => (await tools())[name].prepareInvocation(...asked),
        invoke: async (...asked) => (await tools())[name].invoke(...asked),
      }),
    ),
  );
}
