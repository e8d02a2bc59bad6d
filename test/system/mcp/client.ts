import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';

export interface ToolAnswer {
  text: string;
  isError: boolean;
}

/** The server in a process of its own, and the SDK's client. */
export class Assistant {
  private readonly client = new Client({ name: 'test', version: '1' });

  static async of(home: string, ...args: string[]): Promise<Assistant> {
    const assistant = new Assistant();
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ['dist/cli.js', 'mcp', ...args],
      env: { ...(process.env as Record<string, string>), CAPTIOUS_HOME: home },
      stderr: 'ignore',
    });
    await assistant.client.connect(transport);
    return assistant;
  }

  get sdk(): Client {
    return this.client;
  }

  async call(name: string, input: object = {}, options?: RequestOptions): Promise<ToolAnswer> {
    const answer = await this.client.callTool({ name, arguments: { ...input } }, undefined, options);
    const [{ text }] = answer.content as { text: string }[];
    return { text, isError: answer.isError === true };
  }

  async ask<T>(name: string, input: object = {}, options?: RequestOptions): Promise<T> {
    const { text, isError } = await this.call(name, input, options);
    if (isError) throw new Error(text);
    return JSON.parse(text) as T;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'captious-mcp-'));
}

export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
}
