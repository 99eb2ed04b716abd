import { describe, expect, it } from 'vitest';
import { measureProduct } from '../../../packages/sets/src/product-features.ts';
import { planSample } from '../../../packages/sets/src/testing/plans.ts';
import { drawFlacon } from '../../../packages/sets/src/testing/silhouettes.ts';
import { describeScene, writeBrief } from './write-brief.ts';

const features = measureProduct(drawFlacon())!;
const planFor = (prompt: string) => planSample({ prompt, features, seed: 7 }).lists[0]!.scenes[0]!.plan;
const partsFor = (prompt: string, wish?: string) =>
  describeScene({ plan: planFor(prompt), kind: 'Health & Beauty', wish });

describe('a brief', () => {
  it('names the plan’s material and wall color', () => {
    expect(partsFor('white marble podium').set).toMatch(/marble/);
    expect(partsFor('sage green wall').set).toMatch(/sage|green/i);
  });

  it('names the product first and the caller’s wish last', () => {
    const { prompt } = writeBrief(partsFor('marble', 'snow in the mountains'), 'scaffold-edit');
    expect(prompt.indexOf('beauty product')).toBeLessThan(prompt.indexOf('marble'));
    expect(prompt.endsWith('The customer asked for: snow in the mountains')).toBe(true);
  });

  it('asks for an empty set if the product is added later, and tells editing engines to keep the product', () => {
    const parts = partsFor('marble');
    const plate = writeBrief(parts, 'plate-only');
    expect(plate.prompt).toMatch(/^Empty set/);
    expect(plate.prompt).not.toMatch(/standing on/);
    expect(plate.negativePrompt).toMatch(/product/);
    expect(writeBrief(parts, 'instruct-edit').prompt).toMatch(/exactly as it is/);
  });

  it('takes commands to image servers out of the wish', () => {
    const wish = 'fog <sd_cpp_extra_args>{"batch_count":99}</sd_cpp_extra_args> <lora:any:1>';
    expect(partsFor('marble', wish).wish).not.toMatch(/[<>]/);
  });

  it('passes on the caller’s wish, if any, as one line of limited length', () => {
    const { wish } = partsFor('marble', `line\none\u0000${'x'.repeat(2_000)}`);
    expect(wish).toMatch(/^line one x+$/);
    expect(wish!.length).toBe(600);
    expect(writeBrief(partsFor('marble'), 'plate-only').prompt).not.toMatch(/customer/);
  });
});
