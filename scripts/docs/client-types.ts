/**
 * Generates the TypeScript client's types from the schemas of requests and responses in openapi.json. `--check` only
 * compares. An unknown keyword in a schema is an error, so that no type is looser than its schema.
 */
import { readFile, writeFile } from 'node:fs/promises';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
  readonly readOnly?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

const known = new Set([
  ...['$ref', 'type', 'enum', 'const', 'anyOf', 'oneOf', 'items', 'properties', 'required', 'propertyNames'],
  ...['additionalProperties', 'description', 'readOnly', 'minimum', 'maximum', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'pattern', 'format', 'default', 'exclusiveMinimum'],
]);

const root = new URL('../../', import.meta.url);
const target = 'clients/typescript/src/api-types.ts';
const reference = '#/components/schemas/';

const document = JSON.parse(await readFile(new URL('openapi.json', root), 'utf8'));
const schemas: Readonly<Record<string, Schema>> = document.components.schemas;
const text = `/** Made by scripts/docs/client-types.ts from openapi.json: what the service is sent and what it answers. */
// biome-ignore-all format: the script's own.

${findUsedNames(listOwnOperations())
  .map((name) => `${comment(schemas[name]!, '')}export type ${name} = ${typeOf(schemas[name]!, '')};`)
  .join('\n\n')}
`;

const file = new URL(target, root);
if (!process.argv.includes('--check')) {
  await writeFile(file, text);
  console.log(`wrote ${target}`);
} else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
  console.error(`${target} is out of date; run node scripts/docs/client-types.ts`);
  process.exitCode = 1;
}

/** Lists the operations without those of other services' interfaces, which have their own clients. */
function listOwnOperations(): unknown[] {
  const methods = Object.values<Record<string, { readonly tags: readonly string[] }>>(document.paths);
  return methods.flatMap(Object.values).filter(({ tags }) => !tags.includes('Drop-in interfaces'));
}

/** Names of the schemas that the paths use, directly or indirectly. */
function findUsedNames(paths: unknown): string[] {
  const used = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === '$ref' && typeof value === 'string' && !value.startsWith(reference)) continue;
      if (key !== '$ref' || typeof value !== 'string' || used.has(nameOf(value))) visit(value);
      else {
        used.add(nameOf(value));
        visit(schemas[nameOf(value)]);
      }
    }
  };
  visit(paths);
  return [...used].sort();
}

function nameOf(ref: string): string {
  if (!ref.startsWith(reference)) throw new Error(`${ref} leads elsewhere`);
  return ref.slice(reference.length);
}

function typeOf(schema: Schema, indent: string): string {
  for (const key of Object.keys(schema))
    if (!known.has(key)) throw new Error(`the keyword ${key} is not known`);
  // A choice of required fields is not a separate type.
  const either = (schema.anyOf ?? schema.oneOf)?.filter((one) => Object.keys(one).join() !== 'required');
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return wrap(schema.enum.map(literal), indent);
  if (either?.length) return either.map((one) => typeOf(one, indent)).join(' | ');
  if (typeof schema.type === 'object') {
    return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(' | ');
  }
  switch (schema.type) {
    case 'object':
      return objectType(schema, indent);
    case 'array': {
      const item = typeOf(schema.items ?? {}, indent);
      return `readonly ${/[|\n]|^readonly /.test(item) && !item.startsWith('{') ? `(${item})` : item}[]`;
    }
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case undefined:
      return 'unknown';
    default:
      throw new Error(`the type ${schema.type} is not known`);
  }
}

function objectType(schema: Schema, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const optional = !schema.required?.includes(name);
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
    const type = typeOf(field, inner);
    return `${comment(field, inner)}${inner}readonly ${key}${optional ? '?' : ''}: ${type}${optional ? ' | undefined' : ''};`;
  });
  if (fields.length > 0) return `{\n${fields.join('\n')}\n${indent}}`;
  const rest = schema.additionalProperties;
  return typeof rest === 'object'
    ? `Readonly<Record<string, ${typeOf(rest, indent)}>>`
    : 'Record<string, never>';
}

/** Joins the options of a union type: on one line if they fit, else one per line. */
function wrap(options: readonly string[], indent: string): string {
  const line = options.join(' | ');
  return line.length < 80 ? line : options.map((option) => `\n${indent}  | ${option}`).join('');
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);
}

function comment(schema: Schema, indent: string): string {
  const limits =
    schema.maxLength === undefined ? '' : `At most ${schema.maxLength.toLocaleString('en')} characters.`;
  const words = [schema.description, limits].filter(Boolean).join(' ');
  return words ? `${indent}/** ${words.replaceAll('*/', '*\\/')} */\n` : '';
}
