/** One service whose budget pays for one painted picture: the tests follow that picture, then request another. */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packshot } from './command.ts';
import {
  type Chosen,
  closeAll,
  expectFallback,
  generate,
  secret,
  sharesOf,
  startOpenAi,
  startWith,
} from './painted-scenes.ts';
import { jsonOf, type Service } from './service.ts';

let server: Awaited<ReturnType<typeof startOpenAi>>['server'];
let service: Service;
let chosen: Chosen;
let another: Chosen;
beforeAll(async () => {
  const engine = await startOpenAi();
  server = engine.server;
  const started = await startWith({
    ...engine.environment,
    ILLUSTRATION_PRICE_USD: '0.04',
    ILLUSTRATION_BUDGET_USD: '0.04',
  });
  service = started.service;
  const { id } = started;
  // A wide picture has fewer pixels to trace.
  const json = {
    id,
    recipePreset: 'AI_STUDIO',
    prompt: 'white marble podium',
    filters: { aspectRatio: '16:9' },
  };
  const { suggestedRecipeLists } = await jsonOf(service.call('/v1/design/suggest', { json }));
  const pick = ({ recipeId, variant, mutations }: Chosen) => ({ id, recipeId, variant, mutations });
  [chosen, another] = suggestedRecipeLists[0].recipes.map(pick);
});
afterAll(closeAll);

const edits = () => server.calls.filter(({ path }) => path.endsWith('/v1/images/edits'));

describe('the design flow with an engine', () => {
  it("paints around the product, and the painting replaces the studio's picture under the same URIs", async () => {
    const { previewUri } = chosen.mutations.images.primaryIllustration;
    const preview = () => service.call('/v1/design/preview.png', { json: chosen });
    const early = await preview();
    const earlyTag = early.headers.get('etag');
    expect((await sharesOf(early)).painted).toBeLessThan(0.2);
    const earlyPlate = (await fetch(previewUri)).headers.get('etag');

    const full = await generate(service, chosen);
    expect(full.headers.get('x-packshot-notice')).toBeNull();
    const bytes = Buffer.from(await full.clone().arrayBuffer());
    expect((await sharp(bytes).metadata()).xmpAsString).toContain('compositeWithTrainedAlgorithmicMedia');
    const { painted, crate } = await sharesOf(full);
    expect(painted).toBeGreaterThan(0.5);
    expect(crate).toBeGreaterThan(0.05);

    const late = await preview();
    expect(late.headers.get('etag')).not.toBe(earlyTag);
    expect((await sharesOf(late)).painted).toBeGreaterThan(0.5);
    expect((await fetch(previewUri)).headers.get('etag')).not.toBe(earlyPlate);
  });

  it('sends the prompt and the key to an OpenAI-compatible server', () => {
    const [call] = edits();
    expect(String(call!.form!.get('prompt'))).toMatch(/marble/);
    expect(call!.headers.authorization).toBe(`Bearer ${secret}`);
  });

  it('requests no painting beyond the budget, which also applies to the successor of a rotated key', async () => {
    const env = { DATA_DIR: service.dataDir };
    const tell = async (...words: string[]) =>
      JSON.parse((await packshot(['keys', ...words, '--json'], { env })).stdout.toString());
    const keys: { id: string; hint: string }[] = await tell('list');
    const used = keys.find((each) => service.key.startsWith(each.hint.replace('…', '')));
    const { key } = await tell('rotate', used!.id);
    expect(await expectFallback(await generate(service, another, key))).toMatch(/budget/);
    expect(edits()).toHaveLength(1);
  });
});
