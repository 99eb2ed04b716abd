import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sceneSettings } from './config/scenes.ts';
import { ConfigError } from './config/setting.ts';
import { storageSettings } from './config/storage.ts';
import { environmentSchema, loadConfig } from './config.ts';

type Section = (config: ReturnType<typeof loadConfig>) => unknown;

/** Per variable: valid values, each with the setting that the value becomes, and values that prevent the start. */
const variables: Record<string, { good?: [string, Section, unknown][]; bad?: string[] }> = {
  HOST: { good: [['0.0.0.0', (c) => c.server.host, '0.0.0.0']] },
  PORT: {
    good: [
      ['0', (c) => c.server.port, 0],
      ['65535', (c) => c.server.port, 65_535],
    ],
    bad: ['-1', '65536', '80.5', 'http'],
  },
  PUBLIC_URL: {
    good: [
      ['https://cut.example/api//', (c) => c.server.publicUrl, 'https://cut.example/api'],
      ['http://cut.example:8080', (c) => c.server.publicUrl, 'http://cut.example:8080'],
    ],
    bad: ['cut.example', 'ftp://cut.example', 'javascript:alert(1)'],
  },
  BOOTSTRAP_API_KEY: {
    good: [
      ['k'.repeat(24), (c) => c.accounts.bootstrapApiKey, 'k'.repeat(24)],
      ['k'.repeat(1_024), (c) => c.accounts.bootstrapApiKey, 'k'.repeat(1_024)],
    ],
    bad: [
      'k'.repeat(23),
      'k'.repeat(1_025),
      `with a space ${'k'.repeat(24)}`,
      'ключ'.repeat(8),
      // Placeholders from sample files and tutorials.
      'change-me-0123456789abcdef',
      'CHANGEME0123456789abcdefgh',
      'your-api-key-here-0123456789',
      'example-key-0123456789abcdef',
      'my-super-secret-key-0123456789',
    ],
  },
  REMOVAL_ENGINE: {
    good: [
      ['keyer', (c) => c.cutout.engine.engine, 'keyer'],
      ['isnet', (c) => c.cutout.engine.engine, 'isnet'],
    ],
    bad: ['magic', 'KEYER'],
  },
  REMOVAL_THREADS: {
    good: [['3', (c) => 'threads' in c.cutout.engine && c.cutout.engine.threads, 3]],
    bad: ['0', '65', '1.5'],
  },
  RENDER_WORKERS: { good: [['7', (c) => c.rendering.workers, 7]], bad: ['0', '65', 'auto'] },
  REMOVAL_MEMORY: { good: [['small', (c) => c.rendering.workers, 1]], bad: ['tiny'] },
  MAX_FILE_BYTES: {
    good: [
      ['1000', (c) => c.designs.limits.maxBytes, 1_000],
      ['2000', (c) => c.designs.fetch.maxBytes, 2_000],
    ],
    bad: ['999', '25MB'],
  },
  MAX_MEGAPIXELS: {
    good: [
      ['0.5', (c) => c.designs.limits.maxPixels, 500_000],
      ['10', (c) => c.designs.limits.maxAvifPixels, 10_000_000],
    ],
    bad: ['0', '501', 'Infinity'],
  },
  URL_ALLOW: {
    good: [
      ['a.example, 10.0.0.0/8  b:81,', (c) => c.designs.fetch.allow, ['a.example', '10.0.0.0/8', 'b:81']],
      ['', (c) => c.designs.fetch.allow, []],
    ],
  },
  FETCH_USER_AGENT: {
    good: [['Mozilla/5.0 (shop)', (c) => c.designs.fetch.userAgent, 'Mozilla/5.0 (shop)']],
    bad: ['a\r\nX-Header: b'],
  },
  SOURCE_HOSTS: {
    good: [
      ['cdn.example, *.shop.example', (c) => c.designs.sourceHosts, ['cdn.example', '*.shop.example']],
      ['', (c) => c.designs.sourceHosts, []],
    ],
  },
  RATE_PER_SECOND: { good: [['0.5', (c) => c.accounts.limits.ratePerSecond, 0.5]], bad: ['0', '-1', 'fast'] },
  RATE_BURST: { good: [['1', (c) => c.accounts.limits.rateBurst, 1]], bad: ['0', '2.5'] },
  MAX_IN_FLIGHT: { good: [['3', (c) => c.accounts.inFlight, 3]], bad: ['0', '1.5'] },
  PREVIEW_DEADLINE_MS: {
    good: [['100', (c) => c.rendering.deadlineMs.preview, 100]],
    bad: ['99', '600001', '10s'],
  },
  FULL_DEADLINE_MS: {
    good: [['600000', (c) => c.rendering.deadlineMs.generated, 600_000]],
    bad: ['99', '600001'],
  },
  RATE_PATIENCE_MS: {
    good: [['500', (c) => c.accounts.limits.ratePatienceS, 0.5]],
    bad: ['-1', '60001'],
  },
  UPLOAD_TIMEOUT_MS: { good: [['100', (c) => c.server.requestTimeoutMs, 100]], bad: ['99', '3600001'] },
  MAX_WAITING_CUTOUTS: { good: [['0', (c) => c.cutout.maxWaiting, 0]], bad: ['-1', '1.5'] },
  MAX_WAITING_RENDERS: { good: [['0', (c) => c.rendering.maxWaiting, 0]], bad: ['-1', '1.5'] },
  WEBHOOK_ALLOW: { good: [['hooks.internal:8080', (c) => c.events.allow, ['hooks.internal:8080']]], bad: [] },
  MAX_BATCH_BYTES: { good: [['1000', (c) => c.batches.maxFormBytes, 1000]], bad: ['999', 'much'] },
  MAX_WAITING_BATCH_ITEMS: { good: [['0', (c) => c.batches.maxWaitingItems, 0]], bad: ['-1', '1.5'] },
  RETENTION_DAYS: {
    good: [
      ['0.5', (c) => c.designs.retentionMs, 43_200_000],
      ['0', (c) => c.designs.retentionMs, null],
    ],
    bad: ['-1', '36501', 'forever'],
  },
  TRUST_PROXY: {
    good: [
      ['true', (c) => c.server.trustedProxies, 1],
      ['false', (c) => c.server.trustedProxies, 0],
      ['2', (c) => c.server.trustedProxies, 2],
    ],
    bad: ['11', '-1', 'yes', 'TRUE', '10.0.0.0/8'],
  },
  LAN: { good: [['true', (c) => c.server.letsPhonesIn, true]], bad: ['yes'] },
  LOG_LEVEL: { good: [['silent', (c) => c.server.logLevel, 'silent']], bad: ['loud'] },
  KEEP_COMPAT_DESIGNS: {
    good: [
      ['true', (c) => c.dialects.keepDesigns, true],
      ['', (c) => c.dialects.keepDesigns, false],
    ],
    bad: ['1', 'yes'],
  },
  REMBG_PORT: {
    good: [
      ['7000', (c) => c.dialects.rembg, { host: '127.0.0.1', port: 7000 }],
      ['', (c) => c.dialects.rembg, undefined],
    ],
    bad: ['65536', '-1', 'rembg'],
  },
  REMBG_HOST: { good: [['0.0.0.0', (c) => c.dialects.rembg, undefined]], bad: [] },
  METRICS_PORT: {
    good: [['9464', (c) => c.monitoring.metrics, { host: '127.0.0.1', port: 9464 }]],
    bad: ['0', '65536', 'nine'],
  },
  METRICS_HOST: { good: [['0.0.0.0', (c) => c.monitoring.metrics, undefined]], bad: [] },
  READ_HEIC: { good: [['false', (c) => c.designs.readsHeic, false]], bad: ['no'] },
};
const good = Object.entries(variables).flatMap(([name, { good = [] }]) =>
  good.map(([value, section, arrives]) => ({ name, value, section, arrives })),
);
/** Per variable: the other variables that it requires. */
const needed: Readonly<Record<string, Record<string, string>>> = {
  TRUST_PROXY: { PUBLIC_URL: 'https://cut.example' },
};
const bad = Object.entries(variables).flatMap(([name, { bad = [] }]) =>
  bad.map((value) => ({ name, value })),
);

describe('the environment', () => {
  it('has a test case here for each variable that no other test file covers', () => {
    const known = Object.keys(environmentSchema.shape).filter(
      (name) => !/^(REMOVAL|MODEL)_/.test(name) && !(name in sceneSettings) && !(name in storageSettings),
    );
    const tried = Object.keys(variables).filter((name) => !name.startsWith('REMOVAL_'));
    expect(tried.toSorted()).toEqual(known.toSorted());
  });

  it.each(good)('$name=$value becomes $arrives', ({ name, value, section, arrives }) => {
    expect(section(loadConfig({ ...needed[name], [name]: value }))).toEqual(arrives);
  });

  it.each(bad)('$name=$value prevents startup, and the error names the variable', ({ name, value }) => {
    expect(() => loadConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => loadConfig({ [name]: value })).toThrow(new RegExp(`^ {2}${name}: `, 'm'));
  });

  it.each(Object.keys(environmentSchema.shape))('%s means the same if unset, empty or blank', (name) => {
    expect(loadConfig({ [name]: '' })).toEqual(loadConfig({}));
    expect(loadConfig({ [name]: ' \t' })).toEqual(loadConfig({}));
  });

  it('has the documented defaults', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      server: { host: '127.0.0.1', port: 8080, publicUrl: undefined, trustedProxies: 0 },
      storage: { dataDir: join(process.cwd(), 'data') },
      accounts: { bootstrapApiKey: undefined, limits: { ratePerSecond: 10, rateBurst: 20 } },
      designs: {
        limits: { maxBytes: 25 * 1024 * 1024, maxPixels: 50e6, maxAvifPixels: 25e6, minSidePx: 16 },
        retentionMs: 7 * 86_400_000,
        fetch: { allow: [], totalTimeoutMs: 15_000, maxRedirects: 3 },
      },
      cutout: { engine: { engine: 'isnet' } },
      rendering: { deadlineMs: { preview: 30_000, generated: 60_000 } },
    });
  });

  it("gives a URL's host the whole published time, whichever part of it takes long", () => {
    const { fetch } = loadConfig({}).designs;
    expect(Object.keys(fetch).filter((name) => name.endsWith('TimeoutMs'))).toEqual(['totalTimeoutMs']);
  });

  it('reports all invalid variables at once, and never shows a key', () => {
    const secret = 'much-too-short';
    const load = () => loadConfig({ PORT: 'http', RATE_BURST: '0', BOOTSTRAP_API_KEY: secret });
    expect(load).toThrow(/PORT[\s\S]*BOOTSTRAP_API_KEY[\s\S]*RATE_BURST/);
    expect(load).toThrow(expect.not.objectContaining({ message: expect.stringContaining(secret) }));
  });

  it('prevents startup if TRUST_PROXY is set without PUBLIC_URL', () => {
    expect(() => loadConfig({ TRUST_PROXY: 'true' })).toThrow(/PUBLIC_URL: needed with TRUST_PROXY/);
  });

  it('may contain other variables, which are ignored', () => {
    expect(loadConfig({ PATH: '/bin', SOMETHING: 'else' })).toEqual(loadConfig({}));
  });
});
