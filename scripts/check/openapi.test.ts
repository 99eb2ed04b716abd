import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import collection from '../../examples/packshot.postman_collection.json' with { type: 'json' };
import { errorTable } from '../../packages/errors/index.ts';

const source = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8');
// biome-ignore lint/suspicious/noExplicitAny: a test that reads a missing field fails.
const document: any = JSON.parse(source);
// biome-ignore lint/suspicious/noExplicitAny: as above.
const operations: [string, any][] = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  Object.entries<any>(methods).map(([method, operation]): [string, any] => [`${method} ${path}`, operation]),
);

// biome-ignore lint/suspicious/noExplicitAny: the document has no static type.
const resolve = ({ $ref, ...own }: any) =>
  $ref ? document.components.responses[$ref.split('/').at(-1)] : own;

describe('openapi.json', () => {
  it('has no warnings by the recommended rules of a public linter', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source, config, absoluteRef: '/openapi.json' });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });

  it('lists every status as a number, and every error code of the table at least once', () => {
    const named = new Set<string>();
    for (const [name, { responses }] of operations) {
      expect(Object.keys(responses), name).not.toContain('default');
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      for (const [status, own] of Object.entries<any>(responses)) {
        const response = resolve(own);
        expect(response.description, `${name} ${status}`).not.toBe('Default Response');
        for (const [, code] of response.description.matchAll(/`(\w+)`/g)) named.add(code);
      }
    }
    // Nonexistent paths and methods are not operations, and POST /mcp has its own protocol.
    const elsewhere = ['unknown_path', 'method_not_allowed', 'origin_refused'];
    expect(Object.keys(errorTable).filter((code) => !named.has(code) && !elsewhere.includes(code))).toEqual(
      [],
    );
  });

  it('has an example for each body of a request and each JSON response, and each matches its schema', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'openapi');
    for (const [name, operation] of operations) {
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      const answers = Object.values<any>(operation.responses).map(
        (part) => resolve(part).content?.['application/json'],
      );
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      const bodies = Object.values<any>(operation.requestBody?.content ?? {});
      for (const content of [...bodies, ...answers].filter(Boolean)) {
        expect(content.example, name).toBeDefined();
        const { $ref } = content.schema;
        const validate = ajv.compile($ref ? { $ref: `openapi${$ref}` } : content.schema);
        validate(content.example);
        expect(validate.errors ?? [], name).toEqual([]);
      }
    }
  });

  it('has each call as a curl command that a shell can read, and in the collection for Postman', () => {
    const samples = operations.map(([, operation]) => operation['x-codeSamples'][0].source);
    expect(execFileSync('bash', ['-n'], { input: samples.join('\n') }).toString()).toBe('');
    const requests = collection.item
      .flatMap(({ item }) => item)
      .map(({ request: { method, url } }) => {
        return `${method.toLowerCase()} ${url.raw.replace('{{base}}', '').replaceAll(/:(\w+)/g, '{$1}')}`;
      });
    expect(requests.sort()).toEqual(operations.map(([name]) => name).sort());
  });
});
