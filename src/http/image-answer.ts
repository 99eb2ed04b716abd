/** Sends a picture with its ETag, timings and warnings in the headers. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StepTiming } from 'packshot-pixels';
import { z } from 'zod';

export interface ImageAnswer {
  /** Null if the caller already has the picture, for a 304 response. */
  readonly bytes: Uint8Array | null;
  readonly contentType: string;
  readonly etag: string;
  readonly timings: readonly StepTiming[];
  readonly warnings: readonly { readonly code: string; readonly detail: string }[];
}

/**
 * For the API document: a response whose body is a file. The description is a placeholder, which `document-operations`
 * replaces with the text `answers` of the operation's notes.
 */
export const fileAnswer = (contentType: string) => ({
  description: 'The file.',
  content: { [contentType]: { schema: z.any().meta({ type: 'string', format: 'binary' }) } },
});

/** Caches must not share pictures between users, and must revalidate them, because they may have been deleted. */
export const privateCache = 'private, no-cache';

export function sendImage(reply: FastifyReply, answer: ImageAnswer): FastifyReply {
  reply.header('etag', answer.etag);
  reply.header('cache-control', privateCache);
  // An empty header value would be invalid (RFC 9110, 5.6.1).
  if (answer.timings.length > 0) reply.header('server-timing', toServerTiming(answer.timings));
  if (answer.warnings.length > 0) {
    // A list of tokens with a parameter (RFC 9651).
    const notices = answer.warnings.map(({ code, detail }) => `${code};detail="${detail}"`);
    reply.header('x-packshot-notice', notices.join(', '));
  }
  if (answer.bytes === null) return reply.status(304).send();
  return reply.type(answer.contentType).send(toBuffer(answer.bytes));
}

/**
 * Whether the caller of a GET already has the picture. `*` in `If-None-Match` matches any picture (RFC 9110, 13.1.2).
 */
export function holdsPicture(request: FastifyRequest, etag: string): boolean {
  return request.headers['if-none-match']?.trim() === '*' || knownEtags(request).includes(etag);
}

/**
 * The ETags in `If-None-Match`. `*` is left out: it stands for any picture that already exists, but a call that renders
 * has yet to make its picture.
 */
export function knownEtags(request: FastifyRequest): string[] {
  return request.headers['if-none-match']?.match(/"[^"]*"/g) ?? [];
}

/** Returns a `Buffer` that shares the memory of `bytes`. */
export const toBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export function toServerTiming(timings: readonly StepTiming[]): string {
  return timings.map(({ step, durationMs }) => `${step};dur=${durationMs.toFixed(1)}`).join(', ');
}
