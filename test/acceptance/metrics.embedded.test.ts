import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cratePhoto, problemOf, type Service, startService, white } from './service.ts';

let service: Service;
let metricsUrl: string;
beforeAll(async () => {
  const port = await findFreePort();
  metricsUrl = `http://127.0.0.1:${port}`;
  service = await startService({ METRICS_PORT: String(port) });
});
afterAll(() => service.stop());

/** Finds a port below the ephemeral range, so that no other service of the tests gets the port in the meantime. */
async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 18_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** Parses Prometheus' text format 0.0.4 strictly: samples by name and labels. */
function parse(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('# ')) continue;
    const [, series, value] =
      /^([a-zA-Z_:][\w:]*(?:\{(?:[a-zA-Z_]\w*="[^"\\\n]*",?)*\})?) (\S+)$/.exec(line) ?? [];
    if (series === undefined) throw new Error(`not a sample: ${line}`);
    samples.set(series, Number(value));
  }
  return samples;
}

const scrape = async () => parse(await (await fetch(`${metricsUrl}/metrics`)).text());
const requests = (operation: string, status: number) =>
  `packshot_request_duration_seconds_count{operation="${operation}",status="${status}"}`;

describe('metrics', () => {
  it('change with activity, and are served without a key on a separate port', async () => {
    const before = await scrape();
    expect(before.get('packshot_ready')).toBe(1);
    const id = await service.upload(await cratePhoto());
    for (let i = 0; i < 3; i++) await service.call('/v1/design/preview.webp', { json: { id, ...white } });
    await service.call('/v1/design/preview.webp', { json: { id, recipeId: 'none', variant: '1:1' } });
    const after = await scrape();
    const moved = (series: string) => (after.get(series) ?? 0) - (before.get(series) ?? 0);
    expect(moved(requests('image-upload', 200))).toBe(1);
    expect(moved(requests('preview.webp', 200))).toBe(3);
    expect(moved(requests('preview.webp', 404))).toBe(1);
    expect(moved('packshot_step_duration_seconds_count{work="render",step="encode"}')).toBe(3);
    expect(moved('packshot_step_duration_seconds_count{work="cutout",step="whole-pass"}')).toBe(1);
    expect(moved('packshot_step_duration_seconds_count{work="render",step="whole-pass"}')).toBe(0);
    expect(moved('packshot_designs{state="ready"}')).toBe(1);
    expect(after.get('packshot_jobs{queue="cutout"}')).toBe(0);
    expect(after.get('packshot_pool_size{pool="imaging"}')).toBe(1);
    expect(after.get('packshot_pool_waiting{pool="imaging"}')).toBe(0);
    expect(after.get('packshot_pool_crashes{pool="cutout"}')).toBe(0);
    expect(after.get('packshot_disk_bytes{kind="free"}')).toBeGreaterThan(0);
    expect(after.get('process_resident_memory_bytes')).toBeGreaterThan(10e6);
    expect(after.has('nodejs_eventloop_lag_p99_seconds')).toBe(true);
    if (process.platform === 'linux') {
      expect(after.get('packshot_resident_bytes{process="imaging"}')).toBeGreaterThan(10e6);
    }
  });

  it('have only fixed label values: no id, key or path, and no new ones for unusual requests', async () => {
    const id = await service.upload(await cratePhoto());
    await service.call(`/v1/design/${id}`);
    const unusualRequests = async (name: string) => {
      for (let i = 0; i < 10; i++) {
        await service.call(`/v1/nothing/${name}${i}?token=secret${i}`);
        await service.call(`/v1/design/${id}${name}${i}`, { method: i % 2 ? 'GET' : 'PATCH' });
      }
    };
    const requestSeries = (samples: Map<string, number>) =>
      [...samples.keys()].filter((name) => name.startsWith('packshot_request_'));
    await unusualRequests('walnut');
    const before = await scrape();
    await unusualRequests('cherry');
    const after = await scrape();
    const series = [...after.keys()].join('\n');
    for (const told of [id, service.key, 'secret', 'nothing', 'walnut', 'cherry', 'dsg_', 'key_'])
      expect(series).not.toContain(told);
    expect(requestSeries(after)).toEqual(requestSeries(before));
  });

  it('need a key with the scope admin on the main port, and the separate port serves nothing else', async () => {
    expect(await problemOf(await service.call('/metrics', { key: null }))).toMatchObject({ status: 401 });
    const told = await service.call('/metrics');
    expect(told.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(parse(await told.text()).size).toBeGreaterThan(50);
    for (const path of ['/', '/v1/limits', '/healthz']) {
      expect((await fetch(metricsUrl + path)).status, path).toBe(404);
    }
    expect((await fetch(`${metricsUrl}/metrics`, { method: 'POST' })).status).toBe(404);
  });
});

describe('the Grafana dashboard', () => {
  it('shows only existing series', async () => {
    const dashboard = JSON.parse(await readFile('docs/grafana/packshot.json', 'utf8'));
    const queries = dashboard.panels.flatMap((panel: { targets: { expr: string }[] }) =>
      panel.targets.map(({ expr }) => expr),
    );
    expect(queries.length).toBeGreaterThan(15);
    const text = await (await fetch(`${metricsUrl}/metrics`)).text();
    const named = new Set<string>(queries.join(' ').match(/\b(packshot|nodejs)_\w+/g));
    for (const name of named) {
      expect(text).toMatch(new RegExp(`^# TYPE ${name.replace(/_(count|sum|bucket)$/, '')} `, 'm'));
    }
  });
});
