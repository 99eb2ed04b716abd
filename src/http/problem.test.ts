import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, errorTable, PackshotError } from '../../packages/errors/index.ts';
import { problemSchema, sendProblem } from './problem.ts';

async function answerTo(error: unknown) {
  const server = Fastify({ genReqId: () => 'req_1' });
  server.decorateRequest('failure', null);
  server.setErrorHandler(sendProblem);
  server.get('/', () => {
    throw error;
  });
  const response = await server.inject('/');
  return { response, problem: response.json() };
}

describe('a problem document', () => {
  it.each(Object.keys(errorTable) as ErrorCode[])('describes %s as in the error table', async (code) => {
    const { response, problem } = await answerTo(new PackshotError(code, 'What failed.'));
    const { status, title, retryable } = errorTable[code];
    expect(response.statusCode).toBe(status);
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json\b/);
    expect(problem).toEqual({
      type: `urn:packshot:error:${code}`,
      title,
      status,
      detail: 'What failed.',
      code,
      requestId: 'req_1',
    });
    expect(problemSchema.safeParse(problem).success).toBe(true);
    expect(response.headers['x-request-id']).toBe('req_1');
    expect('retry-after' in response.headers).toBe(retryable);
  });

  it('lists invalid fields, and comes with a Retry-After header if the error has a time to retry', async () => {
    const fields = [{ pointer: '/id', code: 'missing_field' as const, detail: 'This field is required.' }];
    expect((await answerTo(new PackshotError('missing_field', 'x', { fields }))).problem.errors).toEqual(
      fields,
    );
    const { response } = await answerTo(new PackshotError('rate_limited', 'x', { retryAfterS: 7 }));
    expect(response.headers['retry-after']).toBe('7');
  });

  it.each([
    new Error('SELECT secret FROM /var/lib'),
    Object.assign(new Error('secret'), { code: 'SQLITE_ERROR' }),
    Object.assign(new Error('secret'), { statusCode: 500 }),
    Object.assign(new Error('secret'), { statusCode: 200 }),
    new PackshotError('internal', 'Noted.', { cause: new Error('secret') }),
  ])('reveals nothing about the internal error %s', async (error) => {
    const { response, problem } = await answerTo(error);
    expect(problem).toMatchObject({ status: 500, code: 'internal' });
    expect(response.body).not.toContain('secret');
  });

  it('reports a client error of the framework as invalid_field, without the framework’s message', async () => {
    const { response, problem } = await answerTo(Object.assign(new Error('secret'), { statusCode: 418 }));
    expect(problem).toMatchObject({ status: 400, code: 'invalid_field' });
    expect(response.body).not.toContain('secret');
  });
});
