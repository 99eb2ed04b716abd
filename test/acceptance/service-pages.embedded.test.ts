import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorTable } from '../../packages/errors/index.ts';
import { jsonOf, problemOf, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('the pages about the service', () => {
  it('/healthz and /readyz respond without a key', async () => {
    for (const path of ['/healthz', '/readyz']) {
      expect((await service.call(path, { key: null })).status).toBe(200);
    }
  });

  it('/v1/recipes lists every family with its canvas sizes', async () => {
    const { recipes } = await jsonOf(service.call('/v1/recipes'));
    const byId = new Map<string, { family: string; variants: string[]; canvas: Record<string, unknown> }>(
      recipes.map((recipe: { id: string }) => [recipe.id, recipe]),
    );
    expect(byId.get('Solid1_1_0035')).toMatchObject({ family: 'solid', variants: ['1:1'] });
    expect(byId.get('Solid1_1_0042')).toBeDefined();
    expect(byId.get('Transp001')?.variants).toEqual(
      expect.arrayContaining(['1:1', '4:5', '9:16', '16:9', '5:4', '4:3', '3:4', '3:2', '2:3']),
    );
    expect(byId.get('Solid4_5_0035')?.canvas['4:5']).toEqual({
      preview: { width: 512, height: 640 },
      full: { width: 1600, height: 2000 },
    });
    expect(new Set(recipes.map((recipe: { family: string }) => recipe.family))).toEqual(
      new Set(['solid', 'transparent', 'listing', 'gradient', 'surface', 'studio']),
    );
    const colours = recipes.filter((recipe: { id: string }) => recipe.id.startsWith('Solid1_1_'));
    expect(colours.length).toBeGreaterThanOrEqual(40);
  });

  it('/v1/limits returns the documented defaults', async () => {
    // The other tests' services have different deadlines.
    const usual = await startService({ PREVIEW_DEADLINE_MS: '', FULL_DEADLINE_MS: '' });
    try {
      expect(await jsonOf(usual.call('/v1/limits'))).toMatchObject({
        image: { maxBytes: 25 * 1024 * 1024, maxPixels: 50e6, maxAvifPixels: 25e6, minSidePx: 16 },
        jsonBody: { maxBytes: 262_144 },
        urlFetch: { timeoutMs: 15_000, maxRedirects: 3 },
        deadlinesMs: { preview: 30_000, full: 60_000 },
        retentionDays: 7,
      });
    } finally {
      await usual.stop();
    }
  });

  it('/openapi.json is the committed document and names every error code', async () => {
    const document = await jsonOf(service.call('/openapi.json', { key: null }));
    const committed = JSON.parse(await readFile('openapi.json', 'utf8'));
    // This operation's example shows the settings of the running service.
    const { content } = committed.paths['/v1/limits'].get.responses['200'];
    content['application/json'].example = await jsonOf(service.call('/v1/limits'));
    expect(document).toEqual(committed);
    expect(document.components.schemas.Problem.properties.code.enum).toEqual(Object.keys(errorTable));
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        '/v1/design/image-upload',
        '/v1/design/preview.webp',
        '/v1/design/generated.jpeg',
      ]),
    );
  });

  it('/docs shows the reference page without a key', async () => {
    const page = await service.call('/docs', { key: null });
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'/);
  });

  it('an unknown path gets unknown_path, and a wrong method gets method_not_allowed and the header Allow', async () => {
    expect(await problemOf(await service.call('/v1/nothing'))).toMatchObject({
      status: 404,
      code: 'unknown_path',
    });
    expect(await problemOf(await service.call('/%ff'))).toMatchObject({ status: 404, code: 'unknown_path' });
    for (const [method, path, allow] of [
      ['GET', '/v1/design/preview.webp', 'POST'],
      ['GET', '/v1/design/image-upload', 'POST'],
      ['PUT', '/v1/recipes', 'GET, HEAD'],
      ['POST', '/v1/design/dsg_x', 'GET, HEAD, DELETE'],
    ] as const) {
      const response = await service.call(path, { method });
      expect(await problemOf(response), path).toMatchObject({ status: 405, code: 'method_not_allowed' });
      expect(response.headers.get('allow')).toBe(allow);
    }
  });

  it('an API response forbids content sniffing and the loading of other content', async () => {
    const { headers } = await service.call('/v1/limits');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'");
  });
});
