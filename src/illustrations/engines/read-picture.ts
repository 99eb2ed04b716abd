/** Checks the magic bytes of an engine's response: only picture files are passed on to a worker, which decodes them. */
import { sniffFormat } from '../../designs/sniff-format.ts';
import { RemoteFailure } from '../../remote/remote-failure.ts';

/** Throws a `RemoteFailure` with reason `broken` unless the bytes are PNG, JPEG, WebP or AVIF. */
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
