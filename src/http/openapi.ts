/** The API document, generated from the validation schemas, and the reference page that shows it. */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { packageVersion } from '../version.ts';
import type { Server } from './dependencies.ts';
import { documentOperations, type Examples } from './document-operations.ts';
import { pagePolicy } from './page-policy.ts';

declare module 'fastify' {
  interface FastifySchema {
    /** Query parameters, for documentation only. */
    parameters?: z.ZodObject;
    /** Request bodies by content type, for documentation only: the endpoint validates them itself. */
    bodies?: Readonly<Record<string, z.ZodType>>;
  }
}

export async function addOpenApi(
  server: Server,
  publicUrl: string | undefined,
  examples: Examples,
  promptChars: number,
): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Packshot',
        version: packageVersion,
        description:
          'Product pictures from phone photos. Upload a photo; its background is removed. Then render it with a known recipe, or have scenes suggested for the product and render the one you like. Every call carries `X-Api-Key`. Every failure is a problem document (RFC 9457), except on the paths of drop-in interfaces, which answer as their services do, and of `/mcp`. `POST /mcp` speaks the Model Context Protocol (docs/agents.md) and `GET /metrics` serves Prometheus; neither is described here. Calls belong on a server: the native paths answer no other website.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        contact: { name: 'The operator of this service' },
      },
      servers: [{ url: publicUrl ?? '/', description: 'The service that serves this document.' }],
      tags: [
        { name: 'Designs', description: 'Photos and the cutouts made of them' },
        { name: 'Pictures', description: 'Recipes and renders' },
        { name: 'Looks', description: 'Scenes and recipes saved for all products' },
        { name: 'Batches', description: 'Many pictures at once' },
        {
          name: 'Drop-in interfaces',
          description:
            'Interfaces of other services: their clients work after changing base URL and key. Errors keep the original format',
        },
        { name: 'Service', description: 'Health and limits' },
      ],
      security: [{ apiKey: [] }],
      components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } } },
    },
    transform: (input) => {
      const { schema, url } = jsonSchemaTransform(input);
      if (schema.parameters) return { schema: documentQuery(input, schema), url };
      if (schema.bodies) return { schema: documentBodies(input, schema), url };
      return { schema, url };
    },
    transformObject: (input) => {
      const document = documentOperations(jsonSchemaTransformObject(input), examples);
      // A setting, unlike the limits in the schemas.
      document.components.schemas.SuggestInput.properties.prompt.maxLength = promptChars;
      return document;
    },
  });
}

type Transform = typeof jsonSchemaTransform;

/**
 * Documents the bodies of an endpoint that accepts several content types. Each is transformed separately, because the
 * transformation supports only one body.
 */
function documentBodies(input: Parameters<Transform>[0], schema: ReturnType<Transform>['schema']) {
  const { bodies, ...rest } = schema;
  const content = Object.entries(input.schema.bodies ?? {}).map(([type, body]) => {
    const { schema: transformed } = jsonSchemaTransform({ ...input, schema: { body } });
    return [type, { schema: transformed.body }];
  });
  return { ...rest, body: { content: Object.fromEntries(content) } };
}

/** Documents the query parameters of an endpoint that validates them itself. */
function documentQuery(input: Parameters<Transform>[0], schema: ReturnType<Transform>['schema']) {
  const { parameters, ...rest } = schema;
  const { schema: transformed } = jsonSchemaTransform({
    ...input,
    schema: { querystring: input.schema.parameters },
  });
  return { ...rest, querystring: transformed.querystring };
}

/**
 * Hash of a style that the page's script adds when an operation is expanded. A test fails if an update of the package
 * changes the style.
 */
const ownStyle = 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w=';

export async function addReferencePage(server: Server): Promise<void> {
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    // Without this, the package's policy would allow styles and fonts from any site.
    transformStaticCSP: () => pagePolicy([ownStyle]),
    // Without `validatorUrl: null`, a public service would send its document to Swagger's online validator.
    uiConfig: { docExpansion: 'list', deepLinking: true, tryItOutEnabled: true, validatorUrl: null },
    theme: {
      title: 'Packshot API',
      // Hide the top bar, with its logo and a field that loads other documents.
      css: [{ filename: 'packshot.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  });
  server.get('/openapi.json', { config: { operation: 'openapi' }, schema: { hide: true } }, async () =>
    server.swagger(),
  );
}
