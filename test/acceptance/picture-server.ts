/** A server of pictures that a service under test fetches by their URLs. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PictureServer {
  readonly url: string;
  /** Number of calls so far. */
  calls(): number;
  /** Host and port, for `URL_ALLOW`. */
  readonly host: string;
  close(): void;
}

/** `pictures` maps each path, without its query, to a file or a redirect. Other paths get 404. */
export async function servePictures(
  pictures: Readonly<Record<string, Buffer | { readonly location: string }>>,
): Promise<PictureServer> {
  let calls = 0;
  const server = createServer((request, response) => {
    calls++;
    const picture = pictures[request.url?.split('?')[0] ?? ''];
    if (picture === undefined) response.writeHead(404).end();
    else if (Buffer.isBuffer(picture)) response.end(picture);
    else response.writeHead(302, { location: picture.location }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `http://${host}`, host, calls: () => calls, close: () => void server.close() };
}
