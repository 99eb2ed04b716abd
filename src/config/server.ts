/** Settings of the servers: addresses, trusted proxies, logging. */
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { list, missing, setting, whole } from './setting.ts';

/** Placeholders from sample files and tutorials; a random key is unlikely to contain such a placeholder. */
const sampleKey = /change.?me|change.?it|replace.?me|example|placeholder|secret.?key|your.?(api.?)?key/i;

export const serverSettings = {
  HOST: setting(z.string().default('127.0.0.1'), 'Address to listen on; loopback by default.'),
  PORT: setting(whole(0, 65_535).default(8080), 'Port to listen on; 0 chooses a free one.'),
  PUBLIC_URL: setting(
    z.url({ protocol: /^https?$/ }).optional(),
    'Base URL that callers use to reach the service; used in printed and signed URLs.',
  ),
  BOOTSTRAP_API_KEY: setting(
    z
      .string()
      .regex(/^[\x21-\x7e]{24,1024}$/, { error: 'needs 24 to 1024 visible ASCII characters' })
      .refine((key) => !sampleKey.test(key), {
        error: 'looks like a published sample; generate your own with `openssl rand -hex 24`',
      })
      .optional(),
    'A key of your own choice, created with all scopes at the first start: 24 to 1,024 visible ASCII characters, since it is sent in a header. Always a live key, never a sandbox key, even if it begins with `psk_test_`. Changing the value adds a key and does not revoke the earlier one; use `packshot keys revoke`.',
  ),
  LAN: setting(
    z.enum(['true', 'false']).default('false'),
    'Whether a phone may get a key by a one-time link (`packshot serve --lan` sets this, and HOST to 0.0.0.0).',
  ),
  TRUST_PROXY: setting(
    z
      .string()
      .regex(/^(true|false|\d|10)$/, { error: 'needs true, false or a number from 0 to 10' })
      .transform((text) => (text === 'true' ? 1 : text === 'false' ? 0 : Number(text)))
      .default(0),
    'Number of trusted reverse proxies in front, each of which appends to `X-Forwarded-For`; `true` is 1, `false` is 0. The number of wrong keys is limited per client address, which is the address that the outermost of these proxies saw. Needs PUBLIC_URL.',
  ),
  FETCH_USER_AGENT: setting(
    z
      .string()
      .regex(/^[\x20-\x7e]{1,200}$/)
      .default('Packshot/1 (product photo fetch)'),
    'User-Agent with which photos are fetched from URLs. Some hosts refuse programs that they do not know.',
  ),
  URL_ALLOW: setting(
    list,
    'Hosts, `host:port`, addresses and CIDRs from which photos may be fetched by URL, in addition to the public internet; separated by commas. Listed names and names without a dot are resolved by the system; other names by DNS alone, without `/etc/hosts`.',
  ),
  SOURCE_HOSTS: setting(
    list,
    'Hosts whose photos may be named in signed picture URLs; `*.example.com` stands for all hosts below `example.com`. Fetched as by URL upload.',
  ),
  WEBHOOK_ALLOW: setting(
    list,
    'Hosts, `host:port`, addresses and CIDRs to which webhooks may be sent, in addition to https on public addresses; separated by commas.',
  ),
  UPLOAD_TIMEOUT_MS: setting(whole(100, 3_600_000).default(60_000), 'Maximum time to receive a request.'),
  RENDER_WORKERS: setting(
    whole(1, 64).optional(),
    'Number of processes that decode uploads and render pictures; with REMOVAL_MEMORY=small, 1 by default. One more starts when an account calls while another account keeps all of them busy.',
  ),
  KEEP_COMPAT_DESIGNS: setting(
    z.enum(['true', 'false']).default('false'),
    'Whether photos sent through the interfaces of other services (`/v1.0/removebg`, `/v1/segment`, `/api/remove`) are kept like uploads; otherwise they are deleted after the response.',
  ),
  LOG_LEVEL: setting(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    'Log level; logs are JSON lines on standard output.',
  ),
  REMBG_PORT: setting(
    whole(0, 65_535).optional(),
    "Separate port on which `/api/remove` serves clients of rembg WITHOUT a key; rembg's own default is 7000, which `packshot serve --rembg` selects. Calls to this port are counted for a key named `rembg`.",
  ),
  REMBG_HOST: setting(
    z.string().default('127.0.0.1'),
    'Address on which REMBG_PORT listens. Anyone who can connect may use that port; by default, only this machine can connect.',
  ),
  METRICS_PORT: setting(
    whole(1, 65_535).optional(),
    'Separate port on which `/metrics` serves Prometheus without a key. A key with the scope `admin` can also read `/metrics` on the main port.',
  ),
  METRICS_HOST: setting(z.string().default('127.0.0.1'), 'Address on which METRICS_PORT listens.'),
};

/** `/readyz` reports that the service is not ready if a photo has waited this long for its cutout. */
const mostJobAgeMs = 600_000;

type Environment = z.output<z.ZodObject<typeof serverSettings>>;

/** Used if RENDER_WORKERS is not set. Each process takes 100 to 200 MB while it draws. */
export const chooseRenderWorkers = (memory: 'fast' | 'small'): number =>
  memory === 'small' ? 1 : Math.max(1, Math.min(4, availableParallelism()));

/** The sections of the servers. Throws `ConfigError` for settings that conflict. */
export function chooseServer(env: Environment) {
  // Without PUBLIC_URL, issued URIs would be built from headers that callers may have forged.
  if (env.TRUST_PROXY > 0 && env.PUBLIC_URL === undefined) throw missing('PUBLIC_URL', 'TRUST_PROXY');
  return {
    server: {
      host: env.HOST,
      port: env.PORT,
      letsPhonesIn: env.LAN === 'true',
      publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
      requestTimeoutMs: env.UPLOAD_TIMEOUT_MS,
      trustedProxies: env.TRUST_PROXY,
      logLevel: env.LOG_LEVEL,
    },
    dialects: {
      keepDesigns: env.KEEP_COMPAT_DESIGNS === 'true',
      rembg: env.REMBG_PORT === undefined ? undefined : { host: env.REMBG_HOST, port: env.REMBG_PORT },
    },
    monitoring: {
      metrics:
        env.METRICS_PORT === undefined ? undefined : { host: env.METRICS_HOST, port: env.METRICS_PORT },
      maxJobAgeMs: mostJobAgeMs,
    },
  };
}
