import { describe, expect, it } from 'vitest';
import { dialects } from './add-dialects.ts';
import { describeDialect } from './dialect.contract.ts';
import { findAmong } from './dialect.ts';

for (const dialect of dialects) describeDialect(dialect.paths[0]!, dialect);

describe('the dialects together', () => {
  it.each([
    ['/v1.0/removebg?x=1', 0],
    ['/v1/segment', 1],
    ['/v1/account', 2],
    ['/v2/edit', 2],
    ['/api', 3],
    ['/api/remove', 3],
    ['/v1/remove-background', 4],
  ])('%s belongs to the service that has it', (url, index) => {
    expect(findAmong(dialects)(url)).toBe(dialects[index]);
  });

  it('leaves similar paths to us', () => {
    for (const url of ['/v1.0x', '/v1/segments', '/apis', '/v2', '/v2/design/preview.webp'])
      expect(findAmong(dialects)(url)).toBeUndefined();
  });
});
