/**
 * Helpers for tests of illustration engines: a service with an engine, a fake engine server, and checks of
 * the pictures.
 */
import sharp from 'sharp';
import { expect } from 'vitest';
import { basePaths, startFakeProviders } from '../../src/illustrations/engines/testing/fake-providers.ts';
import { type FakeServer, readFile } from '../../src/illustrations/engines/testing/fake-server.ts';
import { cratePhoto, jsonOf, pixelsOf, type Service, startService } from './service.ts';

/** A color that no studio set has on its own. */
export const paint = '#2fb3a8';
export const secret = 'sk-a-secret-that-no-answer-and-no-log-may-hold';
const closers: (() => Promise<void>)[] = [];

/** Closes everything that the functions below have started, in reverse order. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}
export const onClose = (close: () => Promise<void>): void => void closers.push(close);

/** Responds like a correct engine: repaints everything but the product. The mask `keep` is white on the product. */
export async function repaint(picture: Uint8Array, keep: Uint8Array): Promise<Uint8Array> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const kept = await sharp(keep).extractChannel(0).raw().toBuffer();
  for (let i = 0; i < kept.length; i++) {
    if (kept[i]! < 128) data.set([0x2f, 0xb3, 0xa8], 3 * i);
  }
  return sharp(data, { raw: info }).png().toBuffer();
}

export async function startWith(
  environment: Record<string, string>,
): Promise<{ service: Service; id: string }> {
  const service = await startService({
    PREVIEW_DEADLINE_MS: '150000',
    FULL_DEADLINE_MS: '150000',
    DRAW_AHEAD: 'off',
    ILLUSTRATE: 'chosen',
    ...environment,
  });
  closers.push(() => service.stop());
  return { service, id: await service.upload(await cratePhoto({ width: 640, height: 480 })) };
}

export interface Chosen {
  readonly id: string;
  readonly recipeId: string;
  readonly variant: string;
  readonly mutations: { images: { primaryIllustration: { uri: string; previewUri: string } } };
}

/** Returns the suggested scenes. They are wide, because wide pictures have fewer pixels to trace. */
export async function chooseAll(service: Service, id: string): Promise<Chosen[]> {
  const json = { id, recipePreset: 'AI_STUDIO', filters: { aspectRatio: '16:9' } };
  const answer = await jsonOf(service.call('/v1/design/suggest', { json }));
  return answer.suggestedRecipeLists[0].recipes.map(({ recipeId, variant, mutations }: Chosen) => ({
    id,
    recipeId,
    variant,
    mutations,
  }));
}

export async function choose(service: Service, id: string): Promise<Chosen> {
  const [first] = await chooseAll(service, id);
  return first!;
}

export const generate = (service: Service, chosen: Chosen, key = service.key) =>
  service.call('/v1/design/generated.jpeg', { json: chosen, key });

/** Share of pixels in the engine's paint color, and share in the crate's red. */
export async function sharesOf(response: Response): Promise<{ painted: number; crate: number }> {
  const { data, width, height, channels } = await pixelsOf(response);
  const near = (at: number, [r, g, b]: readonly [number, number, number]) =>
    Math.abs(data[at]! - r) + Math.abs(data[at + 1]! - g) + Math.abs(data[at + 2]! - b) < 40;
  let painted = 0;
  let crate = 0;
  for (let at = 0; at < data.length; at += channels) {
    if (near(at, [0x2f, 0xb3, 0xa8])) painted++;
    if (near(at, [0x7a, 0x1f, 0x1f])) crate++;
  }
  return { painted: painted / (width * height), crate: crate / (width * height) };
}

/** Responds to OpenAI's image edit form: the picture, and a mask that is transparent where the engine may repaint. */
async function answerEdit(server: FakeServer): Promise<Uint8Array> {
  const { form } = server.calls.at(-1)!;
  const picture = new Uint8Array(await readFile(form, 'image').arrayBuffer());
  const mask = new Uint8Array(await readFile(form, 'mask').arrayBuffer());
  return repaint(picture, await sharp(mask).extractChannel('alpha').png().toBuffer());
}

export async function startOpenAi(draw: (server: FakeServer) => Promise<Uint8Array> = answerEdit) {
  const fake = await startFakeProviders(() => draw(fake.server));
  closers.push(() => fake.server.close());
  const environment = {
    ILLUSTRATION_ENGINE: 'ai-sdk',
    IMAGE_MODEL: 'openai-compatible:flux-fill',
    IMAGE_MODES: 'scaffold-edit',
    OPENAI_COMPATIBLE_BASE_URL: `${fake.server.origin}${basePaths['openai-compatible']}`,
    OPENAI_COMPATIBLE_API_KEY: secret,
  };
  return { server: fake.server, environment };
}

/** The picture of an engine that returns an empty set, without the product. */
export const drawEmptyPlate = async () =>
  sharp({ create: { width: 1024, height: 1024, channels: 3, background: paint } })
    .png()
    .toBuffer();

/** Expects the studio's picture instead of the engine's, and returns the warning with the reason. */
export const expectFallback = async (full: Response) => {
  expect(full.status).toBe(200);
  expect(full.headers.get('x-packshot-notice')).toMatch(/illustration_fallback/);
  const { painted, crate } = await sharesOf(full);
  expect(painted).toBeLessThan(0.2);
  expect(crate).toBeGreaterThan(0.05);
  return full.headers.get('x-packshot-notice')!;
};
