/** Answers to what Node refuses before the framework sees a request. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { corsHeaders } from '../dialects/dialect.ts';
import { findDialect } from '../dialects/find-dialect.ts';
import { PackshotError } from '../errors.ts';
import { newId } from '../ids.ts';
import { toProblem } from './problem.ts';

/** More than any path of ours has. */
const longestPath = 512;

/** A head that is no HTTP, is too large, or never ends. */
export function answerClientError(
  error: Error & { code?: string; rawPacket?: unknown },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { head, body } = describe(toRefusal(error), findPath(error.rawPacket));
  const lines = Object.entries(head.headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${head.status} ${STATUS_CODES[head.status]}`, ...lines, '', body].join('\r\n'));
}

/** Of the request line, where what was refused begins with one. */
function findPath(packet: unknown): string {
  const start = Buffer.isBuffer(packet) ? packet.subarray(0, longestPath).toString('latin1') : '';
  return /^[A-Z]+ (\/\S*)/.exec(start)?.[1] ?? '';
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
export function answerExpectation(request: IncomingMessage, response: ServerResponse): void {
  const refusal = new PackshotError(
    'expectation_failed',
    'Leave the Expect header out, or send 100-continue.',
  );
  const { head, body } = describe(refusal, request.url ?? '');
  response.writeHead(head.status, head.headers).end(body);
}

function describe(problem: PackshotError, url: string) {
  const requestId = newId('req');
  const dialect = findDialect(url);
  const { status, contentType, body } = dialect?.describeFailure(problem) ?? {
    status: problem.status,
    contentType: 'application/problem+json',
    body: JSON.stringify(toProblem(problem, requestId)),
  };
  const headers = {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    ...(dialect && corsHeaders),
    connection: 'close',
  };
  return { head: { status, headers }, body };
}
