/** Validates requests, and describes what is wrong with each invalid field. */
import type { FastifySchemaCompiler } from 'fastify';
import { type ErrorCode, type FieldError, PackshotError } from 'packshot-errors';
import type { z } from 'zod';
import { leaveOut, listKnownFields } from './body-schema.ts';
import { cut } from './echo.ts';

/**
 * Maximum number of errors listed in a response. A body of 256 KB can contain 40,000 unknown fields; a list of all
 * would not be useful.
 */
const maxFieldErrors = 100;

export const validateFields: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (data) =>
    validate(schema, data, partOf(httpPart));

/** Validates a body that the framework does not validate. Throws one error that lists all invalid fields. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, data: unknown): z.output<Schema> {
  const { value, error } = validate(schema, data ?? undefined, undefined);
  if (error) throw error;
  return value!;
}

function validate<Schema extends z.ZodType>(
  schema: Schema,
  sent: unknown,
  part: Checked['part'],
): { readonly value?: z.output<Schema>; readonly error?: PackshotError } {
  const data = leaveOut(schema, sent);
  const result = schema.safeParse(data);
  if (result.success) return { value: result.data };
  return { error: toFieldsError(result.error.issues, { schema, data, part }) };
}

interface Checked {
  readonly schema: z.ZodType;
  readonly data: unknown;
  readonly part: FieldError['in'];
}

/** Returns the part of the request for error messages; undefined for the body. */
function partOf(httpPart: string | undefined): Checked['part'] {
  if (httpPart === 'querystring') return 'query';
  return httpPart === 'params' ? 'path' : undefined;
}

function toFieldsError(issues: readonly z.core.$ZodIssue[], checked: Checked): PackshotError {
  const { part } = checked;
  if (part === 'path' && issues.some(({ code }) => code === 'too_big')) {
    return new PackshotError('unknown_path', 'A segment of the path is longer than any valid name.');
  }
  if (!part && issues.some(({ path, code }) => path.length === 0 && code === 'invalid_type')) {
    return new PackshotError('malformed_json', 'The body must be a JSON object.');
  }
  const fields = issues.slice(0, maxFieldErrors).flatMap((issue) => toFieldErrors(issue, checked));
  const total = issues.reduce((sum, issue) => sum + ('keys' in issue ? issue.keys.length : 1), 0);
  const first = fields[0]!;
  const rest = total > 1 ? ` (and ${total - 1} more)` : '';
  const where = part ? `${part} parameter ${first.pointer.slice(1)}` : first.pointer || '/';
  return new PackshotError(first.code, `${where}: ${first.detail}${rest}`, {
    fields: fields.slice(0, maxFieldErrors),
  });
}

function toFieldErrors(issue: z.core.$ZodIssue, { schema, data, part }: Checked): FieldError[] {
  const place = part && { in: part };
  if (issue.code === 'unrecognized_keys') {
    const known = listKnownFields(schema, issue.path).join(', ');
    return issue.keys.slice(0, maxFieldErrors).map((key) => ({
      ...place,
      pointer: toPointer([...issue.path, key]),
      code: 'unknown_field',
      detail: `Unknown field. Known fields: ${known}.`,
    }));
  }
  const missing = (valueAt(data, issue.path) ?? undefined) === undefined;
  return [
    {
      ...place,
      pointer: toPointer(issue.path),
      code: missing ? 'missing_field' : 'invalid_field',
      detail: missing ? 'This field is required.' : issue.message,
    },
  ];
}

/** Creates an error for a rule that is not in the schemas, such as a configured limit. */
export function fieldError(
  pointer: string,
  detail: string,
  code: ErrorCode = 'invalid_field',
): PackshotError {
  return new PackshotError(code, `${pointer}: ${detail}`, { fields: [{ pointer, code, detail }] });
}

function toPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${cut(String(key)).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  let value = data;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
