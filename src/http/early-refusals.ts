/** Problem documents for what Node refuses before the framework sees a request. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { PackshotError } from '../errors.ts';
import { newId } from '../ids.ts';
import { toProblem } from './problem.ts';

/** A head that is no HTTP, is too large, or never ends. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { head, body } = describe(toRefusal(error));
  const lines = Object.entries(head.headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${head.status} ${STATUS_CODES[head.status]}`, ...lines, '', body].join('\r\n'));
}

function toRefusal(error: Error & { code?: string }): PackshotError {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new PackshotError('upload_timeout', 'The request did not arrive in time.', { cause: error });
    case 'HPE_HEADER_OVERFLOW':
      return new PackshotError('headers_too_large', 'The headers are larger than 16 KiB together.', {
        cause: error,
      });
    default:
      return new PackshotError('invalid_field', 'This is not a well-formed HTTP request.', { cause: error });
  }
}

/** Of an Expect header other than `100-continue` (RFC 9110, 10.1.1). */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const refusal = new PackshotError(
    'expectation_failed',
    'Leave the Expect header out, or send 100-continue.',
  );
  const { head, body } = describe(refusal);
  response.writeHead(head.status, head.headers).end(body);
}

function describe(problem: PackshotError) {
  const requestId = newId('req');
  const body = JSON.stringify(toProblem(problem, requestId));
  const headers = {
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
  };
  return { head: { status: problem.status, headers }, body };
}
