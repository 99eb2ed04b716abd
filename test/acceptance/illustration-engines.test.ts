import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { packshot } from './command.ts';
import {
  type Chosen,
  choose,
  closeAll,
  expectFallback,
  generate,
  secret,
  sharesOf,
  startOpenAi,
  startWith,
} from './painted-scenes.ts';
import { jsonOf } from './service.ts';

afterEach(closeAll);

describe('the design flow with an engine', () => {
  it('paints around the product by an OpenAI-compatible server, and reports how the picture was made', async () => {
    const { server, environment } = await startOpenAi();
    const { service, id } = await startWith(environment);
    const chosen = await choose(service, id, { prompt: 'white marble podium' });
    const full = await generate(service, chosen);
    expect(full.headers.get('warning')).toBeNull();
    const bytes = Buffer.from(await full.clone().arrayBuffer());
    expect((await sharp(bytes).metadata()).xmpAsString).toContain('compositeWithTrainedAlgorithmicMedia');
    const { painted, crate } = await sharesOf(full);
    expect(painted).toBeGreaterThan(0.5);
    expect(crate).toBeGreaterThan(0.05);
    const call = server.calls.find(({ path }) => path === '/v1/images/edits')!;
    expect(String(call.form!.get('prompt'))).toMatch(/marble/);
    expect(call.headers.authorization).toBe(`Bearer ${secret}`);
  });

  it("shows the embedded picture first, and the engine's once it is ready, under the same URIs", async () => {
    const { environment } = await startOpenAi();
    const { service, id } = await startWith(environment);
    const chosen = await choose(service, id);
    const { previewUri } = chosen.mutations.images.primaryIllustration;
    const preview = () => service.call('/v1/design/preview.png', { json: chosen });
    const early = await preview();
    const earlyTag = early.headers.get('etag');
    expect((await sharesOf(early)).painted).toBeLessThan(0.2);
    const earlyPlate = (await fetch(previewUri)).headers.get('etag');
    await generate(service, chosen);
    const late = await preview();
    expect(late.headers.get('etag')).not.toBe(earlyTag);
    expect((await sharesOf(late)).painted).toBeGreaterThan(0.5);
    expect((await fetch(previewUri)).headers.get('etag')).not.toBe(earlyPlate);
  });
});

describe('an engine that fails', () => {
  it('is not called beyond the budget, which a rotated key inherits', async () => {
    const { server, environment } = await startOpenAi();
    const { service, id } = await startWith({
      ...environment,
      ILLUSTRATION_PRICE_USD: '0.04',
      ILLUSTRATION_BUDGET_USD: '0.04',
    });
    const { suggestedRecipeLists } = await jsonOf(
      service.call('/v1/design/suggest', { json: { id, recipePreset: 'AI_STUDIO' } }),
    );
    const [first, second] = suggestedRecipeLists[0].recipes.map((recipe: object) => ({ id, ...recipe }));
    const pick = ({ recipeId, variant, mutations }: Chosen) => ({ id, recipeId, variant, mutations });
    expect((await generate(service, pick(first))).headers.get('warning')).toBeNull();
    const env = { DATA_DIR: service.dataDir };
    const tell = async (...words: string[]) =>
      JSON.parse((await packshot(['keys', ...words, '--json'], { env })).stdout.toString());
    const [{ id: oldKey }] = await tell('list');
    const { key } = await tell('rotate', oldKey);
    expect(await expectFallback(await generate(service, pick(second), key))).toMatch(/budget/);
    expect(server.calls.filter(({ path }) => path === '/v1/images/edits')).toHaveLength(1);
  });
});
