/** For tests: a server for one file. It supports ranges and ETags, and fails when a test tells it to. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FileServer {
  readonly url: string;
  /** The `Range` header of each request, in order; empty if the whole file was requested. */
  readonly ranges: string[];
  /** One fault for each of the next requests. Later requests succeed. */
  readonly faults: Fault[];
  /** Immediately breaks the connection that `cutAfter` holds open. Call it once the client has part of the file. */
  cut(): void;
  /** Replaces the file. */
  serve(bytes: Buffer, etag?: string): void;
  close(): Promise<void>;
}

/**
 * A status to send instead of the file (with `location`: a redirect), or the number of bytes after which the server
 * sends nothing more and keeps the connection open until `cut` is called.
 */
type Fault = { readonly status: number; readonly location?: string } | { readonly cutAfter: number };

export async function startFileServer(
  first: Buffer,
  { ranges: knowsRanges = true, etag: firstEtag = '"v1"' }: { ranges?: boolean; etag?: string } = {},
): Promise<FileServer> {
  let file = first;
  let etag = firstEtag;
  const ranges: string[] = [];
  const faults: Fault[] = [];
  let held: ServerResponse | undefined;

  const answer = ({ headers, url }: IncomingMessage, response: ServerResponse) => {
    const { range, 'if-range': ifRange } = headers;
    ranges.push(range ?? '');
    const fault = faults.shift();
    if (fault && 'status' in fault) {
      response.writeHead(fault.status, fault.location ? { location: fault.location } : {}).end(url);
      return;
    }
    const same = ifRange === undefined || ifRange === etag;
    const from = knowsRanges && same ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0) : 0;
    if (from >= file.length) {
      response.writeHead(416, { 'content-range': `bytes */${file.length}` }).end();
      return;
    }
    const rest = file.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, {
      etag,
      'content-length': rest.length,
      ...(from > 0 && { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` }),
    });
    if (!fault) {
      response.end(rest);
      return;
    }
    response.write(rest.subarray(0, fault.cutAfter));
    held = response;
  };

  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ranges,
    faults,
    cut() {
      held?.destroy();
      held = undefined;
    },
    serve(bytes, newEtag = etag) {
      file = bytes;
      etag = newEtag;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
