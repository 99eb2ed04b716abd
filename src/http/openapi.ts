/** The API document, generated from the schemas that validate, and the reference page that shows it. */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import type { Server } from './rooms.ts';

declare module 'fastify' {
  interface FastifySchema {
    /** Kinds of bodies, for the document alone: the endpoint validates them itself. */
    bodies?: Readonly<Record<string, z.ZodType>>;
  }
}

export const apiVersion = '1.0.0';

export async function addOpenApi(server: Server, publicUrl: string | undefined): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Packshot',
        version: apiVersion,
        description:
          'Product pictures from phone photos: upload, then render with a known recipe. Every call carries `X-Api-Key`.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl ?? '/' }],
      tags: [
        { name: 'Designs', description: 'Photos and the cutouts made of them' },
        { name: 'Pictures', description: 'Recipes and renders' },
        { name: 'Batches', description: 'Many pictures at once' },
        { name: 'Service', description: 'Health and limits' },
      ],
      security: [{ apiKey: [] }],
      components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } } },
    },
    transform: (input) => {
      const { schema, url } = jsonSchemaTransform(input);
      if (schema.bodies) return { schema: documentBodies(input, schema), url };
      // A form is read as a stream, so no schema validates it and none would be generated.
      const body = schema.consumes?.includes('multipart/form-data') ? { body: fileForm } : {};
      return { schema: { ...schema, ...body }, url };
    },
    transformObject: jsonSchemaTransformObject,
  });
}

type Transform = typeof jsonSchemaTransform;

/** Each kind of body as if it were the only one: the transformation knows a single one. */
function documentBodies(input: Parameters<Transform>[0], schema: ReturnType<Transform>['schema']) {
  const { bodies, ...rest } = schema;
  const content = Object.entries(input.schema.bodies ?? {}).map(([type, body]) => {
    const { schema: transformed } = jsonSchemaTransform({ ...input, schema: { body } });
    return [type, { schema: transformed.body }];
  });
  return { ...rest, body: { content: Object.fromEntries(content) } };
}

const fileForm = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary', description: 'JPEG, PNG, WebP, AVIF, TIFF or GIF.' },
  },
};

export async function addReferencePage(server: Server): Promise<void> {
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    uiConfig: { docExpansion: 'list', deepLinking: true, tryItOutEnabled: true },
    theme: {
      title: 'Packshot API',
      // The bar on top carries the page maker's logo and a field to load other people's documents.
      css: [{ filename: 'packshot.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  });
  server.get('/openapi.json', { config: { operation: 'openapi' }, schema: { hide: true } }, async () =>
    server.swagger(),
  );
}
