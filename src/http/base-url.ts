/** Base of the URLs in a response: as the operator set it, or as the caller used it. */
import type { FastifyRequest } from 'fastify';
import { PackshotError } from 'packshot-errors';

/** Throws `invalid_field` if it would begin with a Host header that is no host. */
export function baseOf({ protocol, host }: FastifyRequest, publicUrl: string | undefined): string {
  const url = publicUrl ?? `${protocol}://${host}`;
  if (URL.canParse(url)) return url;
  throw new PackshotError('invalid_field', 'The Host header is not a host name with an optional port.');
}
