import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  path: string;
  authorization: string | undefined;
  body: {
    model: string;
    temperature: number;
    seed?: number;
    messages: {
      role: string;
      content: string | { type: string; text?: string; image_url?: { url: string } }[];
    }[];
    response_format?: { type: string };
    logprobs?: boolean;
    top_logprobs?: number;
  };
}

type Answer = (asked: Asked, response: ServerResponse, call: number) => void;

export interface ChatServer {
  url: string;
  asked: Asked[];
  /** The largest number of concurrent requests so far. */
  most: number;
  answer: Answer;
}

const closers: (() => Promise<void>)[] = [];

export async function chatServer(answer: Answer): Promise<ChatServer> {
  let open = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    made.most = Math.max(made.most, ++open);
    response.on('close', () => open--);
    let text = '';
    for await (const piece of request) text += String(piece);
    const asked = {
      path: request.url ?? '',
      authorization: request.headers.authorization,
      body: JSON.parse(text) as Asked['body'],
    };
    made.asked.push(asked);
    made.answer(asked, response, made.asked.length);
  };
  // A request that its client cancels must not fail the test.
  const server = createServer((request, response) => void handle(request, response).catch(() => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const made: ChatServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: [],
    most: 0,
    answer,
  };
  return made;
}

export async function closeServers(): Promise<void> {
  await Promise.all(closers.splice(0).map((close) => close()));
}

export function json(response: ServerResponse, status: number, value: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

export function completion(content: string | null, more: object = {}): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'tiny',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop', ...more }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

/** The caption between the fences of a judge's request. */
export function captionOf({ body }: Asked): string {
  const content = body.messages[1].content;
  const text = typeof content === 'string' ? content : content.find(({ type }) => type === 'text')!.text!;
  const [, fence] = /lines that read (caption-\w+)/.exec(text)!;
  const from = text.indexOf(`\n${fence}\n`) + fence.length + 2;
  return text.slice(from, text.lastIndexOf(`\n${fence}`));
}

export function imageOf({ body }: Asked): { mime: string; bytes: Buffer } {
  const content = body.messages[1].content;
  const url =
    typeof content === 'string' ? '' : content.find(({ type }) => type === 'image_url')!.image_url!.url;
  const [, mime, data] = /^data:([^;]+);base64,(.*)$/.exec(url)!;
  return { mime, bytes: Buffer.from(data, 'base64') };
}
