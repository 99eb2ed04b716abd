/** Test suite that every dialect must pass. */
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { errorTable, PackshotError } from '../../../packages/errors/index.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { type Dialect, findAmong } from './dialect.ts';

/** Paths that are ours, whatever a dialect wants. */
const ours = ['/', '/v1/design/x', '/v1/jobs', '/v1/recipes', '/v2/design/x', '/healthz', '/p/x'];

export function describeDialect(name: string, dialect: Dialect): void {
  const find = findAmong([dialect]);

  describe(`${name}, as a dialect`, () => {
    it('adds routes only below its own paths, each with a name for the log', () => {
      const routes: { url: string; operation: unknown }[] = [];
      const server = Fastify();
      server.setValidatorCompiler(() => () => true);
      server.setSerializerCompiler(() => JSON.stringify);
      server.addHook('onRoute', ({ url, config }) => {
        routes.push({ url, operation: config?.operation });
      });
      dialect.addRoutes(server as unknown as Server, {} as ServerDependencies);
      expect(routes.length).toBeGreaterThan(0);
      for (const { url, operation } of routes) {
        expect(find(url), url).toBe(dialect);
        expect(operation, url).toMatch(/^[a-z-]+$/);
      }
    });

    it.each(ours)('leaves %s to us', (path) => {
      expect(find(path)).toBeUndefined();
    });

    it.each(Object.keys(errorTable) as (keyof typeof errorTable)[])('words %s as a failure', (code) => {
      const { status, contentType, body } = dialect.describeFailure(new PackshotError(code, 'what failed'));
      expect(status).toBeGreaterThanOrEqual(400);
      expect(Math.floor(status / 100)).toBe(Math.floor(errorTable[code].status / 100));
      expect(contentType).toMatch(/^application\/json/);
      expect(Object.keys(JSON.parse(body)).length).toBeGreaterThan(0);
    });
  });
}
