/**
 * Interface of a dialect: a drop-in interface for clients of another service. A dialect is one file with a Fastify plug-in,
 * and a name in the list of add-dialects.ts; `describeDialect` (dialect.contract.ts) says what it promises.
 */

import type { PackshotError } from 'packshot-errors';
import type { Failure } from '../../dialects/failures.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';

export interface Dialect {
  /**
   * What belongs to the other service, such as `/v1/segment` or `/v1.0/*`: failures there are in its own form, pages of any
   * site may call it, and the rate is counted by the minute.
   */
  readonly paths: readonly string[];
  readonly describeFailure: (error: PackshotError) => Failure;
  /** A Fastify plug-in. The calls have a key already, and their bodies are unread. */
  addRoutes(server: Server, rooms: ServerDependencies): void;
}

/** Undefined for our own paths. The URL may include a query. */
export type DialectFinder = (url: string) => Dialect | undefined;

declare module 'fastify' {
  interface FastifyInstance {
    /** Absent in a server without dialects. */
    findDialect?: DialectFinder;
  }
}

export function findAmong(dialects: readonly Dialect[]): DialectFinder {
  const owned = dialects.flatMap((dialect) => dialect.paths.map((path) => [path, dialect] as const));
  return (url) => {
    const [path = ''] = url.split('?');
    // Below /v2/design, our own next version would be.
    if (path.startsWith('/v2/design')) return undefined;
    return owned.find(([own]) =>
      own.endsWith('/*') ? path.startsWith(own.slice(0, -1)) : path === own || path.startsWith(`${own}/`),
    )?.[1];
  };
}

/** Pages of any site can call the service with a key, and read all response headers. Cookies are not used. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
} as const;
