import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { baseOf } from './base-url.ts';

const from = (host: string) => baseOf({ protocol: 'http', host } as FastifyRequest, undefined);

it.each(['x:99999', 'a b', '', '[::1'])('a Host header that is no host is refused: %j', (host) => {
  expect(() => from(host)).toThrow(expect.objectContaining({ code: 'invalid_field' }));
});

it('URLs begin as the caller reached the service, or as the operator said', () => {
  expect(from('shop.example:8080')).toBe('http://shop.example:8080');
  const request = { protocol: 'http', host: 'a b' } as FastifyRequest;
  expect(baseOf(request, 'https://pictures.example')).toBe('https://pictures.example');
});
