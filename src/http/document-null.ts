/**
 * Documents that an optional field of a JSON body may be `null`, which means that it is left out (see `body-schema`), so
 * that typed clients made from the document can know.
 */

// biome-ignore lint/suspicious/noExplicitAny: the generated document has no static type; the tests ask the service.
type Node = any;

export function acceptNull({ paths, components: { schemas } }: Node): void {
  const visited = new Set<Node>();

  function visit(schema: Node): void {
    if (schema.$ref) visit(schemas[schema.$ref.split('/').at(-1)]);
    if (visited.has(schema)) return;
    visited.add(schema);
    for (const [name, field] of Object.entries<Node>(schema.properties ?? {})) {
      visit(field);
      if (!schema.required?.includes(name)) schema.properties[name] = orNull(field);
    }
    if (schema.items) visit(schema.items);
  }

  for (const operation of Object.values<Node>(paths).flatMap((methods) => Object.values<Node>(methods))) {
    const body = operation.requestBody?.content['application/json'];
    if (body) visit(body.schema);
  }
}

function orNull(schema: Node): Node {
  const { type, enum: values, anyOf } = schema;
  if (type === undefined && anyOf) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  if (type === undefined && !schema.$ref) return schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }) };
}
