import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { acceptEchoes, leaveOut, listKnownFields } from './body-schema.ts';

const request = z.strictObject({
  recipeId: z.string(),
  format: z.enum(['png', 'jpeg']).default('jpeg'),
  note: z.string().nullable().optional(),
  mutations: z
    .strictObject({ layout: z.strictObject({ scale: z.number().optional() }).optional() })
    .refine(({ layout }) => layout?.scale !== 13, { error: 'not 13' })
    .optional()
    .describe('Changes.'),
  items: z.array(z.strictObject({ size: z.int().optional() })).optional(),
});
const answer = z.object({
  recipeId: z.string(),
  title: z.string(),
  mutations: z.object({
    layout: z.object({ scale: z.number(), because: z.string() }).optional(),
    images: z.object({ uri: z.string() }),
  }),
});
const accepting = acceptEchoes(request, answer);
const read = (data: unknown) => accepting.safeParse(leaveOut(accepting, data));

describe('a request schema that accepts fields of our responses', () => {
  it('accepts every field of the response at every level, but passes on only the request’s own fields', () => {
    const sent = {
      recipeId: 'a',
      title: 'A',
      mutations: { layout: { scale: 0.5, because: 'air' }, images: { uri: 'x' } },
    };
    expect(read(sent).data).toEqual({ recipeId: 'a', format: 'jpeg', mutations: { layout: { scale: 0.5 } } });
  });

  it('still rejects fields that are in neither schema, and values that violate the request’s rules', () => {
    expect(read({ recipeId: 'a', titles: 'A' }).success).toBe(false);
    expect(read({ recipeId: 'a', mutations: { layout: { scale: 1, why: '' } } }).success).toBe(false);
    expect(read({ recipeId: 'a', mutations: { layout: { scale: 13 } } }).error?.issues[0]?.message).toBe(
      'not 13',
    );
  });

  it('is the unchanged request schema if the response has no further fields', () => {
    expect(acceptEchoes(request, z.object({ recipeId: z.string() }))).toBe(request);
  });

  it('lists only fields that have an effect', () => {
    expect(listKnownFields(accepting, [])).toEqual(['recipeId', 'format', 'note', 'mutations', 'items']);
    expect(listKnownFields(accepting, ['mutations', 'layout'])).toEqual(['scale']);
    expect(listKnownFields(accepting, ['items', 3])).toEqual(['size']);
    expect(listKnownFields(accepting, ['recipeId'])).toEqual([]);
  });
});

describe('null', () => {
  it('means "omitted" for optional fields and fields with a default, at every level', () => {
    const sent = {
      recipeId: 'a',
      format: null,
      mutations: { layout: { scale: null } },
      items: [{ size: null }],
    };
    expect(read(sent).data).toEqual({
      recipeId: 'a',
      format: 'jpeg',
      mutations: { layout: {} },
      items: [{}],
    });
    expect(read({ recipeId: 'a', mutations: null, items: null }).data).toEqual({
      recipeId: 'a',
      format: 'jpeg',
    });
  });

  it('is kept as a value where it is valid, and is an error if the field is required or unknown', () => {
    expect(read({ recipeId: 'a', note: null }).data).toHaveProperty('note', null);
    expect(read({ recipeId: null }).success).toBe(false);
    expect(read({ recipeId: 'a', nothing: null }).success).toBe(false);
  });

  it('is left as it is outside of objects, and does not hide an unknown field such as `constructor`', () => {
    for (const data of [null, [], 'text', 7]) expect(leaveOut(accepting, data)).toEqual(data);
    expect(read({ recipeId: 'a', constructor: null }).success).toBe(false);
  });
});
