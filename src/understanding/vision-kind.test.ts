import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { makeFeatures } from '../../packages/sets/src/testing/silhouettes.ts';
import type { UnansweredQuestion } from './language-model.ts';
import { answerChat, answerJson, type ChatServer, startChatServer } from './testing/chat-server.ts';
import { createVisionKindDetector, type SeenProduct } from './vision-kind.ts';

let server: ChatServer | undefined;
let unanswered: UnansweredQuestion[] = [];
afterEach(async () => {
  unanswered = [];
  await server?.close();
  server = undefined;
});

const apiKey = 'sk-very-secret-0123456789';
const product: SeenProduct = {
  features: makeFeatures(),
  picturePng: Uint8Array.of(0x89, 0x50, 0x4e, 0x47),
  signal: new AbortController().signal,
};
const jewel = { kind: 'Apparel & Accessories', staging: 'small-precious', lengthCm: 3, confidence: 0.9 };

async function detect(
  reply: Parameters<typeof startChatServer>[0],
  asked: Partial<SeenProduct> = {},
  timeoutMs = 10_000,
) {
  server = await startChatServer(reply);
  const { baseUrl } = server;
  const detector = createVisionKindDetector(
    { model: 'openai-compatible:eyes', apiKey, baseUrl, timeoutMs },
    (question) => unanswered.push(question),
  );
  return detector({ ...product, ...asked });
}
const detectBy = (answer: unknown, asked?: Partial<SeenProduct>) =>
  detect((response) => answerChat(response, answer), asked);

describe('a product, if a vision model is configured', () => {
  it('is classified by the model, which receives the picture', async () => {
    expect(await detectBy(jewel)).toEqual({ ...jewel, because: expect.any(String), detectedBy: 'model' });
    const { body } = server!.requests[0]!;
    const [, user] = body.messages;
    expect(user.content[1].image_url.url).toBe('data:image/png;base64,iVBORw==');
    expect(body.response_format.json_schema.schema.properties.kind.enum).toContain('Luggage & Bags');
  });

  it('is classified by the caller’s hint if there is one, without a request to the model', async () => {
    const found = await detectBy(jewel, { hint: 'sneakers' });
    expect(found).toMatchObject({ kind: 'Apparel & Accessories', staging: 'long-low', detectedBy: 'rules' });
    expect(server!.requests).toEqual([]);
  });

  it('is classified by the more confident of model and rules; only a caller’s hint has the confidence 1', async () => {
    const named = { fileName: 'old-camera.jpg' };
    expect(await detectBy({ ...jewel, confidence: 0.6 }, named)).toMatchObject({
      kind: 'Cameras & Optics',
      detectedBy: 'rules',
    });
    expect(await detectBy({ ...jewel, confidence: 40 }, named)).toMatchObject({
      kind: 'Apparel & Accessories',
      confidence: 0.95,
    });
  });

  it('is staged by its silhouette if the model gives no valid staging', async () => {
    const byOutline = await detectBy({ kind: 'Unknown', staging: 'large', confidence: 0.9 });
    expect(byOutline).toMatchObject({ detectedBy: 'rules' });
    expect(await detectBy({ ...jewel, staging: 'upside-down' })).toMatchObject({
      kind: 'Apparel & Accessories',
      staging: byOutline.staging,
      detectedBy: 'model',
    });
  });

  it.each<[string, string, Parameters<typeof startChatServer>[0]]>([
    ['is busy', 'busy', (response) => answerJson(response, 429, { error: { message: 'slow down' } })],
    ['names an unknown kind', 'broken', (response) => answerChat(response, { ...jewel, kind: 'Weapons' })],
    ['answers in prose', 'broken', (response) => answerChat(response, 'A lovely ring!')],
    ['never answers', 'unreachable', () => undefined],
  ])('is classified by rules if the model %s', async (_, reason, reply) => {
    const timeoutMs = reason === 'unreachable' ? 400 : 10_000;
    const found = await detect(reply, { fileName: 'old-camera.jpg' }, timeoutMs);
    expect(found).toMatchObject({ kind: 'Cameras & Optics', detectedBy: 'rules' });
    expect(unanswered).toMatchObject([{ model: 'openai-compatible:eyes', reason }]);
    expect(inspect(unanswered, { depth: 9 })).not.toContain(apiKey);
  });
});
