/**
 * The image APIs of OpenAI, Google, fal and Replicate on one local server. Sources of the formats: platform.openai.com,
 * api-reference images; ai.google.dev, api generate-content; docs.fal.ai, model endpoints; replicate.com,
 * reference/http predictions. The API compatible with OpenAI's answers as stable-diffusion.cpp's server did (commit 97d2990).
 */
import { type Call, type FakeServer, type Reply, startFakeServer } from './fake-server.ts';

export interface FakeProviders {
  readonly server: FakeServer;
  drawPicture: () => Promise<Uint8Array>;
  /** URL, up to the file name, of the pictures that fal and Replicate return; default: on this server. */
  filesAt: string;
  /** How many polls of Replicate return before the picture is ready. */
  looks: number;
}

/** The path in each provider's `baseUrl`. */
export const basePaths = {
  openai: '/v1',
  google: '/v1beta',
  fal: '',
  replicate: '/v1',
  'openai-compatible': '/compatible/v1',
} as const;

export async function startFakeProviders(drawPicture: FakeProviders['drawPicture']): Promise<FakeProviders> {
  const server = await startFakeServer();
  const fake: FakeProviders = { server, drawPicture, filesAt: `${server.origin}/files/`, looks: 0 };
  let asked = 0;

  const tellPrediction = (status: string): Reply => ({
    status: status === 'starting' ? 201 : 200,
    body: {
      id: 'p1',
      status,
      error: null,
      output: status === 'succeeded' ? [`${fake.filesAt}out.png`] : null,
      urls: {
        get: `${server.origin}/v1/predictions/p1`,
        cancel: `${server.origin}/v1/predictions/p1/cancel`,
      },
    },
  });
  const answerOpenAi = async (): Promise<Reply> => ({
    body: {
      created: 1,
      data: [{ b64_json: Buffer.from(await fake.drawPicture()).toString('base64') }],
      usage: { input_tokens: 10, output_tokens: 20, total_tokens: 30 },
    },
  });
  const answerCompatible = async ({ path, json, form }: Call): Promise<Reply> => {
    const refuse = (error: string): Reply => ({ status: 400, body: { error } });
    const isEdit = path.endsWith('/edits');
    if (isEdit && !form) return refuse('Content-Type must be multipart/form-data');
    if (!(isEdit ? form?.get('prompt') : json.prompt)) return refuse('prompt required');
    if (isEdit && !form?.has('image') && !form?.has('image[]'))
      return refuse('at least one image[] required');
    const b64_json = Buffer.from(await fake.drawPicture()).toString('base64');
    return { body: { created: 1, data: [{ b64_json }], output_format: 'png' } };
  };
  const answerGoogle = async (): Promise<Reply> => {
    const data = Buffer.from(await fake.drawPicture()).toString('base64');
    const content = { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data } }] };
    return {
      body: {
        candidates: [{ content, finishReason: 'STOP', index: 0 }],
        usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 },
      },
    };
  };
  const answerFal = (): Reply => ({
    body: {
      images: [{ url: `${fake.filesAt}out.png`, width: 64, height: 64, content_type: 'image/png' }],
      timings: { inference: 1 },
      seed: 1234,
      has_nsfw_concepts: [false],
      prompt: 'a bottle',
    },
  });

  server.handle = async (call: Call) => {
    const { method, path } = call;
    if (path === '/files/out.png')
      return { headers: { 'content-type': 'image/png' }, body: await fake.drawPicture() };
    if (path === '/v1/predictions/p1')
      return tellPrediction(asked++ < fake.looks ? 'processing' : 'succeeded');
    if (method !== 'POST') return undefined;
    if (/^\/v1\/images\/(generations|edits)$/.test(path)) return answerOpenAi();
    if (/^\/compatible\/v1\/images\/(generations|edits)$/.test(path)) return answerCompatible(call);
    if (/^\/v1beta\/models\/[^/]+:generateContent$/.test(path)) return answerGoogle();
    if (/^\/v1\/models\/[^/]+\/[^/]+\/predictions$/.test(path)) {
      asked = 0;
      return tellPrediction('starting');
    }
    return path.startsWith('/fal-ai/') ? answerFal() : undefined;
  };
  return fake;
}
