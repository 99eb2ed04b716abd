/** Finds the dialect that a path belongs to. */
import type { Dialect } from './dialect.ts';
import { photoroom } from './photoroom/errors.ts';
import { rembg } from './rembg/errors.ts';
import { removebg } from './removebg/errors.ts';

const paths: readonly (readonly [pattern: RegExp, dialect: Dialect])[] = [
  [/^\/v1\.0(\/|$)/, removebg],
  [/^\/api(\/|$)/, rembg],
  [/^\/v1\/(segment|account)(\/|$)/, photoroom],
];

/** Undefined for our own paths. The URL may include a query. */
export function findDialect(url: string): Dialect | undefined {
  const [path = ''] = url.split('?');
  return paths.find(([pattern]) => pattern.test(path))?.[1];
}
