/** GET /metrics, for keys with the scope `admin`; optionally also on a separate port, without a key. */
import { createServer, type Server as HttpServer } from 'node:http';
import type { Metrics } from '../../monitoring/metrics.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';

export function addMetrics(server: Server, { metrics }: ServerDependencies): void {
  server.get(
    '/metrics',
    { config: { scope: 'admin', operation: 'metrics' }, schema: { hide: true } },
    async (_request, reply) => {
      const { contentType, text } = await metrics.readMetrics();
      return reply.type(contentType).send(text);
    },
  );
}

/** Opens the separate port. Resolves once it is listening; rejects if the port is in use. */
export async function openMetricsPort(
  { readMetrics }: Pick<Metrics, 'readMetrics'>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<HttpServer> {
  const server = createServer({ requestTimeout: 10_000, keepAliveTimeout: 5_000 }, (request, response) => {
    const path = request.url?.split('?')[0];
    if (path !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end();
      return;
    }
    readMetrics().then(
      ({ contentType, text }) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}
