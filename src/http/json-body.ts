/** Reads JSON bodies regardless of Content-Type: `curl -d` sends the type of a form, and some clients send none. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PackshotError } from '../errors.ts';
import type { Server } from './dependencies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Content-Type as the caller sent it; empty if the caller sent none. */
    sentType: string;
  }
}

/**
 * Maximum nesting of a body. Valid bodies have few levels, and recursion over a deeply nested body could exhaust the
 * stack.
 */
const maxDepth = 32;

export function addJsonBodies(server: Server, maxBytes: number): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  // Replaces the Content-Type, because Fastify would respond with 415 to a malformed one, although the type does not
  // matter here.
  server.decorateRequest('sentType', '');
  server.addHook('onRequest', async (request) => {
    const { headers } = request;
    request.sentType = headers['content-type'] ?? '';
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (!hasBody) delete headers['content-type'];
    else headers['content-type'] = toReadableType(headers['content-type']);
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (request, body, done) => {
    let text: string;
    try {
      text = utf8.decode(body as Buffer);
    } catch (cause) {
      done(new PackshotError('malformed_json', 'The body is not valid UTF-8.', { cause }));
      return;
    }
    parse(request, text, (error, value) => {
      const fault = error ? malformed('body', text) : findDepthFault('body', value);
      if (fault) done(fault);
      else done(null, value);
    });
  });
}

/** Normalizes a Content-Type. The type is case-insensitive (RFC 9110, 8.3.1), but its boundary parameter is not. */
function toReadableType(type = ''): string {
  const [name = '', ...parameters] = type.split(';');
  const isForm = name.trim().toLowerCase().startsWith('multipart/');
  return isForm ? [name.trim().toLowerCase(), ...parameters].join(';') : 'application/json';
}

/** Refuses compressed bodies, whose decompressed size would be unknown. */
export async function refuseEncodedBodies({ headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return;
  // A 415 response lists the accepted encodings (RFC 9110, 15.5.16).
  reply.header('accept-encoding', 'identity');
  throw new PackshotError(
    'unsupported_encoding',
    'Compressed bodies are not accepted: send the body as it is, without Content-Encoding.',
  );
}

/**
 * Explains why a body was refused. If its JSON is invalid, includes the position of the fault if the parser gives one.
 * If its JSON is valid, a forbidden field name was the reason.
 */
function malformed(what: string, text: string): PackshotError {
  try {
    JSON.parse(text);
  } catch (cause) {
    return new PackshotError(
      'malformed_json',
      `The ${what} is not valid JSON${findFault(text, String(cause))}.`,
      { cause },
    );
  }
  return new PackshotError(
    'malformed_json',
    `The ${what} has a field named "__proto__" or "constructor", which is never accepted.`,
  );
}

function findFault(text: string, words: string): string {
  const [, token] = /Unexpected token '(.)'/u.exec(words) ?? [];
  if (token) return `: "${token}" is not expected`;
  const [, position] = /at position (\d+)/.exec(words) ?? [];
  if (position === undefined) return words.includes('end of JSON') ? ': it breaks off' : '';
  const before = text.slice(0, Number(position)).split('\n');
  return ` at line ${before.length}, column ${before.at(-1)!.length + 1}`;
}

/** Parses the JSON text of a form field. Throws `malformed_json`. */
export function parseJsonField(text: string, field: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed(`field "${field}"`, text);
  }
  const fault = findDepthFault(`field "${field}"`, value);
  if (fault) throw fault;
  return value;
}

function findDepthFault(what: string, value: unknown): PackshotError | undefined {
  if (!isDeeperThan(value, maxDepth)) return undefined;
  return new PackshotError('malformed_json', `The ${what} is nested deeper than ${maxDepth} levels.`);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((entry) => isDeeperThan(entry, levels - 1));
}
