import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { PackshotError } from '../../packages/errors/index.ts';
import { mutationsSchema } from '../recipes/mutations.ts';
import { leaveOut } from './body-schema.ts';
import { validateFields } from './field-errors.ts';

const body = z.strictObject({
  id: z.string().max(10),
  size: z.number().int().min(1).optional(),
  mutations: mutationsSchema.optional(),
});

function validate(data: unknown, httpPart = 'body') {
  const check = validateFields({ schema: body, httpPart, method: 'POST', url: '/' });
  return check(data) as { value?: unknown; error?: PackshotError };
}
const fieldsOf = (data: unknown) =>
  validate(data).error!.fields!.map(({ pointer, code }) => `${pointer} ${code}`);

describe('a body', () => {
  it('that is valid passes unchanged', () => {
    const fitting = { id: 'a', size: 3, mutations: { shadow: { strength: 0.5 } } };
    expect(validate(fitting)).toEqual({ value: fitting });
  });

  it.each([null, undefined, [], 'text', 7, true])('%j is not a JSON object', (data) => {
    expect(validate(data).error).toMatchObject({ code: 'malformed_json', fields: undefined });
  });

  it('gets an error with a pointer to each missing, invalid or unknown field', () => {
    expect(fieldsOf({ size: 0, colour: 1 }).toSorted()).toEqual([
      '/colour unknown_field',
      '/id missing_field',
      '/size invalid_field',
    ]);
    expect(fieldsOf({ id: null })).toEqual(['/id missing_field']);
    expect(fieldsOf({ id: 'a', mutations: { shadow: { kind: 'drop', x: 1 } } }).toSorted()).toEqual([
      '/mutations/shadow/kind invalid_field',
      '/mutations/shadow/x unknown_field',
    ]);
    expect(fieldsOf({ id: 'a', mutations: { images: { primaryIllustration: {} } } })).toEqual([
      '/mutations/images/primaryIllustration invalid_field',
    ]);
  });

  it('gets an error with the code of the first invalid field, whose pointer is in the detail', () => {
    const { error } = validate({ id: 5, size: 'x' });
    expect(error).toMatchObject({
      code: 'invalid_field',
      message: expect.stringMatching(/^\/id: .*\(and 1 more\)$/),
    });
    expect(error!.code).toBe(error!.fields![0]!.code);
  });

  it('gets errors with pointers that are escaped according to RFC 6901', () => {
    expect(fieldsOf({ id: 'a', 'a/b~c': 1 })).toEqual(['/a~1b~0c unknown_field']);
  });

  it('gets an error that lists the known fields if it has an unknown one', () => {
    const { error } = validate({ id: 'a', mutations: { shadow: { blur: 2 } } });
    expect(error!.fields![0]!.detail).toBe(
      'Unknown field. Known fields: kind, strength, softness, direction.',
    );
  });

  it('is distinguished from query and path: an error says which of them has the invalid field', () => {
    expect(validate({ id: 'a', wait: 1 }, 'querystring').error).toMatchObject({
      message: expect.stringMatching(/^query parameter wait: /),
      fields: [{ in: 'query', pointer: '/wait' }],
    });
    expect(validate({ id: 5 }, 'params').error!.fields).toMatchObject([{ in: 'path' }]);
    expect(validate({ id: 'far too long' }, 'params').error).toMatchObject({ code: 'unknown_path' });
    expect(validate({ id: 5 }).error!.fields![0]).not.toHaveProperty('in');
  });

  it('with countless unknown fields gets a response of limited size', () => {
    const flood = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`k${i}`, 1]));
    const { error } = validate({ id: 'a', ...flood });
    expect(error!.fields!.length).toBeLessThanOrEqual(100);
    expect(error!.message).toContain('(and 29999 more)');
  });

  it('of any JSON is accepted or rejected with a client error, never with an exception', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 5 }),
        fc.constantFrom('body', 'querystring', 'params'),
        (data, part) => {
          const { value, error } = validate(data, part);
          if (error) {
            expect(error.status).toBe(400);
            for (const { pointer } of error.fields ?? []) expect(pointer).toMatch(/^(\/[^/]*)*$/);
          } else {
            expect(value).toEqual(leaveOut(body, data));
          }
        },
      ),
      { numRuns: 300, seed: 11 },
    );
  });
});
