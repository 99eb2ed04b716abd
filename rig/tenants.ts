/** Two accounts: to one account, the other account's objects must be indistinguishable from nonexistent objects. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { unknownId } from './corpus-requests.ts';
import { makePhoto } from './photos.ts';
import type { Run } from './run.ts';
import { formWith, type OwnService, program, unhurried, white } from './service.ts';

export async function checkTenants(run: Run): Promise<void> {
  const service = await run.startOwn({ ...unhurried, DRAW_AHEAD: 'off' });
  const key = await makeKey(service);
  const own = await makeThings(service);
  const form = { method: 'POST', body: formWith(await makePhoto()), key };
  const { id } = (await (await service.call('/v1/design/image-upload', form)).json()) as { id: string };
  const calls = listCalls(id);
  const answers: string[] = [];
  for (const { name, ask } of calls) {
    const [foreign, unknown] = [
      await answerOf(service, ask, key, own, false),
      await answerOf(service, ask, key, own, true),
    ];
    if (foreign.status < 400) answers.push(`${name}: answered with ${foreign.status}`);
    else if (foreign.text !== unknown.text || foreign.status !== unknown.status)
      answers.push(`${name}: ${foreign.status} ${foreign.text} / ${unknown.status} ${unknown.text}`);
  }
  run.bar(
    "another's id and an unknown id",
    'the same answer',
    answers.length === 0 ? `${calls.length} calls alike` : answers.join(' | ').slice(0, 1_500),
    answers.length === 0,
  );
  const lists = await Promise.all(
    ['/v1/credits', '/v1/recipes', '/v1/limits'].map(async (path) =>
      (await service.call(path, { key })).text(),
    ),
  );
  const told = lists.some((text) => Object.values(own).some((id) => text.includes(id)));
  run.bar("another's ids in lists", 'none', told ? 'some' : 'none', !told);

  const still = await service.call(`/v1/design/${own.design}`);
  const batch = await service.call(`/v1/jobs/${own.batch}`);
  const backdrop = await fetch(own.backdropUri);
  const statuses = [still.status, batch.status, backdrop.status];
  run.bar(
    "the owner's things after a stranger's DELETEs",
    'all there',
    statuses.join(' '),
    statuses.every((status) => status === 200),
  );
  await checkShare(run);
}

/** Fills one account's storage share: then this account must be refused, and another account must not. */
async function checkShare(run: Run): Promise<void> {
  const service = await run.startOwn({
    ...unhurried,
    DRAW_AHEAD: 'off',
    MAX_WAITING_CUTOUTS: '10000',
    ACCOUNT_STORAGE_BYTES: '1000000',
  });
  const key = await makeKey(service);
  // Long metadata, so that a few uploads fill the share.
  const photo = await sharp(await makePhoto())
    .withExif({ IFD0: { ImageDescription: 'x'.repeat(60_000) } })
    .jpeg()
    .toBuffer();
  const upload = (key: string) =>
    service.call('/v1/design/image-upload', { method: 'POST', body: formWith(photo), key });
  let taken = 0;
  let full = await upload(service.key);
  // The first refusal comes about a second after the share is used up.
  for (; full.status === 200 && taken * photo.byteLength < 100_000_000; taken++)
    full = await upload(service.key);
  const neighbor = await upload(key);
  run.bar(
    'one account at its share of the storage, another account',
    '507 and 200',
    `${full.status} after ${taken} uploads, and ${neighbor.status}`,
    full.status === 507 && neighbor.status === 200,
  );
}

export async function makeKey({ dataDir }: OwnService): Promise<string> {
  const words = [program, 'keys', 'create', '--name', 'other', '--new-account', '--json'];
  const env = { ...process.env, DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, words, { env });
  const key = /psk_live_\w+/.exec(stdout)?.[0];
  if (!key) throw new Error(`no key in ${stdout}`);
  return key;
}

interface Things {
  readonly design: string;
  readonly batch: string;
  readonly backdrop: string;
  readonly backdropUri: string;
  readonly sceneUri: string;
}

async function makeThings(service: OwnService): Promise<Things> {
  // biome-ignore lint/suspicious/noExplicitAny: reading a field that the response lacks fails the check.
  const json = async (response: Promise<Response>): Promise<any> => (await response).json();
  const design = await service.upload(await makePhoto());
  const suggestions = await json(
    service.call('/v1/design/suggest', { json: { id: design, recipePreset: 'AI_STUDIO' } }),
  );
  const illustrations = suggestions.suggestedRecipeLists
    .flatMap((list: { recipes: object[] }) => list.recipes)
    .map(
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      (recipe: any) => recipe.mutations.images?.primaryIllustration?.uri,
    );
  const form = formWith(await makePhoto({ width: 600, height: 600 }));
  const { uri } = await json(service.call('/v1/illustrations', { method: 'POST', body: form }));
  const batch = await json(service.call('/v1/jobs', { json: { items: [{ id: design, ...white }] } }));
  return {
    design,
    batch: batch.id,
    backdropUri: uri,
    backdrop: new URL(uri).pathname.split('/').at(-1)!,
    sceneUri: illustrations.find((found: unknown) => typeof found === 'string'),
  };
}

type Ask = (ids: Things) => readonly [path: string, init: { method?: string; json?: unknown }];

/** All calls that name an object. `strangersOwn` is a design of the calling key. */
function listCalls(strangersOwn: string): { readonly name: string; readonly ask: Ask }[] {
  const get = (template: string, id: (ids: Things) => string, method = 'GET') => ({
    name: `${method} ${template}`,
    ask: (ids: Things) => [template.replace('{}', id(ids)), { method }] as const,
  });
  const design = ({ design: id }: Things) => id;
  const batch = ({ batch: id }: Things) => id;
  const withUri = (name: string, uri: (ids: Things) => string) => ({
    name: `render with ${name}`,
    ask: (ids: Things) => {
      const mutations = { images: { primaryIllustration: { uri: uri(ids) } } };
      return [
        '/v1/design/preview.webp',
        { json: { id: strangersOwn, recipeId: 'Studio001', variant: '1:1', mutations } },
      ] as const;
    },
  });
  return [
    get('/v1/design/{}', design),
    get('/v1/design/{}?wait=true', design),
    get('/v1/design/{}/cutout.png', design),
    get('/v1/design/{}/cutout.webp', design),
    get('/v1/design/{}/matte.png', design),
    get('/v1/design/{}/photo.jpeg', design),
    get('/v1/design/{}/events', design),
    get('/v1/design/{}', design, 'DELETE'),
    get('/v1/jobs/{}', batch),
    get('/v1/jobs/{}/results.zip', batch),
    get('/v1/jobs/{}', batch, 'DELETE'),
    get('/v1/illustrations/{}', ({ backdrop }) => backdrop, 'DELETE'),
    ...['preview.webp', 'preview.png', 'generated.jpeg', 'generated.avif'].map((name) => ({
      name,
      ask: (ids: Things) => [`/v1/design/${name}`, { json: { id: ids.design, ...white } }] as const,
    })),
    {
      name: 'suggest',
      ask: (ids) => ['/v1/design/suggest', { json: { id: ids.design, recipePreset: 'AI_STUDIO' } }] as const,
    },
    withUri('a scene', ({ sceneUri }) => sceneUri),
    withUri('a backdrop', ({ backdropUri }) => backdropUri),
  ];
}

/** Replaces all ids by well-formed ids that were never issued. */
function asUnknown(own: Things): Things {
  const blank = (text: string) =>
    text.replace(
      /\b([a-z]{3}_)([0-9A-Za-z]+)/,
      (_, kind: string, name: string) => kind + '0'.repeat(name.length),
    );
  return {
    design: unknownId,
    batch: blank(own.batch),
    backdrop: blank(own.backdrop),
    backdropUri: blank(own.backdropUri),
    sceneUri: blank(own.sceneUri),
  };
}

async function answerOf(service: OwnService, ask: Ask, key: string, own: Things, unknown: boolean) {
  const ids = unknown ? asUnknown(own) : own;
  const [path, init] = ask(ids);
  const response = await service.call(path, { ...init, key });
  const headers = [...response.headers.keys()].filter((name) => name !== 'date').join();
  const body = await response.text();
  // Mask the parts that legitimately differ between calls.
  const text = body
    .replace(/"requestId":"[^"]*"/, '')
    .replaceAll(ids.design, 'ID')
    .replaceAll(ids.batch, 'ID');
  return { status: response.status, text: `${text} ${headers}` };
}
