/** Reads JSON bodies regardless of Content-Type: `curl -d` sends the type of a form, and some clients send none. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PackshotError } from 'packshot-errors';
import { createJsonSink, type JsonRules, plainJson, type SentJson } from './body/json-sink.ts';
import { receiveInto } from './body/receive-body.ts';
import type { Server } from './dependencies.ts';
import type { LeastRate } from './least-rate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Content-Type as the caller sent it; empty if the caller sent none. */
    sentType: string;
  }
  interface FastifyContextConfig {
    /** Whether the handler itself reads the body, once it has a memory slot for it. */
    readsBody?: boolean;
    /** Limits on the route's JSON that differ from those of all others. */
    json?: Partial<JsonRules>;
  }
}

/** Lets a server read JSON bodies, and leaves the bodies of routes with `readsBody` and all forms to their handlers. */
export function addJsonBodies(server: Server, rate: LeastRate): void {
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
  server.addContentTypeParser('*', async (request: FastifyRequest) => {
    const { readsBody, json } = request.routeOptions.config;
    return readsBody ? undefined : (await receiveJson(request, rate, json)).value;
  });
}

/**
 * Reads a JSON body of at most the route's `bodyLimit`. Throws `body_too_large`, `malformed_json`, `upload_timeout`
 * and, if it may contain files, `file_too_large`.
 */
export async function receiveJson(
  request: FastifyRequest,
  rate: LeastRate,
  rules: Partial<JsonRules> = {},
): Promise<{ readonly value: unknown; readonly files: SentJson['files'] }> {
  const mostBytes = request.routeOptions.bodyLimit;
  const tooLarge = () => new PackshotError('body_too_large', `The body is larger than ${mostBytes} bytes.`);
  const sink = createJsonSink({ ...plainJson, mostBytes, ...rules });
  const { text: bytes, files } = await receiveInto(request, { mostBytes, rate, tooLarge }, sink);
  const text = readUtf8(bytes, 'body');
  const parse = request.server.getDefaultJsonParser('error', 'error');
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  parse(request, text, (error, value) => (error ? reject(malformed('body', text)) : resolve(value)));
  return { value: await promise, files };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

function readUtf8(bytes: Uint8Array, what: string): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new PackshotError('malformed_json', `The ${what} is not valid UTF-8.`, { cause });
  }
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
  if (/^(?:--\S|[\w.[\]%-]+=)/.test(text)) {
    return new PackshotError(
      'malformed_json',
      `The ${what} is a form; send JSON, such as {"name": "value"}.`,
    );
  }
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

/** Parses the JSON text of a form field. Throws `body_too_large` and `malformed_json`. */
export function parseJsonField(text: string, field: string, mostBytes: number): unknown {
  const what = `field "${field}"`;
  const sink = createJsonSink({ ...plainJson, mostBytes }, what);
  sink.push(Buffer.from(text));
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(what, text);
  }
}
