import { describe, expect, it } from 'vitest';
import { readUnits } from '../../packages/sets/src/read-units.ts';
import { readWants, type Spoken } from '../../packages/sets/src/read-wants.ts';
import { makeFeatures } from '../../packages/sets/src/testing/silhouettes.ts';
import type { LlmPlanner } from './llm-planner.ts';
import { createRequestReader, type UnderstandingRequest } from './understand-request.ts';

const request: UnderstandingRequest = {
  prompt: 'sage green wall for my shampoo',
  features: makeFeatures(),
  picturePng: Buffer.from('png'),
  fileName: undefined,
  hint: undefined,
  known: undefined,
  ratio: '1:1',
  brandColors: [],
  signal: new AbortController().signal,
};
const known = { kind: 'Electronics', staging: 'panel', confidence: 0.7, because: 'its outline' };

const wordsIn = (spoken: readonly Spoken[] | undefined) => spoken?.flatMap(({ words }) => words);

describe('a request, read by rules', () => {
  const read = createRequestReader(undefined);

  it('returns the prompt’s words and the product that the prompt names', async () => {
    const { spoken, product, readBy, wish } = await read(request);
    expect(wordsIn(spoken)).toEqual(['sage green', 'wall']);
    expect(product.kind).toBe('Health & Beauty');
    expect([readBy, wish]).toEqual(['rules', request.prompt]);
  });

  it("prefers the caller's hint, or else the file name, to the stored kind", async () => {
    const hinted = await read({ ...request, known, hint: 'shoes' });
    expect(hinted.product).toMatchObject({ kind: 'Apparel & Accessories', confidence: 1 });
    const named = await read({ ...request, prompt: undefined, known, fileName: 'blue-mug.jpg' });
    expect(named.product.kind).toBe('Home & Garden');
    const unnamed = await read({ ...request, prompt: undefined, known });
    expect(unnamed.product).toMatchObject({ kind: 'Electronics', staging: 'panel' });
    expect(unnamed.spoken).toBeUndefined();
  });

  it.each([
    ['my sneaker on a podium', 'Apparel & Accessories'],
    ['a photo of a red sofa', 'Furniture'],
    ['Foto von einem Sofa auf Beton', 'Furniture'],
    ['our new coffee cup', 'Home & Garden'],
    ['this is a guitar', 'Arts & Entertainment'],
    ['product: lipstick, pink wall', 'Health & Beauty'],
    ['mes lunettes sur du marbre', 'Apparel & Accessories'],
    ['mi bolso sobre madera', 'Luggage & Bags'],
  ])('takes the product that the prompt "%s" states', async (prompt, kind) => {
    const { product } = await read({ ...request, prompt, known });
    expect(product).toMatchObject({ kind, confidence: 0.9 });
  });

  it.each([
    'next to a sofa',
    'on a table with a laptop and a coffee cup',
    'next to my sofa',
    'in my car',
    'with our books and candles',
    'beside a lamp and a vase',
    'sofa, lamp, books',
    'neben meinem Sofa',
    'avec mes livres',
    'not my sofa',
    'coffee cup on a shelf',
  ])('does not detect a stated product in "%s"', async (prompt) => {
    const { product } = await read({ ...request, prompt, known });
    expect([product.kind, product.staging]).toEqual(['Electronics', 'panel']);
  });

  it("prefers the caller's hint to the prompt", async () => {
    const { product, spoken } = await read({ ...request, prompt: 'my sofa', hint: 'shoes', known });
    expect(product.kind).toBe('Apparel & Accessories');
    expect(spoken).toEqual([{ words: ['sofa'], want: undefined, reason: 'not_the_product' }]);
  });

  it('ignores an unknown stored kind', async () => {
    const odd = { ...known, kind: 'Spaceships' };
    expect((await read({ ...request, prompt: undefined, known: odd })).product.kind).not.toBe('Spaceships');
  });
});

describe('a request, read by a model', () => {
  const asked: Parameters<LlmPlanner>[0][] = [];
  const plan: LlmPlanner = async (question) => {
    asked.push(question);
    return {
      spoken: readWants(readUnits('marble podium'), () => false),
      titles: { words: 'Marmor' },
      product: { kind: 'Toys & Games' },
      englishPrompt: 'a marble podium in soft light',
    };
  };

  it('returns the model’s words, titles, kind and English sentence', async () => {
    const read = createRequestReader({ plan, seesPicture: true });
    const understood = await read({ ...request, prompt: 'ein Podest aus Marmor' });
    expect(understood).toMatchObject({
      readBy: 'model',
      titles: { words: 'Marmor' },
      wish: 'a marble podium in soft light',
      product: { kind: 'Toys & Games' },
    });
    expect(asked.at(-1)).toMatchObject({ picturePng: request.picturePng, ratio: '1:1' });
  });

  it('does not send the picture if so configured, and asks nothing without a prompt', async () => {
    const read = createRequestReader({ plan, seesPicture: false });
    await read(request);
    expect(asked.at(-1)!.picturePng).toBeUndefined();
    const before = asked.length;
    await read({ ...request, prompt: undefined });
    expect(asked).toHaveLength(before);
  });

  it('returns the original prompt as the wish if the planner fell back to the rules', async () => {
    const read = createRequestReader({
      plan: async () => undefined,
      seesPicture: true,
    });
    const { readBy, wish, spoken } = await read(request);
    expect([readBy, wish]).toEqual(['rules', request.prompt]);
    expect(wordsIn(spoken)).toContain('sage green');
  });
});
