/**
 * Two rules of request schemas: those extended by `acceptEchoes` accept and ignore fields of our own responses, and
 * `null` means that an optional field is omitted. An empty array is taken for an empty object, because PHP encodes both
 * alike.
 */
import { z } from 'zod';

/** Schema of an ignored field. There is only this instance, so that it can be recognized by identity. */
const echo = z.unknown().optional().describe('Accepted because our responses contain it; has no effect.');

/**
 * Extends a request schema so that it also accepts, at every level, fields that only our responses define. `leaveOut`
 * removes these fields before validation, so the parsed type stays the same.
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

/**
 * Returns the data without ignored fields, and without optional fields that are `null`: serializers of typed clients
 * write omitted fields as `null`.
 */
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
    const isEmptyObject = Array.isArray(value) && value.length === 0 && shapeOf(field) !== undefined;
    return [[key, leaveOut(field, isEmptyObject ? {} : value)]];
  });
  return Object.fromEntries(kept);
}

/** Whether `null` in this field means that the field is omitted: it is optional, and `null` is not a valid value. */
function isLeftOutByNull(field: z.ZodType): boolean {
  return field.isOptional() && !field.isNullable();
}

/** Names of the fields at a path, without those that are ignored. Empty if there is no object at the path. */
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
