/** Refuses calls that match no operation: with 405 and `Allow` on a known path, otherwise with 404 and advice. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PackshotError } from 'packshot-errors';
import type { Server } from './dependencies.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Marks a route that exists only to refuse the methods that its path does not support. */
    refusesMethods?: boolean;
  }
}

/** Methods by the URL pattern of the route, in registration order. */
export type Routes = ReadonlyMap<string, ReadonlySet<string>>;

const commonMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export function collectRoutes(server: Server): Routes {
  const routes = new Map<string, Set<string>>();
  server.addHook('onRoute', ({ url, method, config }) => {
    if (config?.refusesMethods) return;
    const methods = routes.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    routes.set(url, methods);
  });
  return routes;
}

/**
 * Adds routes below `/v1` that refuse the methods that a path does not support. Without these routes,
 * `GET /v1/design/suggest` would match the route `/v1/design/:id`, with `suggest` as the id.
 */
export function refuseOtherMethods(server: Server, routes: Routes): void {
  for (const [url, methods] of [...routes].filter(([url]) => url.startsWith('/v1/'))) {
    const refuse = async (request: FastifyRequest, reply: FastifyReply) => {
      throw isDesignPath(url)
        ? refuseOnDesign(request, reply, [...methods])
        : refuseMethod(reply, [...methods]);
    };
    server.route({
      method: commonMethods.filter((method) => !methods.has(method)),
      url,
      exposeHeadRoute: false,
      config: { refusesMethods: true },
      schema: { hide: true },
      // Before the body is parsed; Fastify requires a handler as well.
      onRequest: refuse,
      handler: refuse,
    });
  }
}

/**
 * Refuses the calls that still match no route: those to unknown paths, those with unusual methods such as PROPFIND, and
 * those with a wrong method on a path outside `/v1`. Like the routes above, it does so before the body is parsed: a
 * wrong path matters more than a fault in the body.
 */
export function refuseUnknownPaths(
  server: Server,
  routes: Routes,
  countCall?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
): void {
  server.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return;
    await countCall?.(request, reply);
    throw refuseUnknown(request, reply, routes);
  });
}

function refuseUnknown(request: FastifyRequest, reply: FastifyReply, routes: Routes): PackshotError {
  const path = request.url.split('?')[0]!;
  // Routes without parameters come first. A path that answers only the OPTIONS of browsers is none.
  const patterns = [...routes]
    .filter(([url, methods]) => !url.includes('*') && [...methods].some((method) => method !== 'OPTIONS'))
    .sort(([one], [other]) => Number(one.includes(':')) - Number(other.includes(':')));
  const [url, methods] = patterns.find(([url]) => toPattern(url).test(path)) ?? [];
  if (url && methods && !methods.has(request.method)) return refuseMethod(reply, [...methods]);
  const meant = patterns.find(([url]) => toPattern(url).test(`/v1${path}`));
  if (meant)
    return unknownPath(`Every path begins with /v1; this one is ${meant[0].replace(/:(\w+)/g, '{$1}')}.`);
  return unknownPath('Unknown path; /docs lists all operations.');
}

function refuseMethod(reply: FastifyReply, methods: readonly string[]): PackshotError {
  const allow = methods.filter((method) => commonMethods.includes(method)).join(', ');
  reply.header('allow', allow);
  return new PackshotError('method_not_allowed', `This path accepts ${allow} only.`);
}

const isDesignPath = (url: string): boolean => url === '/v1/design/:id';

/**
 * The error for a call that matched `/v1/design/:id` with a wrong method. A POST to `/v1/design/generated.jpg`, for
 * example, is meant for a picture, not for a design with that id.
 */
function refuseOnDesign(
  { method, params }: FastifyRequest,
  reply: FastifyReply,
  methods: readonly string[],
): PackshotError {
  const { id } = params as { id: string };
  const [, picture] = /^(preview|generated)\b/i.exec(id) ?? [];
  if (picture) {
    const name = `/v1/design/${picture.toLowerCase()}`;
    const formats = ['jpeg', 'png', 'webp', 'avif'].map((format) => `${name}.${format}`);
    return unknownPath(`Pictures come from ${formats.join(', ')}.`);
  }
  if (method === 'POST' && !id.startsWith('dsg_')) {
    return unknownPath(
      'POST below /v1/design goes to image-upload, image-upload-from-url, suggest, preview.webp or generated.jpeg.',
    );
  }
  return refuseMethod(reply, methods);
}

const unknownPath = (detail: string): PackshotError => new PackshotError('unknown_path', detail);

function toPattern(url: string): RegExp {
  return new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`);
}
