/**
 * The behavior on which a client may rely if it uses only the five calls of the removal and design flows. These calls
 * do not change within `/v1` (docs/migrating.md).
 */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { packshot } from './command.ts';
import { cratePhoto, jsonOf, pixelsOf, problemOf, type Service, startOwnService, white } from './service.ts';

const brandColor = '#B5523A';
const preset = `
name: BRAND
families: [solid, transparent, gradient, surface]
palette: ["${brandColor}"]
styles: [stone]
lists: 2
perList: 4
`;

let service: Service;
let id: string;
let call: Service['call'];
beforeAll(async () => {
  service = await startOwnService();
  const env = { DATA_DIR: service.dataDir };
  const file = join(service.dataDir, 'brand.yaml');
  await writeFile(file, preset);
  await packshot(['presets', 'create', file, '--replace'], { env });
  await rm(file);
  const made = await packshot(['keys', 'create', '--name', 'brand', '--json'], { env });
  const { id: keyId, key } = JSON.parse(made.stdout.toString());
  await packshot(['presets', 'grant', 'BRAND', '--key', keyId], { env });
  call = (path, options) => service.call(path, { key, ...options });
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(await cratePhoto())]), 'crate.jpg');
  ({ id } = await jsonOf(call('/v1/design/image-upload', { method: 'POST', body })));
});
afterAll(() => service.stop());

interface Recipe {
  readonly recipeId: string;
  readonly variant: string;
  readonly mutations: {
    readonly background?: { readonly color: string };
    readonly images: {
      readonly primaryIllustration: {
        readonly uri: string;
        readonly previewUri: string;
        readonly source: string;
      };
    };
  };
}

async function suggestLists(recipePreset: string, aspectRatio = '1:1'): Promise<Recipe[][]> {
  const { suggestedRecipeLists } = await jsonOf(
    call('/v1/design/suggest', { json: { id, recipePreset, filters: { aspectRatio } } }),
  );
  return suggestedRecipeLists.map(({ recipes }: { recipes: Recipe[] }) => recipes);
}

const suggest = async (...filters: Parameters<typeof suggestLists>) =>
  (await suggestLists(...filters)).flat();
const isScene = ({ recipeId }: Recipe) => recipeId === 'Studio001';

async function render(path: string, body: object): Promise<Response> {
  const response = await call(`/v1/design/${path}`, { json: body });
  if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
  return response;
}

const formats = ['webp', 'png', 'jpeg', 'avif'];
const pictures = ['preview', 'generated'].flatMap((name) => formats.map((format) => `${name}.${format}`));

describe('a received recipe', () => {
  it.each(['AI_STUDIO', 'BRAND'])('of %s can be sent back unchanged, merged with the id', async (preset) => {
    const lists = await suggestLists(preset);
    expect(lists.flat().length).toBeGreaterThan(4);
    const plain = lists.flat().filter((each) => !isScene(each));
    // A scene takes a second to trace, so only two are rendered: the first scene of the first list that has scenes, and
    // the first of the last such list, which shows real places if any list does.
    const scenes = lists.map((list) => list.find(isScene)).filter((each) => each !== undefined);
    for (const recipe of [...plain, ...new Set([scenes[0]!, scenes.at(-1)!])]) {
      const response = await render('preview.webp', { id, ...recipe });
      expect(response.headers.get('content-type')).toBe('image/webp');
    }
  });

  it('can be sent back unchanged in every format', async () => {
    const recipes = await suggest('BRAND');
    const scene = recipes.find(isScene);
    const plain = recipes.find(({ mutations }) => mutations.background);
    for (const path of pictures) await render(path, { id, ...plain });
    // Encoding does not depend on what a picture shows, so a scene needs only one format of each size.
    for (const path of ['preview.webp', 'generated.jpeg']) await render(path, { id, ...scene });
  });

  it('can be sent back unchanged as an item of a batch', async () => {
    const recipes = await suggest('BRAND');
    // One scene represents all scenes: full versions of all would take minutes.
    const scene = recipes.findIndex(isScene);
    const items = recipes.slice(0, scene + 1).map((recipe) => ({ ...recipe, id }));
    expect(items.length).toBeGreaterThan(3);
    const created = await call('/v1/jobs', { json: { items } });
    expect(created.status, await created.clone().text()).toBe(202);
    const batch = await jsonOf(created);
    await vi.waitFor(
      async () => {
        const { status, counts } = await jsonOf(call(`/v1/jobs/${batch.id}`));
        expect({ status, failed: counts.failed }).toEqual({ status: 'completed', failed: 0 });
      },
      { timeout: 150_000, interval: 250 },
    );
  });

  it('of the catalog can be sent back with all its fields', async () => {
    const { recipes } = await jsonOf(call('/v1/recipes'));
    const [recipe] = recipes;
    await render('preview.webp', { ...recipe, id, recipeId: recipe.id, variant: '1:1' });
  });

  it('is refused with an unknown field, and the error names the field', async () => {
    const [recipe] = await suggest('BRAND');
    const response = await call('/v1/design/preview.webp', { json: { id, ...recipe, titel: 'x' } });
    expect(await problemOf(response)).toMatchObject({
      status: 400,
      code: 'unknown_field',
      errors: [{ pointer: '/titel', detail: expect.stringContaining('recipeId, variant, mutations') }],
    });
  });
});

describe('a plain recipe in a brand color', () => {
  const rgb = [0xb5, 0x52, 0x3a];
  const cornerOf = async (response: Response) => [...(await pixelsOf(response)).data.subarray(0, 3)];

  it('keeps the color for a client that sends back the illustration but not `background`', async () => {
    const recipe = (await suggest('BRAND')).find(({ mutations }) => mutations.background)!;
    expect(recipe.mutations.background).toEqual({ color: brandColor });
    const { uri, previewUri, source } = recipe.mutations.images.primaryIllustration;
    for (const primaryIllustration of [
      { uri, source },
      { previewUri, source },
      { uri, previewUri, source },
    ]) {
      const body = { id, ...recipe, mutations: { images: { primaryIllustration } } };
      expect(await cornerOf(await render('preview.png', body))).toEqual(rgb);
      expect(await cornerOf(await render('generated.png', body))).toEqual(rgb);
    }
  });

  it('accepts another color from a client that sends one', async () => {
    const recipe = (await suggest('BRAND')).find(({ mutations }) => mutations.background)!;
    const { images } = recipe.mutations;
    const body = { id, ...recipe, mutations: { images, background: { color: '#102030' } } };
    expect(await cornerOf(await render('preview.png', body))).toEqual([0x10, 0x20, 0x30]);
  });

  it('is refused if its illustration mixes the URIs of two suggestions', async () => {
    const square = (await suggest('BRAND')).filter((each) => !isScene(each));
    const wide = (await suggest('BRAND', '16:9')).filter((each) => !isScene(each));
    const [one] = square;
    const other = wide.find(({ recipeId }) => recipeId === one!.recipeId);
    const primaryIllustration = {
      uri: one!.mutations.images.primaryIllustration.uri,
      previewUri: other!.mutations.images.primaryIllustration.previewUri,
    };
    const response = await call('/v1/design/preview.png', {
      json: { id, ...one, mutations: { images: { primaryIllustration } } },
    });
    expect(await problemOf(response)).toMatchObject({ status: 422, code: 'mutation_uri_rejected' });
  });
});

interface JsonSchema {
  readonly $ref?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
}

describe('null in a body', () => {
  // A design that does not exist: bodies are validated before the design is looked up, and nothing has to be rendered.
  const unknown = 'dsg_0000000000000000000000';
  /**
   * For each JSON endpoint, a valid body without optional fields. The exception is the body of a correction: it has all
   * its optional marks, so that the fields inside the marks are tested, too.
   */
  /** The logo has a required field, without which its others are not looked at. */
  const marked = { ...white, mutations: { logo: { uri: 'bdp_0' } } };
  const bodies: Record<string, () => object> = {
    '/v1/design/image-upload-from-url': () => ({ url: 'http://10.0.0.1/photo.jpg' }),
    '/v1/design/suggest': () => ({ id: unknown, recipePreset: 'AI_STUDIO' }),
    '/v1/jobs': () => ({ items: [{ id: unknown, ...marked }] }),
    '/v1/looks': () => ({ from: marked }),
    '/v1/picture-urls': () => ({ id: unknown, ...marked }),
    '/v1/design/{id}/correct': () => ({
      strokes: [{ mode: 'keep', radius: 4, points: [[1, 1]] }],
      boxes: [{ mode: 'keep', x: 1, y: 1, width: 2, height: 2 }],
      polygons: [
        {
          mode: 'keep',
          points: [
            [0, 0],
            [4, 0],
            [0, 4],
          ],
        },
      ],
      parts: [{ mode: 'keep', x: 1, y: 1 }],
      hint: { x: 0, y: 0, width: 4, height: 4 },
    }),
    ...Object.fromEntries(pictures.map((path) => [`/v1/design/${path}`, () => ({ id: unknown, ...marked })])),
  };

  async function answerTo(path: string, body: object) {
    const response = await call(path, { json: body });
    if (response.ok) return { status: response.status };
    const { status, code, detail, errors } = await problemOf(response);
    return { status, code, detail, errors };
  }

  it('means "omitted" in every optional field of the API document', async () => {
    const document = await jsonOf(call('/openapi.json'));
    const resolve = (schema: JsonSchema): JsonSchema =>
      schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!] : schema;
    /** The paths of all fields, and whether each is required. */
    const listFields = (
      schema: JsonSchema,
      path: readonly (string | number)[] = [],
    ): [typeof path, boolean][] => {
      const { properties = {}, required = [], items } = resolve(schema);
      return [
        ...Object.entries(properties).flatMap(([name, inner]): [typeof path, boolean][] => [
          [[...path, name], required.includes(name)],
          ...listFields(inner, [...path, name]),
        ]),
        ...(items ? listFields(items, [...path, 0]) : []),
      ];
    };
    for (const [path, { post }] of Object.entries<{ post?: { tags: string[]; requestBody?: object } }>(
      document.paths,
    )) {
      // Interfaces of other services have their own error shapes and tests.
      if (post?.tags.includes('Drop-in interfaces')) continue;
      const content = (post?.requestBody as { content?: Record<string, { schema: JsonSchema }> })?.content;
      const schema = content?.['application/json']?.schema;
      if (!schema) continue;
      const bodyOf = bodies[path];
      if (!bodyOf) throw new Error(`no body for ${path}: add one to this test`);
      const fields = listFields(schema);
      expect(fields.length).toBeGreaterThan(1);
      for (const [field, required] of fields) {
        const [nulled, leftOut] = await Promise.all(
          [null, undefined].map((value) => answerTo(path, withValue(bodyOf(), field, value))),
        );
        expect([path, field, nulled]).toEqual([path, field, leftOut]);
        expect([path, field, nulled!.code === 'missing_field']).toEqual([path, field, required]);
      }
    }
  });

  it('means "omitted" in all optional fields at once', async () => {
    const nothing = { prompt: null, filters: { aspectRatio: null }, productKind: null };
    const suggested = await call('/v1/design/suggest', {
      json: { id, recipePreset: 'AI_STUDIO', ...nothing },
    });
    expect(suggested.status).toBe(200);
    const mutations = { images: null, layout: { scale: null }, shadow: null, background: null, edge: null };
    await render('preview.webp', { id, ...white, title: null, mutations });
  });
});

/** A copy with the value at the path; creates missing objects on the way. */
function withValue(body: object, path: readonly (string | number)[], value: unknown): object {
  const copy = structuredClone(body) as Record<string | number, unknown>;
  let at = copy;
  for (const key of path.slice(0, -1)) {
    at[key] ??= {};
    at = at[key] as typeof at;
  }
  at[path.at(-1)!] = value;
  return copy;
}
