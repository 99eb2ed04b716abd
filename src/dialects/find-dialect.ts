/** Finds the dialect that a path belongs to. */
import type { Dialect } from './dialect.ts';
import { photoroom, photoroomImage } from './photoroom/errors.ts';
import { rembg } from './rembg/errors.ts';
import { removebg } from './removebg/errors.ts';

const paths: readonly (readonly [pattern: RegExp, dialect: Dialect])[] = [
  [/^\/v1\.0(\/|$)/, removebg],
  // withoutBG's server is made with FastAPI, like rembg's, so its failures have the same shape.
  [/^\/(api|v1\/remove-background)(\/|$)/, rembg],
  [/^\/v1\/segment(\/|$)/, photoroom],
  // Below /v2/design, our own next version would be.
  [/^\/(v1\/account(\/|$)|v2\/(?!design))/, photoroomImage],
];

/** Undefined for our own paths. The URL may include a query. */
export function findDialect(url: string): Dialect | undefined {
  const [path = ''] = url.split('?');
  return paths.find(([pattern]) => pattern.test(path))?.[1];
}
