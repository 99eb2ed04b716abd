/** Network checks of `packshot doctor`: ports, exposure, and remote engines. */
import { createServer } from 'node:net';
import type { Config } from '../../config.ts';
import { isLoopback } from '../../loopback.ts';
import { messageOf, ok, problem, type Verdict, warning } from './verdict.ts';

export async function checkPort({ server, monitoring, dialects }: Config): Promise<readonly Verdict[]> {
  const places = [
    { variable: 'PORT', host: server.host, port: server.port },
    ...(monitoring.metrics ? [{ variable: 'METRICS_PORT', ...monitoring.metrics }] : []),
    ...(dialects.rembg ? [{ variable: 'REMBG_PORT', ...dialects.rembg }] : []),
  ];
  return Promise.all(places.map(tryPort));
}

async function tryPort(place: {
  readonly variable: string;
  readonly host: string;
  readonly port: number;
}): Promise<Verdict> {
  const { variable, host, port } = place;
  const failure = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const socket = createServer().once('error', resolve);
    socket.listen(port, host, () => socket.close(() => resolve(undefined)));
  });
  switch (failure?.code) {
    case undefined:
      return ok(`${host}:${port} is free`);
    case 'EADDRINUSE':
      return (await isPackshot(host, port))
        ? ok(`a Packshot service is running at ${host}:${port}`)
        : problem(
            `${host}:${port} is used by another program`,
            `Stop it, or set ${variable} to another port.`,
          );
    case 'EACCES':
      return problem(
        `${host}:${port} needs more privileges`,
        `Set ${variable} above 1023 and put a proxy in front.`,
      );
    default:
      return problem(
        `${host}:${port} cannot be listened on: ${failure?.code}`,
        'Set HOST to an address of this machine.',
      );
  }
}

async function isPackshot(host: string, port: number): Promise<boolean> {
  const name =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  for (const path of ['healthz', 'metrics', 'api']) {
    const answer = await fetch(`http://${name}:${port}/${path}`, {
      signal: AbortSignal.timeout(2_000),
    }).catch(() => undefined);
    if (answer?.ok && /"status":"ok"|packshot_|<title>Packshot</.test(await answer.text())) return true;
  }
  return false;
}

export async function checkExposure({ server, monitoring, dialects }: Config): Promise<readonly Verdict[]> {
  const { host, publicUrl } = server;
  const url = publicUrl === undefined ? undefined : new URL(publicUrl);
  const isOpen = !isLoopback(host);
  const { metrics } = monitoring;
  const { rembg } = dialects;
  const verdicts = [
    isOpen &&
      url?.protocol !== 'https:' &&
      warning(
        `listens on ${host} without an https PUBLIC_URL: keys may be sent unencrypted`,
        'Listen on 127.0.0.1 behind a proxy with TLS, and set PUBLIC_URL=https://… (docs/operations.md).',
      ),
    url?.protocol === 'http:' &&
      !isLoopback(url.hostname) &&
      warning('PUBLIC_URL is http', 'Use https, so that the URIs that the service issues use https, too.'),
    url &&
      /\/v1(\/|$)/.test(url.pathname) &&
      problem('PUBLIC_URL ends in /v1, which would appear twice in every URI', 'Leave out /v1.'),
    url &&
      isLoopback(url.hostname) &&
      isOpen &&
      warning(
        'PUBLIC_URL is a loopback address, but the service listens on other addresses',
        'Set it to the address that callers use.',
      ),
    metrics &&
      !isLoopback(metrics.host) &&
      warning(
        `metrics are readable by anyone who reaches ${metrics.host}`,
        'Keep METRICS_HOST in a private network.',
      ),
    rembg &&
      !isLoopback(rembg.host) &&
      warning(
        `anyone who reaches ${rembg.host}:${rembg.port} can cut out photos without a key`,
        'Keep REMBG_HOST in a private network.',
      ),
  ].filter((verdict) => typeof verdict === 'object');
  return verdicts.length > 0 ? verdicts : [ok(url ? url.origin : `${host} only`)];
}

/** Sends only HEAD requests, and only to configured hosts. */
export async function checkEngines(config: Config): Promise<readonly Verdict[]> {
  const { painting, language } = config.scenes;
  const settings = [config.cutout.engine, painting.engine, language.model ?? {}];
  const urls = new Set(settings.flatMap(urlsIn));
  if (urls.size === 0) return [ok('no remote engines')];
  return Promise.all(
    [...urls].map(async (origin) => {
      try {
        const { headers } = await fetch(origin, {
          method: 'HEAD',
          redirect: 'manual',
          signal: AbortSignal.timeout(5_000),
        });
        const skewMs = Math.abs(Date.parse(headers.get('date') ?? '') - Date.now());
        return skewMs > 300_000
          ? warning(
              `${origin} responds, but its clock differs by ${Math.round(skewMs / 1000)} s`,
              'Synchronize the clocks.',
            )
          : ok(`${origin} responds`);
      } catch (error) {
        const { cause } = error as Error;
        return problem(
          `${origin} does not respond: ${messageOf(cause ?? error)}`,
          'Start the engine, or correct its URL.',
        );
      }
    }),
  );
}

/** Returns only origins, because paths and queries may contain secrets. */
function urlsIn(settings: object): string[] {
  return Object.values(settings).flatMap((value) =>
    typeof value === 'string' && /^https?:\/\//.test(value) ? [new URL(value).origin] : [],
  );
}
