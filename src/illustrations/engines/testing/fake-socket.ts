/** A minimal WebSocket server for tests: handshake and text messages (RFC 6455). */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** RFC 6455, 1.3. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Sends a text message of up to 65,535 bytes. */
export type SendText = (text: string) => void;

export function acceptSocket(request: IncomingMessage, socket: Duplex): SendText {
  const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${GUID}`).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  // The client never sends anything but a close frame.
  socket.on('data', () => socket.destroy());
  socket.on('error', () => socket.destroy());
  return (text) => {
    const payload = Buffer.from(text);
    const head =
      payload.length < 126
        ? Buffer.from([0x81, payload.length])
        : Buffer.from([0x81, 126, payload.length >> 8, payload.length & 255]);
    if (!socket.destroyed) socket.write(Buffer.concat([head, payload]));
  };
}
