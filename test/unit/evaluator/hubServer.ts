import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Served {
  path: string;
  range: string | undefined;
  authorization: string | undefined;
}

/** A function that may answer a request instead of the server. Returns true if it has answered. */
export type Mischief = (request: Served, response: ServerResponse, content: Buffer) => boolean;

/** A hub on this machine. Large files (`.onnx`) are redirected to a store on another port, as on the real hub. */
export class HubServer {
  readonly requests: Served[] = [];
  readonly storeRequests: Served[] = [];
  mischief: Mischief = () => false;
  storeMischief: Mischief = () => false;
  commit = '1'.repeat(40);
  /** Whether to omit the commit and hashes, like simple mirrors. */
  plain = false;
  /** Whether to ignore ranges, like simple servers. */
  whole = false;
  private readonly servers: Server[] = [];
  private storePort = 0;
  url = '';

  constructor(
    readonly files: Map<string, Buffer>,
    /** Owner and name of the only repository. */
    private readonly repository = 'owner/tiny',
  ) {}

  async start(): Promise<this> {
    this.storePort = await this.listen((request, response) => {
      const content = this.files.get(decodeURIComponent(request.url!.slice(1)))!;
      const served = noted(request, this.storeRequests);
      if (!this.storeMischief(served, response, content)) this.send(served, response, content);
    });
    this.url = `http://127.0.0.1:${await this.listen((request, response) => this.answer(request, response))}`;
    return this;
  }

  async stop(): Promise<void> {
    for (const server of this.servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const [, repository, path] = /^\/([^/]+\/[^/]+)\/resolve\/[^/]+\/(.+)$/.exec(request.url!) ?? [];
    const served = noted(request, this.requests);
    const content = repository === this.repository ? this.files.get(path) : undefined;
    if (content === undefined) {
      response.writeHead(404).end();
      return;
    }
    const large = path.endsWith('.onnx');
    if (!this.plain) {
      response.setHeader('x-repo-commit', this.commit);
      response.setHeader('etag', `"${gitBlob(content)}"`);
      if (large) {
        response.setHeader('x-linked-etag', `"${createHash('sha256').update(content).digest('hex')}"`);
        response.setHeader('x-linked-size', content.length);
      }
    }
    if (this.mischief(served, response, content)) return;
    if (large) {
      response.writeHead(302, { location: `http://127.0.0.1:${this.storePort}/${path}` }).end();
      return;
    }
    this.send(served, response, content);
  }

  send({ range }: Served, response: ServerResponse, content: Buffer): void {
    const from = this.whole ? 0 : Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    if (from > 0 && from >= content.length) {
      response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end();
      return;
    }
    const partial =
      from > 0 ? { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` } : {};
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': content.length - from, ...partial });
    response.end(content.subarray(from));
  }

  private async listen(
    handler: (request: IncomingMessage, response: ServerResponse) => void,
  ): Promise<number> {
    const server = createServer(handler);
    this.servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }
}

function noted(request: IncomingMessage, list: Served[]): Served {
  const served = {
    path: request.url!,
    range: request.headers.range,
    authorization: request.headers.authorization,
  };
  list.push(served);
  return served;
}

export function gitBlob(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}
