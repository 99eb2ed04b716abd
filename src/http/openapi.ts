/** The API document, generated from the schemas that validate, and the reference page that shows it. */
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
    /** Parameters of the query, for the document alone. */
    parameters?: z.ZodObject;
    /** Kinds of bodies, for the document alone: the endpoint validates them itself. */
    bodies?: Readonly<Record<string, z.ZodType>>;
  }
}

export async function addOpenApi(
  server: Server,
  publicUrl: string | undefined,
  examples: Examples,
): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Packshot',
        version: packageVersion,
        description:
          'Product pictures from phone photos. Upload a photo; its background is removed. Then render it with a known recipe, or have scenes suggested for the product and render the one you like. Every call carries `X-Api-Key`. Every failure is a problem document (RFC 9457).',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl ?? '/' }],
      tags: [
        { name: 'Designs', description: 'Photos and the cutouts made of them' },
        { name: 'Pictures', description: 'Recipes and renders' },
        { name: 'Batches', description: 'Many pictures at once' },
        {
          name: 'Drop-in interfaces',
          description:
            'Of other services: their clients work with another base URL and key. Their failures keep their shapes',
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
      // A form is read as a stream, so no schema validates it and none would be generated.
      const form = url.endsWith('image-upload') ? photoForm : fileForm;
      const body = schema.consumes?.includes('multipart/form-data') ? { body: form } : {};
      return { schema: { ...schema, ...body }, url };
    },
    transformObject: (input) => documentOperations(jsonSchemaTransformObject(input), examples),
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

/** As if the endpoint did not validate it itself. */
function documentQuery(input: Parameters<Transform>[0], schema: ReturnType<Transform>['schema']) {
  const { parameters, ...rest } = schema;
  const { schema: transformed } = jsonSchemaTransform({
    ...input,
    schema: { querystring: input.schema.parameters },
  });
  return { ...rest, querystring: transformed.querystring };
}

const fileForm = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary', description: 'JPEG, PNG, WebP, AVIF, TIFF, GIF or HEIC.' },
  },
};

const photoForm = {
  ...fileForm,
  properties: {
    ...fileForm.properties,
    productKind: {
      type: 'string',
      maxLength: 100,
      description: 'What the product is, such as `shoes` or `Health & Beauty`.',
    },
  },
};

/** A style that the page's script writes when a call is opened. An update of the page may bring another: its test says so. */
const ownStyle = 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w=';

export async function addReferencePage(server: Server): Promise<void> {
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    // The page's own policy would also let in styles and fonts of any site.
    transformStaticCSP: () => pagePolicy([ownStyle]),
    // Without the last one a service off loopback has its document judged by a site of the page's makers.
    uiConfig: { docExpansion: 'list', deepLinking: true, tryItOutEnabled: true, validatorUrl: null },
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
