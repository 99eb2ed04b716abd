/** What the adapters of engines have in common. */
import { createHash } from 'node:crypto';
import { sniffFormat } from 'packshot-photos';
import { RemoteFailure } from '../../remote/remote-failure.ts';
import type { IllustrationRequest, Scaffold } from '../painting/illustration-engine.ts';

/** The part of an engine's version that changes with its settings. `settings` must contain no secret. */
export function hashSettings(settings: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 12);
}

export function requireScaffold({ scaffold }: IllustrationRequest): Scaffold {
  if (scaffold) return scaffold;
  throw new RemoteFailure('refused', 'An edit needs a picture and a mask, but the request has none.');
}

/**
 * Checks the magic bytes of a response: only picture files are passed on to a worker, which decodes them. Throws a
 * `RemoteFailure` with reason `broken` unless the bytes are PNG, JPEG, WebP or AVIF.
 */
export function checkPicture(bytes: Uint8Array): Uint8Array {
  if (!['png', 'jpeg', 'webp', 'avif'].includes(findFormat(bytes)))
    throw new RemoteFailure(
      'broken',
      'The illustration server returned a file that is not PNG, JPEG, WebP or AVIF.',
      { cause: new Error(`${bytes.length} bytes, ${findFormat(bytes)}`) },
    );
  return bytes;
}

function findFormat(bytes: Uint8Array): string {
  try {
    return sniffFormat(bytes);
  } catch {
    // All formats that `sniffFormat` rejects are refused in the same way.
    return 'unknown format';
  }
}
