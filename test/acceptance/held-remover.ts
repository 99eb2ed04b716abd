/**
 * A removal service that responds when the test says so, so that the order of cutouts does not depend on the
 * machine's speed.
 */
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

export interface HeldRemover {
  /** Settings for services and commands that use it. */
  readonly environment: Record<string, string>;
  /** Number of photos received so far. */
  countAsked(): number;
  /** Resolves once this many photos have been received in total; their cutouts are then in progress. */
  asked(photos: number): Promise<void>;
  /** Responds to this many received or future photos; all by default. */
  release(photos?: number): void;
  close(): void;
}

/** Width by which the picture that the engine sends at startup is recognized; no test photo may have this width. */
const cardSidePx = 128;

export async function holdRemover({ holdsStart = false } = {}): Promise<HeldRemover> {
  const changes = new EventEmitter().setMaxListeners(0);
  let asked = 0;
  let released = 0;
  const server = createServer(async (request, response) => {
    const photo = await readPhoto(request).catch((error: unknown) => {
      // The calling process may have been killed while it sent the photo.
      if (request.complete) throw error;
    });
    if (!photo) return;
    const { width } = await sharp(photo).metadata();
    const isStart = width === cardSidePx;
    if (!isStart || holdsStart) {
      const turn = ++asked;
      changes.emit('change');
      while (turn > released) await once(changes, 'change');
    }
    const mask = await sharp(photo).greyscale().threshold(150).negate().toColourspace('b-w').png().toBuffer();
    // The calling process may have been killed in the meantime.
    if (!response.destroyed) response.writeHead(200, { 'content-type': 'image/png' }).end(mask);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    environment: {
      REMOVAL_ENGINE: 'http',
      REMOVAL_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      // The maximum timeout, so that a held call is not retried.
      REMOVAL_TIMEOUT_MS: '28000',
    },
    countAsked: () => asked,
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
