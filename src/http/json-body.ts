/** Reads JSON bodies whatever the Content-Type says: real clients send them with `curl -d` and none. */
import { PackshotError } from '../errors.ts';
import type { Server } from './rooms.ts';

/** Deep nesting is of no use to any body here and costs stack in whatever walks it. */
const maxDepth = 32;

export function addJsonBodies(server: Server, maxBytes: number): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  // Fastify answers 415 to a type that it cannot even read; what a body is called does not matter here.
  server.addHook('onRequest', async ({ headers }) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (hasBody && !headers['content-type']?.startsWith('multipart/'))
      headers['content-type'] = 'application/json';
    if (!hasBody) delete headers['content-type'];
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
      if (error) {
        done(new PackshotError('malformed_json', 'The body is not valid JSON.', { cause: error }));
      } else if (isDeeperThan(value, maxDepth)) {
        done(new PackshotError('malformed_json', `The body is nested deeper than ${maxDepth} levels.`));
      } else {
        done(null, value);
      }
    });
  });
}

/** The JSON text of a form's field. Throws `malformed_json`. */
export function parseJsonField(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new PackshotError('malformed_json', 'The field "batch" is not valid JSON.', { cause });
  }
  if (!isDeeperThan(value, maxDepth)) return value;
  throw new PackshotError('malformed_json', `The field "batch" is nested deeper than ${maxDepth} levels.`);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((entry) => isDeeperThan(entry, levels - 1));
}
