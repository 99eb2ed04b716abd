/** Generates values that match a JSON Schema, and changes values so that they may violate it. */
import * as fc from 'fast-check';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

type Schemas = Readonly<Record<string, Schema>>;
type Favourites = Readonly<Record<string, readonly unknown[]>>;

/** Maximum items of an array; more would only make the bodies longer. */
const mostItems = 3;
const longestText = 200;

export function makeArbitrary(
  schema: Schema,
  schemas: Schemas,
  favourites: Favourites,
  name = '',
): fc.Arbitrary<unknown> {
  const of = (part: Schema, partName = name) => makeArbitrary(part, schemas, favourites, partName);
  if (schema.$ref) return of(schemas[schema.$ref.split('/').at(-1)!]!);
  const known = favourites[name];
  if (known && schema.type === 'string') return fc.constantFrom(...known);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => of(choice)));
  switch (schema.type) {
    case 'object': {
      const parts = Object.entries(schema.properties ?? {}).map(
        ([key, part]) => [key, of(part, key)] as const,
      );
      return fc.record(Object.fromEntries(parts), {
        requiredKeys: [...(schema.required ?? [])],
        noNullPrototype: true,
      });
    }
    case 'array':
      return fc.array(of(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? mostItems, mostItems),
      });
    case 'string':
      if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern));
      return fc.string({
        minLength: schema.minLength ?? 0,
        maxLength: Math.min(schema.maxLength ?? longestText, longestText),
        unit: 'binary',
      });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true });
    case 'integer':
      return fc.integer({
        min: Math.max(schema.minimum ?? -1e6, -(2 ** 31)),
        max: Math.min(schema.maximum ?? 1e6, 2 ** 31 - 1),
      });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Bodies that differ from `body` in one value, which is removed, replaced or added. */
export function spoil(body: unknown): fc.Arbitrary<unknown> {
  const places = listPlaces(body);
  const harm = fc.oneof(
    fc.constant({ kind: 'remove' as const }),
    fc.record({ kind: fc.constant('replace' as const), value: fc.jsonValue({ maxDepth: 3 }) }),
    fc.record({
      kind: fc.constant('add' as const),
      name: fc.string({ maxLength: 12 }),
      value: fc.jsonValue({ maxDepth: 1 }),
    }),
  );
  return fc.tuple(fc.constantFrom(...places), harm).map(([place, what]) => {
    const copy = { root: structuredClone(body) } as Record<string, unknown>;
    const [last, ...above] = ['root', ...place].reverse();
    const parent = above
      .reverse()
      .reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, copy);
    if (what.kind === 'remove') delete parent[last!];
    else if (what.kind === 'replace') parent[last!] = what.value;
    else if (isContainer(parent[last!])) (parent[last!] as Record<string, unknown>)[what.name] = what.value;
    // Removing the root would leave no body.
    return copy.root ?? null;
  });
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

function listPlaces(value: unknown): string[][] {
  if (!isContainer(value)) return [[]];
  const below = Object.entries(value).flatMap(([key, part]) =>
    listPlaces(part).map((place) => [key, ...place]),
  );
  return [[], ...below];
}
