/** For tests: a webhook receiver on loopback with scripted responses. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  close(): Promise<void>;
}

/** `answer` returns the response to a call, counted from 0: a status, a redirect target, or undefined to hang. */
export async function openReceiver(
  answer: (call: number) => number | string | undefined = () => 204,
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const told = answer(received.length);
    received.push({ path: request.url ?? '', headers: request.headers, body });
    if (typeof told === 'number') response.writeHead(told).end('noted');
    else if (told !== undefined) response.writeHead(307, { location: told }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
