/** Responses to requests that Node's HTTP server rejects by itself, without the framework. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { PackshotError } from 'packshot-errors';
import { newId } from '../ids.ts';
import { corsHeaders, type Dialect, type DialectFinder } from './dialects/dialect.ts';
import { describeProblem } from './problem.ts';

/** Maximum characters that are searched for the path; longer than any of our paths. */
const longestPath = 512;

/** Responds to a request that is malformed, has headers that are too large, or does not arrive completely in time. */
export function answerClientError(
  error: Error & { code?: string; rawPacket?: unknown },
  socket: Socket,
  findDialect: DialectFinder,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { head, body } = describe(toRefusal(error), findDialect(findPath(error.rawPacket)));
  const lines = Object.entries(head.headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${head.status} ${STATUS_CODES[head.status]}`, ...lines, '', body].join('\r\n'));
}

/** The path in the request line, if the rejected packet starts with one. */
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

/** Responds to an Expect header other than `100-continue` (RFC 9110, 10.1.1). */
export function answerExpectation(
  request: IncomingMessage,
  response: ServerResponse,
  findDialect: DialectFinder,
): void {
  const refusal = new PackshotError(
    'expectation_failed',
    'Leave the Expect header out, or send 100-continue.',
  );
  const { head, body } = describe(refusal, findDialect(request.url ?? ''));
  response.writeHead(head.status, head.headers).end(body);
}

function describe(problem: PackshotError, dialect: Dialect | undefined) {
  const requestId = newId('req');
  const { status, contentType, body } = describeProblem(problem, requestId, dialect);
  const headers = {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    ...(dialect && corsHeaders),
    connection: 'close',
  };
  return { head: { status, headers }, body };
}
