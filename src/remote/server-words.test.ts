import { describe, expect, it } from 'vitest';
import { cleanWords, isOutOfQuota, quoteServer } from './server-words.ts';

const quote = (answer: unknown, secrets: readonly string[] = []) =>
  quoteServer(Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer)), secrets);

describe('quoteServer', () => {
  it.each<[string, unknown, string]>([
    ['OpenAI', { error: { message: 'Too large', type: 'x', param: null, code: null } }, 'Too large'],
    ['Google', { error: { code: 400, message: 'Bad ratio', status: 'INVALID_ARGUMENT' } }, 'Bad ratio'],
    [
      'fal',
      { detail: [{ loc: ['body', 'prompt'], msg: 'field required', type: 'm' }] },
      'body.prompt: field required',
    ],
    ['Replicate', { title: 'Free time limit', detail: 'Set up billing', status: 402 }, 'Set up billing'],
    [
      'the web UI',
      { error: 'HTTPException', detail: 'Sampler not found', body: '', errors: '' },
      'HTTPException; Sampler not found',
    ],
    ['a plain server', { message: 'no' }, 'no'],
  ])('extracts the message of %s', (_, answer, words) => {
    expect(quote(answer)).toBe(` It says: "${words}"`);
  });

  it.each([['<html>oops</html>'], ['[1]'], ['null'], ['{"error":{"code":7}}'], ['']])(
    'quotes nothing from %s',
    (text) => {
      expect(quote(text)).toBe('');
    },
  );

  it('redacts whole and partial secrets, and removes line breaks', () => {
    const secrets = ['Bearer abcdef123', 'abcdef'];
    expect(quote({ message: 'key abcdef123\r\nis \u0007 not abcdef' }, secrets)).toBe(
      ' It says: "key [secret] is not [secret]"',
    );
  });

  it('truncates long messages', () => {
    expect(cleanWords('x'.repeat(10_000), []).length).toBe(400);
  });
});

describe('isOutOfQuota', () => {
  it('distinguishes exhausted quota from rate limiting', () => {
    const errorBody = (code: string) => Buffer.from(JSON.stringify({ error: { message: 'no', code } }));
    expect([
      isOutOfQuota(errorBody('insufficient_quota')),
      isOutOfQuota(errorBody('rate_limit_exceeded')),
    ]).toEqual([true, false]);
  });
});
