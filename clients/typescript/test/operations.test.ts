/** The client has a method for each call of the service. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createPackshotClient, type PackshotClient } from '../src/packshot-client.ts';

const openapi = JSON.parse(await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8'));
const render = { id: 'x', recipeId: 'r', variant: '1:1' };
const photo = new Uint8Array(1);

/** Methods that combine calls; each of these calls also has its own method. */
const joined = ['make', 'scenes', 'batchItems', 'waitForBatch', 'waitForCutout'] as const;
type Joined = (typeof joined)[number];

const formats = ['jpeg', 'png', 'webp', 'avif'] as const;
const calls: Record<Exclude<keyof PackshotClient, Joined>, (client: PackshotClient) => Promise<unknown>[]> = {
  upload: (client) => [client.upload(photo)],
  uploadFromUrl: (client) => [client.uploadFromUrl({ url: 'https://example.com/mug.jpg' })],
  getDesign: (client) => [client.getDesign('x')],
  designEvents: (client) => [client.designEvents('x').next()],
  listDesigns: (client) => [client.listDesigns()],
  projects: (client) => [client.projects()],
  renameProject: (client) => [client.renameProject('x', 'y')],
  deleteProject: (client) => [client.deleteProject('x')],
  deleteDesign: (client) => [client.deleteDesign('x')],
  cutout: (client) => [client.cutout('x'), client.cutout('x', { format: 'webp' })],
  correct: (client) => [client.correct('x', { undo: true }), client.correct('x', {}, { mask: photo })],
  matte: (client) => [client.matte('x')],
  photo: (client) => [client.photo('x')],
  suggest: (client) => [client.suggest({ id: 'x', recipePreset: 'AI_STUDIO' })],
  preview: (client) => formats.map((format) => client.preview(render, { format })),
  generate: (client) => formats.map((format) => client.generate(render, { format })),
  checkRender: (client) => [client.checkRender('x', { marketplaces: ['amazon'] })],
  checkPicture: (client) => [client.checkPicture(photo, { marketplaces: ['amazon'] })],
  uploadIllustration: (client) => [client.uploadIllustration(photo)],
  illustration: (client) => [client.illustration('/v1/illustrations/x')],
  deleteIllustration: (client) => [client.deleteIllustration('/v1/illustrations/x')],
  keepLook: (client) => [client.keepLook({ from: { recipeId: 'r', variant: '1:1' } })],
  looks: (client) => [client.looks()],
  getLook: (client) => [client.getLook('x')],
  deleteLook: (client) => [client.deleteLook('x')],
  pictureUrl: (client) => [client.pictureUrl(render)],
  pictureSigningKey: (client) => [client.pictureSigningKey()],
  createBatch: (client) => [client.createBatch({ items: [render] })],
  getBatch: (client) => [client.getBatch('x')],
  batchResults: (client) => [client.batchResults('x')],
  deleteBatch: (client) => [client.deleteBatch('x')],
  dropIn: (client) => [
    ...(['/v1.0/removebg', '/v1.0/improve', '/v1/segment', '/v2/edit', '/api/remove'] as const).map((path) =>
      client.dropIn(path, { image_file: photo, size: 'auto' }),
    ),
    client.dropIn('/v1/remove-background', { image: photo }),
    ...(['/v1.0/account', '/v1/account', '/v2/account', '/api'] as const).map((path) => client.dropIn(path)),
    client.dropIn('/v2/edit?imageUrl=https://example.com/mug.jpg'),
    client.dropIn('/api/remove?url=https://example.com/mug.jpg'),
  ],
  recipes: (client) => [client.recipes()],
  credits: (client) => [client.credits()],
  limits: (client) => [client.limits()],
  health: (client) => [client.health()],
  readiness: (client) => [client.readiness()],
};

it('the client has a method for each call of the service, and no others', async () => {
  const requests = new Set<string>();
  const client = createPackshotClient({
    baseUrl: 'http://127.0.0.1:9',
    apiKey: 'k',
    async fetch(input, init) {
      const { pathname } = new URL(String(input));
      requests.add(`${init?.method} ${pathname}`);
      return new Response('{}', { status: 418 });
    },
  });
  await Promise.allSettled(Object.values(calls).flatMap((call) => call(client)));
  const operations = Object.entries<Record<string, unknown>>(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      // A picture's URL is opened without the client.
      .filter(() => !path.startsWith('/p/'))
      .map(([method]) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/, 'x')}`),
  );
  expect([...requests].sort()).toEqual(operations.sort());
  expect(Object.keys(client).sort()).toEqual([...Object.keys(calls), ...joined].sort());
});
