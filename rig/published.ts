/** The service's own OpenAPI document: its operations, and its schemas as validators. */
import { z } from 'zod';
import type { Schema } from './fuzz-bodies.ts';

interface Operation {
  readonly tags: readonly string[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> };
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema?: Schema }> }>;
}

export interface OpenApi {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, Schema> };
}

export function readOperations({ paths }: OpenApi) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags, requestBody, responses }]) => ({
      method: method.toUpperCase(),
      path,
      /** Whether error responses have the format of another service. */
      isForeign: tags.includes('Drop-in interfaces'),
      /** Schema of the JSON body. */
      body: requestBody?.content['application/json']?.schema,
      /** The documented schema for the response's status and content type. */
      answerOf({ status, headers }: Response): Schema | undefined {
        const type = headers.get('content-type')?.split(';')[0] ?? '';
        return (responses[status] ?? responses.default)?.content?.[type]?.schema;
      },
    })),
  );
}

/** Returns a validator. It returns a description of what does not match the schema, or undefined if everything does. */
export function compileSchema(
  schema: Schema,
  { components }: OpenApi,
): (value: unknown) => string | undefined {
  // The validator resolves references only within one document.
  const local = (part: unknown): unknown =>
    JSON.parse(JSON.stringify(part).replaceAll('#/components/schemas/', '#/$defs/'));
  const whole = { ...(local(schema) as object), $defs: local(components.schemas) };
  const checked = z.fromJSONSchema(whole as Parameters<typeof z.fromJSONSchema>[0]);
  return (value) => {
    const { error } = checked.safeParse(value);
    return error && `does not fit its schema: ${z.prettifyError(error)}`;
  };
}
