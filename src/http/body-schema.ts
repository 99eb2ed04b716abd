/** Common rules of request schemas: fields from our own responses are accepted, and `null` means omitted. */
import { z } from 'zod';

/** A single instance, recognized by identity. */
const echo = z.unknown().optional().describe('Accepted because our responses contain it; has no effect.');

/**
 * Extends the request schema to also accept, at every level, the fields of our responses that it does not define.
 * `leaveOut` removes them before validation, so the parsed type stays the same.
 */
export function acceptEchoes<Request extends z.ZodObject>(
  request: Request,
  ...answers: readonly z.ZodType[]
): Request {
  const added: Record<string, z.ZodType> = {};
  for (const [key, emitted] of answers.flatMap((answer) => Object.entries(shapeOf(answer) ?? {}))) {
    const known = added[key] ?? request.shape[key];
    const field = known === undefined ? echo : acceptEchoesInside(known as z.ZodType, emitted);
    if (field !== known) added[key] = field;
  }
  if (Object.keys(added).length === 0) return request;
  const meta = request.meta();
  const extended = request.safeExtend(added);
  return (meta ? extended.meta(meta) : extended) as unknown as Request;
}

function acceptEchoesInside(field: z.ZodType, emitted: z.ZodType): z.ZodType {
  if (field instanceof z.ZodOptional) {
    const inner = field.unwrap() as z.ZodType;
    const extended = acceptEchoesInside(inner, emitted);
    return extended === inner ? field : extended.optional();
  }
  return field instanceof z.ZodObject ? acceptEchoes(field, emitted) : field;
}

/** The data without echoes and without optional fields that are `null`, as serializers of typed clients write them. */
export function leaveOut(schema: z.ZodType, data: unknown): unknown {
  const bare = unwrap(schema);
  if (bare instanceof z.ZodArray && Array.isArray(data)) {
    return data.map((item) => leaveOut(bare.element as z.ZodType, item));
  }
  const shape = shapeOf(bare);
  if (!shape || typeof data !== 'object' || data === null || Array.isArray(data)) return data;
  const kept = Object.entries(data).flatMap(([key, value]): [string, unknown][] => {
    const field = Object.hasOwn(shape, key) ? shape[key]! : undefined;
    if (!field) return [[key, value]];
    if (field === echo || (value === null && isLeftOutByNull(field))) return [];
    return [[key, leaveOut(field, value)]];
  });
  return Object.fromEntries(kept);
}

/** Whether the field is optional and cannot be `null`. */
function isLeftOutByNull(field: z.ZodType): boolean {
  return field.isOptional() && !field.isNullable();
}

/** Names of the fields that have an effect; empty if the path does not lead to an object. */
export function listKnownFields(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at: z.ZodType | undefined = unwrap(schema);
  for (const key of path) {
    if (at instanceof z.ZodArray) at = unwrap(at.element as z.ZodType);
    else at = at && unwrap(shapeOf(at)?.[String(key)]);
  }
  return Object.entries((at && shapeOf(at)) ?? {})
    .filter(([, field]) => field !== echo)
    .map(([key]) => key);
}

function shapeOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> | undefined {
  const bare = unwrap(schema);
  return bare instanceof z.ZodObject ? (bare.shape as Record<string, z.ZodType>) : undefined;
}

function unwrap(schema: z.ZodType): z.ZodType;
function unwrap(schema: z.ZodType | undefined): z.ZodType | undefined;
function unwrap(schema: z.ZodType | undefined): z.ZodType | undefined {
  let bare = schema;
  while (
    bare instanceof z.ZodOptional ||
    bare instanceof z.ZodDefault ||
    bare instanceof z.ZodNullable ||
    bare instanceof z.ZodReadonly
  ) {
    bare = bare.unwrap() as z.ZodType;
  }
  return bare;
}
