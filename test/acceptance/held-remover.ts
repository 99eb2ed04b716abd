/** A removal service that answers when the test says so: which cut has begun then hangs on no machine's speed. */
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

export interface HeldRemover {
  /** For services and commands that cut by it. */
  readonly environment: Record<string, string>;
  /** Resolves once so many photos have been asked for since the beginning; their cuts have begun then. */
  asked(photos: number): Promise<void>;
  /** Answers so many photos, asked for or still to come; all of them unless told. */
  release(photos?: number): void;
  close(): void;
}

/** The picture that the engine sends at its start has this side; no photo of a test may have it. */
const cardSidePx = 128;

export async function holdRemover({ holdsStart = false } = {}): Promise<HeldRemover> {
  const changes = new EventEmitter().setMaxListeners(0);
  let asked = 0;
  let released = 0;
  const server = createServer(async (request, response) => {
    const photo = await readPhoto(request);
    const { width } = await sharp(photo).metadata();
    const isStart = width === cardSidePx;
    if (!isStart || holdsStart) {
      const turn = ++asked;
      changes.emit('change');
      while (turn > released) await once(changes, 'change');
    }
    const mask = await sharp(photo).greyscale().threshold(150).negate().toColourspace('b-w').png().toBuffer();
    // Whoever asked may have been killed meanwhile.
    if (!response.destroyed) response.writeHead(200, { 'content-type': 'image/png' }).end(mask);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    environment: {
      REMOVAL_ENGINE: 'http',
      REMOVAL_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      // The longest that there is: whoever holds an answer is not to be asked again meanwhile.
      REMOVAL_TIMEOUT_MS: '28000',
    },
    async asked(photos) {
      while (asked < photos) await once(changes, 'change');
    },
    release(photos = Number.POSITIVE_INFINITY) {
      released += photos;
      changes.emit('change');
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function readPhoto(request: IncomingMessage): Promise<Buffer> {
  const body = new Uint8Array(await buffer(request));
  const form = await new Response(body, {
    headers: { 'content-type': request.headers['content-type']! },
  }).formData();
  return Buffer.from(await (form.get('file') as File).arrayBuffer());
}
