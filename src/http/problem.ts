/**
 * The only place that maps errors to responses: RFC 9457 problems or, in a dialect (an interface that imitates another
 * service's API, such as remove.bg's), that service's own format. Responses reveal no internals.
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, errorTable, PackshotError } from 'packshot-errors';
import { z } from 'zod';
import { optional } from '../optional.ts';
import { corsHeaders, type Dialect } from './dialects/dialect.ts';

export const problemSchema = z
  .object({
    type: z.string().describe('`urn:packshot:error:` and the code.'),
    title: z.string().describe('The same for every occurrence of the code.'),
    status: z.int().describe('The HTTP status.'),
    detail: z.string().describe('What failed here and what would work.'),
    code: z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]]),
    requestId: z.string().describe('Quote it when you ask for help; also in `X-Request-Id`.'),
    errors: optional(
      z.array(
        z.object({
          in: optional(
            z.enum(['query', 'path', 'header']),
            'The part of the request that contains the field; default: the body.',
          ),
          pointer: z
            .string()
            .describe('JSON Pointer (RFC 6901): `/` and the name of a parameter, or a path into the body.'),
          code: z.string(),
          detail: z.string(),
        }),
      ),
      'One entry for each invalid field.',
    ),
  })
  .meta({
    id: 'Problem',
    description: 'The format of every error (RFC 9457), except in the drop-in interfaces and `/mcp`.',
  });

export function toProblem(error: PackshotError, requestId: string): z.infer<typeof problemSchema> {
  return {
    type: `urn:packshot:error:${error.code}`,
    title: errorTable[error.code].title,
    status: error.status,
    detail: error.message,
    code: error.code,
    requestId,
    ...(error.fields && { errors: [...error.fields] }),
  };
}

/** Writes an error in the format of the interface that was called; without a dialect, as an RFC 9457 problem. */
export const describeProblem = (error: PackshotError, requestId: string, dialect: Dialect | undefined) =>
  dialect?.describeFailure(error) ?? {
    status: error.status,
    contentType: 'application/problem+json',
    body: JSON.stringify(toProblem(error, requestId)),
  };

export function sendProblem(thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const dialect = request.server.findDialect?.(request.url);
  const error = noteFailure(thrown, request, reply);
  if (dialect) reply.headers(corsHeaders);
  const { status, contentType, body } = describeProblem(error, request.id, dialect);
  // Send a string, so that the response schema of the route is not applied.
  reply.status(status).type(contentType).send(body);
}

/** Maps a thrown error, records it for the log, and sets the headers common to all error responses. */
export function noteFailure(
  thrown: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): PackshotError {
  const error =
    thrown.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
      ? new PackshotError(
          'body_too_large',
          `The body is larger than ${request.routeOptions.bodyLimit} bytes.`,
          { cause: thrown },
        )
      : toPackshotError(thrown);
  request.failure = { code: error.code, cause: thrown };
  // Set here, too, because a malformed URL is refused before any hook runs.
  reply.header('x-request-id', request.id);
  // Do not wait for the rest of a body that is too slow (RFC 9110, 15.5.9).
  if (error.code === 'upload_timeout') reply.header('connection', 'close');
  if (error.retryAfterS !== undefined) reply.header('retry-after', error.retryAfterS);
  return error;
}

/** Errors of the framework by their code, with our code and message. */
const frameworkErrors: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_INVALID_JSON_BODY: ['malformed_json', 'The body is not valid JSON.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['malformed_json', 'The body is empty; send a JSON object.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed_json', 'The body is not as long as Content-Length says.'],
  FST_ERR_MAX_PARAM_LENGTH: ['unknown_path', 'A part of the path is longer than any id or name here.'],
  FST_ERR_BAD_URL: ['unknown_path', 'The path is not a valid URL path.'],
  FST_PARTS_LIMIT: ['invalid_field', 'The form has too many parts.'],
  FST_FILES_LIMIT: ['invalid_field', 'The form has too many files.'],
  FST_FIELDS_LIMIT: ['invalid_field', 'The form has too many fields.'],
  FST_PROTO_VIOLATION: [
    'invalid_field',
    'The form has a field with a name that is never accepted, such as "__proto__".',
  ],
};

function toPackshotError(error: FastifyError): PackshotError {
  if (error instanceof PackshotError) return error;
  const known = frameworkErrors[error.code];
  if (known) return new PackshotError(known[0], known[1], { cause: error });
  // Any other 4xx error of the framework means that the request is malformed.
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
    return new PackshotError('invalid_field', 'The request is not well-formed.', { cause: error });
  }
  return new PackshotError('internal', 'The request could not be completed. The error has been logged.', {
    cause: error,
  });
}
