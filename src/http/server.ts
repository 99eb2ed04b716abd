/**
 * Creates the HTTP servers, for callers and for health probes: limits, hooks, API document, and one line per endpoint.
 */
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyError, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { type ErrorCode, PackshotError } from 'packshot-errors';
import type { PublishedLimits } from '../config.ts';
import { newId } from '../ids.ts';
import { createKeyCheck } from './api-key.ts';
import type { Server, ServerDependencies } from './dependencies.ts';
import { addDialects, addKeylessRembg, dialects } from './dialects/add-dialects.ts';
import { type DialectFinder, findAmong } from './dialects/dialect.ts';
import { rembg } from './dialects/rembg.ts';
import { continueOnRead, drainRefusedBodies } from './drain-body.ts';
import { answerClientError, answerExpectation } from './early-refusals.ts';
import { validateFields } from './field-errors.ts';
import { stopGently } from './graceful-stop.ts';
import { addJsonBodies, refuseEncodedBodies } from './json-body.ts';
import { collectRoutes, type Routes, refuseOtherMethods, refuseUnknownPaths } from './known-paths.ts';
import { addOpenApi, addReferencePage } from './openapi.ts';
import { sendProblem } from './problem.ts';
import { addBatches } from './routes/batches.ts';
import { addPictureCheck, addRenderCheck } from './routes/checks.ts';
import { addCorrection } from './routes/correct.ts';
import { addBatchCreation } from './routes/create-batch.ts';
import { addCredits } from './routes/credits.ts';
import { addCutout } from './routes/cutout.ts';
import { addDesign } from './routes/design.ts';
import { addPictures } from './routes/draw-pictures.ts';
import { addEvents } from './routes/events.ts';
import { addHealth } from './routes/health.ts';
import { addIllustration, addIllustrationErasure, addIllustrationUpload } from './routes/illustrations.ts';
import { addImageUpload } from './routes/image-upload.ts';
import { addImageUploadFromUrl } from './routes/image-upload-from-url.ts';
import { addLimits, exampleLimits } from './routes/limits.ts';
import { addLooks } from './routes/looks.ts';
import { addMcp } from './routes/mcp.ts';
import { addMetrics } from './routes/metrics.ts';
import { addPhoneKey, addPhoneLink } from './routes/phone-keys.ts';
import { addPhoto } from './routes/photo.ts';
import { addPictureSigning, addPictureUrl, LONGEST_SOURCE } from './routes/picture-urls.ts';
import { addProjects } from './routes/projects.ts';
import { addRecipes } from './routes/recipes.ts';
import { addStudioPage, type MakePageKey } from './routes/studio-page.ts';
import { addSuggest } from './routes/suggest.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The error of a failed request, for the log line. */
    failure: { readonly code: ErrorCode; readonly cause: Error } | null;
    /** The design created by an upload, for the log line. */
    designId: string | null;
  }
  interface FastifyContextConfig {
    /** Name of the endpoint in logs. */
    operation?: string;
  }
}

export interface ServerOptions {
  readonly requestTimeoutMs: number;
  /** Number of trusted proxies in front of the service; with 0, `X-Forwarded-*` headers are ignored. */
  readonly trustedProxies: number;
  readonly logLevel: string;
  /** Base URL for the API document; relative if omitted. */
  readonly publicUrl: string | undefined;
  /** Creates the key that the Studio page may get once; undefined if no key may be offered. */
  readonly makePageKey: MakePageKey | undefined;
}

/** Shorter than Node's default (60 s), because the service is open to unknown callers. */
const headersTimeoutMs = 10_000;
/** Longer than the 60 s for which proxies keep an idle connection, so that the proxy is the one that closes it. */
const keepAliveTimeoutMs = 65_000;
/**
 * An idle connection is kept this much longer than clients are told: a call that a busy machine reads late must not
 * find its connection closed.
 */
const keepAliveTimeoutBufferMs = 10_000;

/** Creates a server with the settings and hooks that all our servers share. */
async function openServer(
  metrics: ServerDependencies['metrics'],
  options: ServerOptions,
  { bodyLimit, findDialect = () => undefined }: { bodyLimit?: number; findDialect?: DialectFinder } = {},
): Promise<{ readonly server: Server; readonly routes: Routes }> {
  const server: Server = Fastify({
    ...(bodyLimit !== undefined && { bodyLimit }),
    logger: {
      level: options.logLevel,
      base: null,
      // At level trace, the form parser would log all headers, including the key.
      redact: { paths: ['headers', '*.headers', '*.*.headers'], remove: true },
      // The framework's own log lines must omit the URL, which may contain signatures.
      serializers: { req: ({ method }) => ({ method }) },
    },
    // `noteRequest` writes our own line per request.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => newId('req'),
    // The source in a picture's URL is the longest parameter; the schemas of the others limit them further.
    routerOptions: { maxParamLength: LONGEST_SOURCE },
    requestTimeout: options.requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    http: {
      headersTimeout: Math.min(headersTimeoutMs, options.requestTimeoutMs),
      keepAliveTimeoutBuffer: keepAliveTimeoutBufferMs,
      connectionsCheckingInterval: 500,
    },
    // Hop 0 is the connection itself. Entries of `X-Forwarded-For` beyond the trusted proxies may be forged by the
    // caller.
    trustProxy: options.trustedProxies > 0 && ((_, hop) => hop < options.trustedProxies),
    rewriteUrl: ({ url = '/' }) => mendSlashes(url),
    forceCloseConnections: 'idle',
    // `stopGently` refuses calls during a stop, with our own message.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerClientError(error, socket, findDialect),
    frameworkErrors: sendProblem,
  }).withTypeProvider() as Server;
  continueOnRead(server);
  server.server.on('checkExpectation', (request, response) =>
    answerExpectation(request, response, findDialect),
  );
  server.setValidatorCompiler(validateFields);
  server.setSerializerCompiler(serializerCompiler);
  server.decorateRequest('caller', null);
  server.decorateRequest('waitedMs', 0);
  server.decorateRequest('failure', null);
  server.decorateRequest('designId', null);
  server.decorate('findDialect', findDialect);
  server.setErrorHandler<FastifyError>(sendProblem);
  const routes = collectRoutes(server);
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    refuseOddHost(request);
    // If the client disconnects, no response hook runs, but the request should be logged (as 499, like nginx).
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) noteRequest(metrics, request, reply, 499);
    });
  });
  stopGently(server);
  drainRefusedBodies(server);
  server.addHook('onResponse', async (request, reply) => noteRequest(metrics, request, reply));
  await server.register(helmet, {
    contentSecurityPolicy: { directives: { defaultSrc: ["'none'"] }, useDefaults: false },
    // No HSTS header: only the operator knows whether a proxy adds TLS.
    hsts: false,
  });
  return { server, routes };
}

/**
 * Removes what a base URL with a slash at its end, or a habit, adds to a path: doubled slashes at its start, and one at
 * the end of a call's path. Other doubled slashes stay: they may belong to a URL inside the path.
 */
const mendSlashes = (url: string): string =>
  url.replace(/^\/{2,}/, '/').replace(/^(\/(?:v\d[^/?]*|api)\/[^?]*[^/?])\/+(?=\?|$)/, '$1');

/** Refuses a Host that no URI may contain (RFC 9112, 3.2), because the URIs of responses begin with it. */
function refuseOddHost({ host }: FastifyRequest): void {
  if (host === '' || /^(?:[\w.~%-]+|\[[\da-f:.]+\])(?::\d*)?$/i.test(host)) return;
  throw new PackshotError('invalid_field', 'The Host header is not a host name with an optional port.');
}

/** Health server of a process that serves no callers. */
export async function createProbeServer(
  rooms: Pick<ServerDependencies, 'metrics' | 'findObstacles'>,
  options: ServerOptions,
): Promise<Server> {
  const { server, routes } = await openServer(rooms.metrics, options);
  addHealth(server, rooms);
  refuseUnknownPaths(server, routes);
  return server;
}

export async function createServer(rooms: ServerDependencies, options: ServerOptions): Promise<Server> {
  const { jsonBytes } = rooms.published.requests;
  const { server, routes } = await openServer(rooms.metrics, options, {
    bodyLimit: jsonBytes,
    findDialect: findAmong(dialects),
  });
  await addBodies(server, rooms.published);
  await addOpenApi(
    server,
    options.publicUrl,
    { getLimits: exampleLimits(rooms.published) },
    rooms.published.requests.promptChars,
  );
  const checkKey = createKeyCheck(server, rooms.authenticate, rooms.published, rooms.pictureLine);
  refuseUnknownPaths(server, routes, async (request, reply) => {
    // A call to a wrong path with a key counts toward the limits of that key.
    const isKeyed = request.url.startsWith('/v1/') && request.headers['x-api-key'] !== undefined;
    if (isKeyed) await checkKey(request, reply);
  });
  await server.register(async (open) => {
    addHealth(open as Server, rooms);
    addIllustration(open as Server, rooms);
    addPictureUrl(open as Server, rooms);
    addPhoneKey(open as Server, rooms);
    await addReferencePage(open as Server);
    await open.register((page) => addStudioPage(page as Server, options.makePageKey));
  });
  await addDialects(server, rooms, checkKey);
  await server.register(async (agents) => addMcp(agents as Server, rooms, checkKey));
  await server.register(async (keyed) => {
    keyed.addHook('onRequest', checkKey);
    keyed.addHook('onRequest', refuseEncodedBodies);
    for (const add of [
      addImageUpload,
      addIllustrationUpload,
      addPictureCheck,
      addBatchCreation,
      addCorrection,
      addImageUploadFromUrl,
      addDesign,
      addProjects,
      addIllustrationErasure,
      addSuggest,
      addPhoto,
      addCutout,
      addRenderCheck,
      addEvents,
      addPictures,
      addPictureSigning,
      addRecipes,
      addLooks,
      addBatches,
      addLimits,
      addCredits,
      addPhoneLink,
      addMetrics,
    ]) {
      add(keyed as Server, rooms);
    }
    refuseOtherMethods(keyed as Server, routes);
  });
  return server;
}

/** Creates a server for clients of rembg, which need no key. */
export async function createRembgServer(rooms: ServerDependencies, options: ServerOptions): Promise<Server> {
  const { jsonBytes } = rooms.published.requests;
  const { server, routes } = await openServer(rooms.metrics, options, {
    bodyLimit: jsonBytes,
    findDialect: () => rembg,
  });
  await addBodies(server, rooms.published);
  await addKeylessRembg(
    server,
    rooms,
    createKeyCheck(server, rooms.authenticate, rooms.published, rooms.pictureLine),
  );
  refuseUnknownPaths(server, routes);
  return server;
}

/** Lets a server read JSON and forms. */
async function addBodies(server: Server, { upload }: PublishedLimits): Promise<void> {
  addJsonBodies(server, upload);
  await server.register(multipart);
}

/** Only well-formed design ids are logged, never arbitrary text from a caller. */
const designIdPattern = /^dsg_[0-9A-Za-z]{22}$/;

function findDesignId({ designId, params, body }: FastifyRequest): string | undefined {
  if (designId !== null) return designId;
  const { id }: { id?: unknown } = Object.assign({}, body, params);
  return typeof id === 'string' && designIdPattern.test(id) ? id : undefined;
}

/** Records metrics and one log line per request. The line never contains a key, a query string or pixels. */
function noteRequest(
  metrics: ServerDependencies['metrics'],
  request: FastifyRequest,
  reply: FastifyReply,
  status = reply.statusCode,
): void {
  const serverTiming = reply.getHeader('server-timing');
  const line = {
    operation: request.routeOptions.config?.operation ?? 'unknown',
    account: request.caller?.accountId,
    key: request.caller?.keyId,
    design: findDesignId(request),
    status,
    durationMs: Math.round(reply.elapsedTime),
    steps: typeof serverTiming === 'string' ? serverTiming : undefined,
    code: request.failure?.code,
  };
  const { operation } = line;
  metrics.observeRequest({ operation, status, durationMs: reply.elapsedTime, steps: line.steps });
  // Probes are logged only at level debug: they run every few seconds, and their response already reports the state.
  if (operation === 'healthz' || operation === 'readyz') request.log.debug(line, 'probe');
  else if (request.failure?.code === 'internal')
    request.log.error({ ...line, err: request.failure.cause }, 'request failed');
  else if (status >= 500)
    request.log.warn({ ...line, causes: listCauses(request.failure?.cause) }, 'request deferred');
  else request.log.info(line, 'request');
}

/** Messages of an error and of its chain of causes, ending with the root cause. */
function listCauses(error: unknown): string[] {
  return error instanceof Error ? [error.message, ...listCauses(error.cause)] : [];
}
