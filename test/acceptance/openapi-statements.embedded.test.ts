/**
 * Asks a running service whether openapi.json is true: what it says about the fields of each JSON body, and about the
 * headers and contents of responses.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type PictureServer, servePictures } from './picture-server.ts';
import { cratePhoto, jsonOf, type Problem, type Service, startService, white } from './service.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
}
interface Answer {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, Answer>>;
}
type Json = Record<string, unknown>;
type Path = readonly (string | number)[];

let service: Service;
let pictures: PictureServer;
let id: string;
let document: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
};
beforeAll(async () => {
  pictures = await servePictures({ '/photo.jpg': await cratePhoto() });
  service = await startService({
    URL_ALLOW: pictures.host,
    DRAW_AHEAD: 'off',
    MAX_WAITING_BATCH_ITEMS: '100000',
  });
  document = await jsonOf(service.call('/openapi.json', { key: null }));
  id = await service.upload(await cratePhoto());
  await service.call(`/v1/design/${id}?wait=true`);
});
afterAll(async () => {
  pictures.close();
  await service.stop();
});

const resolve = (schema: Schema): Schema =>
  schema.$ref ? resolve(document.components.schemas[schema.$ref.split('/').at(-1)!]!) : schema;
/** Without the alternative `null`. */
const bare = (schema: Schema): Schema => {
  const own = resolve(schema);
  const [only, ...others] = (own.anyOf ?? []).filter(({ type }) => type !== 'null');
  return only && others.length === 0 ? bare(only) : own;
};
const mayBeNull = (schema: Schema): boolean => {
  const { type, anyOf = [] } = resolve(schema);
  return [type].flat().includes('null') || anyOf.some(mayBeNull);
};
const isA = (schema: Schema, type: string): boolean => [schema.type].flat().includes(type);

/** A valid body of each operation, to which one thing at a time is done. */
const bodies = (): Record<string, { path: string; body: Json }> => ({
  uploadImageFromUrl: {
    path: '/v1/design/image-upload-from-url',
    body: { url: `${pictures.url}/photo.jpg` },
  },
  suggestRecipes: { path: '/v1/design/suggest', body: { id, recipePreset: 'AI_STUDIO' } },
  renderPreviewWebp: { path: '/v1/design/preview.webp', body: { id, ...white } },
  correctCutout: {
    path: `/v1/design/${id}/correct`,
    body: { boxes: [{ mode: 'keep', x: 100, y: 100, width: 9, height: 9 }] },
  },
  keepLook: { path: '/v1/looks', body: { from: { ...white } } },
  createBatch: { path: '/v1/jobs', body: { items: [{ id, ...white }] } },
});

interface Statement {
  readonly says: string;
  readonly path: string;
  readonly body: Json;
  /** The field that a refusal must name; undefined if the body means the same as `without`. */
  readonly pointer: string | undefined;
  /** The body without the field. */
  readonly without: Json;
}

function change(body: Json, path: Path, value: unknown): Json {
  const copy = structuredClone(body);
  let at: Record<string | number, unknown> = copy;
  for (const [i, key] of path.slice(0, -1).entries()) {
    at[key] ??= typeof path[i + 1] === 'number' ? [] : {};
    at = at[key] as typeof at;
  }
  if (value === undefined) delete at[path.at(-1)!];
  else at[path.at(-1)!] = value;
  return copy;
}

function* listStatements(
  operationId: string,
  path: string,
  body: Json,
  schema: Schema,
  at: Path,
): Generator<Statement> {
  const { properties = {}, required = [], items } = bare(schema);
  if (items && at.length > 0) yield* listStatements(operationId, path, body, items, [...at, 0]);
  for (const [name, field] of Object.entries(properties)) {
    if (field.description?.startsWith('Accepted because')) continue;
    const place = [...at, name];
    const own = bare(field);
    const say = (says: string, value: unknown, isValid = false): Statement => ({
      says: `${operationId} /${place.join('/')} ${says}`,
      path,
      body: change(body, place, value),
      without: change(body, place, undefined),
      pointer: isValid ? undefined : `/${place.join('/')}`,
    });
    if (required.includes(name)) yield say('is required', undefined);
    else yield say(mayBeNull(field) ? 'may be null' : 'may not be null', null, mayBeNull(field));
    if (own.maxLength !== undefined)
      yield say(`has at most ${own.maxLength} characters`, 'x'.repeat(own.maxLength + 1));
    if (own.enum && !own.enum.includes('none-of-these')) yield say('is one of a list', 'none-of-these');
    if (own.minimum !== undefined && own.minimum > -1e9)
      yield say(`is at least ${own.minimum}`, own.minimum - 1);
    if (own.maximum !== undefined && own.maximum < 1e9)
      yield say(`is at most ${own.maximum}`, own.maximum + 1);
    for (const [type, wrong] of [
      ['string', 5],
      ['number', 'x'],
      ['integer', 'x'],
      ['boolean', 'x'],
      ['object', 5],
      ['array', 5],
    ] as const)
      if (isA(own, type)) yield say(`is of the type ${type}`, wrong);
    yield* listStatements(operationId, path, body, field, place);
  }
}

describe('openapi.json', () => {
  it('is true about the fields of JSON bodies, in at least 200 statements', async () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const statements = Object.entries(bodies()).flatMap(([operationId, { path, body }]) => {
      const { requestBody } = operations.find((operation) => operation.operationId === operationId)!;
      return [
        ...listStatements(operationId, path, body, requestBody!.content['application/json']!.schema, []),
      ];
    });
    expect(statements.length).toBeGreaterThanOrEqual(200);
    const untrue: string[] = [];
    const post = async (path: string, body: Json) => {
      const headers = { 'x-api-key': service.key };
      const answer = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      const bytes = Buffer.from(await answer.arrayBuffer());
      const isProblem = answer.headers.get('content-type')?.startsWith('application/problem+json');
      return {
        status: answer.status,
        problem: isProblem ? (JSON.parse(String(bytes)) as Problem) : undefined,
      };
    };
    // Most bodies without a field are the same body, which means the same each time.
    const meanings = new Map<string, number>();
    async function statusOf(path: string, body: Json): Promise<number> {
      const sent = path + JSON.stringify(body);
      if (!meanings.has(sent)) meanings.set(sent, (await post(path, body)).status);
      return meanings.get(sent)!;
    }
    for (const { says, path, body, pointer, without } of statements) {
      const { status, problem } = await post(path, body);
      const isTrue = pointer
        ? status === 400 && problem?.errors?.some((error) => error.pointer === pointer)
        : status === (await statusOf(path, without));
      if (!isTrue) untrue.push(`${says}: ${status} ${problem?.detail}`);
    }
    expect(untrue).toEqual([]);
    // Many calls, each of which waits its turn on a busy machine.
  }, 600_000);

  it('is true about the headers and contents of responses', async () => {
    const preview = (more: object, headers = {}) =>
      service.call('/v1/design/preview.webp', { json: { id, ...white, ...more }, headers });
    const etag = (await preview({})).headers.get('etag')!;
    const calls: (readonly [path: string, method: string, answer: Response])[] = [
      ['/v1/design/preview.webp', 'post', await preview({})],
      ['/v1/design/preview.webp', 'post', await preview({}, { 'if-none-match': etag })],
      ['/v1/design/preview.webp', 'post', await preview({ variant: 7 })],
      ['/v1/design/preview.webp', 'post', await preview({ id: 'dsg_none' })],
      ['/v1/design/preview.webp', 'post', await preview({ recipeId: 'none' })],
      [
        '/v1/design/generated.jpeg',
        'post',
        await service.call('/v1/design/generated.jpeg', {
          json: { id, recipeId: 'Transp001', variant: '1:1' },
        }),
      ],
      ['/v1/design/{id}', 'get', await service.call(`/v1/design/${id}?wait=true`)],
      ['/v1/design/{id}', 'get', await service.call('/v1/design/dsg_none')],
      ['/v1/design/{id}/cutout.png', 'get', await service.call(`/v1/design/${id}/cutout.png`)],
      ['/v1/design/{id}/matte.png', 'get', await service.call(`/v1/design/${id}/matte.png`)],
      [
        '/v1/design/suggest',
        'post',
        await service.call('/v1/design/suggest', {
          json: { id, recipePreset: 'AI_STUDIO', prompt: 'marble' },
        }),
      ],
      ['/v1/recipes', 'get', await service.call('/v1/recipes')],
      ['/v1/looks', 'get', await service.call('/v1/looks')],
      ['/v1/limits', 'get', await service.call('/v1/limits')],
      ['/v1/limits', 'get', await service.call('/v1/limits', { key: 'wrong' })],
      ['/v1/credits', 'get', await service.call('/v1/credits')],
      ['/v1/jobs', 'post', await service.call('/v1/jobs', { json: { items: [{ id, ...white }] } })],
      ['/v1.0/account', 'get', await service.call('/v1.0/account')],
      ['/v1.0/account', 'get', await service.call('/v1.0/account', { key: 'wrong' })],
      ['/v2/account', 'get', await service.call('/v2/account')],
      ['/healthz', 'get', await service.call('/healthz', { key: null })],
    ];
    const untrue: string[] = [];
    for (const [path, method, answer] of calls) {
      const what = `${method} ${path} ${answer.status}`;
      const named = document.paths[path]?.[method]?.responses[answer.status];
      const documented = named?.$ref ? document.components.responses[named.$ref.split('/').at(-1)!] : named;
      const names = Object.keys(documented?.headers ?? {}).map((name) => name.toLowerCase());
      for (const name of answer.headers.keys())
        if (ours.test(name) && !names.includes(name)) untrue.push(`${what} has ${name}`);
      const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
      const schema = documented?.content?.[type]?.schema;
      if (!documented || (answer.status !== 304 && !schema)) untrue.push(`${what} is ${type}`);
      if (!type.endsWith('json') || !schema) continue;
      const { components } = document;
      const { error } = z
        .fromJSONSchema(
          JSON.parse(
            JSON.stringify({ ...schema, $defs: components.schemas }).replaceAll(
              '#/components/schemas/',
              '#/$defs/',
            ),
          ),
        )
        .safeParse(await answer.json());
      if (error) untrue.push(`${what}: ${error.message}`);
    }
    expect(untrue).toEqual([]);
  });
});

/** Headers of the service, rather than of HTTP or of the usual protection of pages. */
const ours =
  /^(x-(request|ratelimit|packshot|credits|width|height|type|foreground)|ratelimit|etag|server-timing|retry-after|location)/;
