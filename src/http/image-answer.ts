/** Sends a picture, with validators, timings and warnings in the headers. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StepTiming } from '../step-clock.ts';

export interface ImageAnswer {
  /** Null for a 304. */
  readonly bytes: Uint8Array | null;
  readonly contentType: string;
  readonly etag: string;
  readonly timings: readonly StepTiming[];
  readonly warnings: readonly { readonly code: string; readonly detail: string }[];
}

/** Pictures are private, and must be revalidated, since they may have been deleted. */
export const privateCache = 'private, no-cache';

export function sendImage(reply: FastifyReply, answer: ImageAnswer): FastifyReply {
  reply.header('etag', answer.etag);
  reply.header('cache-control', privateCache);
  // An empty list is no valid value (RFC 9110, 5.6.1).
  if (answer.timings.length > 0) reply.header('server-timing', toServerTiming(answer.timings));
  if (answer.warnings.length > 0) {
    // RFC 7234, section 5.5: code 299 is a miscellaneous persistent warning.
    reply.header(
      'warning',
      answer.warnings.map(({ code, detail }) => `299 packshot "${code}: ${detail}"`).join(', '),
    );
  }
  if (answer.bytes === null) return reply.status(304).send();
  return reply
    .type(answer.contentType)
    .send(Buffer.from(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.byteLength));
}

/** Whether the caller of a GET has the picture: `*` matches any current one (RFC 9110, 13.1.2). */
export function holdsPicture(request: FastifyRequest, etag: string): boolean {
  return request.headers['if-none-match']?.trim() === '*' || knownEtags(request).includes(etag);
}

/** The strong ETags of `If-None-Match`, without `*`, which cannot match a picture not yet rendered. */
export function knownEtags(request: FastifyRequest): string[] {
  return request.headers['if-none-match']?.match(/"[^"]*"/g) ?? [];
}

function toServerTiming(timings: readonly StepTiming[]): string {
  return timings.map(({ step, durationMs }) => `${step};dur=${durationMs.toFixed(1)}`).join(', ');
}
