import { describe, expect, it } from 'vitest';
import { createMetrics, type MetricSources } from './metrics.ts';

const sources: MetricSources = {
  version: '1.2.3',
  engine: 'ai-sdk',
  pools: () => ({ imaging: { size: 2, busy: 1, waiting: 5, crashes: 0 } }),
  measureJobs: async () => new Map([['cutout', { count: 3, oldestS: 4.5 }]]),
  countDesigns: async () => new Map([['ready', 7]]),
  countDeadJobs: async () => new Map([['cutout', 2]]),
  measureSpace: async () => ({ freeBytes: 10, totalBytes: 20 }),
  measureBlobs: () => ({ usedBytes: 30, budgetBytes: undefined, evictedBytes: 0 }),
  findObstacles: async () => [],
};
const request = { operation: 'preview.webp', status: 200, durationMs: 80, steps: undefined };

const linesOf = async (metrics: ReturnType<typeof createMetrics>) =>
  (await metrics.readMetrics()).text.split('\n').filter((line) => line.startsWith('packshot_'));

describe('metrics', () => {
  it('count each request once, with its duration in seconds', async () => {
    const metrics = createMetrics(sources);
    for (let i = 0; i < 2; i++) metrics.observeRequest(request);
    const lines = await linesOf(metrics);
    expect(lines).toContain(
      'packshot_request_duration_seconds_sum{operation="preview.webp",status="200"} 0.16',
    );
    expect(lines).toContain(
      'packshot_request_duration_seconds_bucket{le="0.05",operation="preview.webp",status="200"} 0',
    );
    expect(lines).toContain(
      'packshot_request_duration_seconds_bucket{le="0.1",operation="preview.webp",status="200"} 2',
    );
  });

  it("count a cutout's steps once, and not again in the render that waited for it", async () => {
    const metrics = createMetrics(sources);
    const steps = 'whole-pass;dur=400.0, join-cutout;dur=500.0, encode;dur=20.0';
    metrics.observeRequest({ ...request, steps });
    metrics.observeCutout([{ step: 'whole-pass', durationMs: 400 }]);
    const sums = (await linesOf(metrics)).filter((line) => line.includes('step_duration_seconds_sum'));
    expect(sums.toSorted()).toEqual([
      'packshot_step_duration_seconds_sum{work="cutout",step="whole-pass"} 0.4',
      'packshot_step_duration_seconds_sum{work="render",step="encode"} 0.02',
      'packshot_step_duration_seconds_sum{work="render",step="join-cutout"} 0.5',
    ]);
  });

  it('begin at zero for the engine that is configured, so that the first call counts as an increase', async () => {
    expect(await linesOf(createMetrics(sources))).toEqual(
      expect.arrayContaining([
        'packshot_engine_calls_total{engine="ai-sdk",outcome="answered"} 0',
        'packshot_engine_calls_total{engine="ai-sdk",outcome="failed"} 0',
        'packshot_engine_cost_usd_total{engine="ai-sdk"} 0',
      ]),
    );
    const lines = await linesOf(createMetrics({ ...sources, engine: undefined }));
    expect(lines.some((line) => line.includes('engine_calls'))).toBe(false);
  });

  it("keep an engine's messages out of the labels", async () => {
    const metrics = createMetrics(sources);
    metrics.observeEngineCall({ engine: 'ai-sdk', outcome: 'answered', costUsd: 0.04 });
    metrics.observeEngineCall({
      engine: 'ai-sdk',
      outcome: 'refused: no elephants, says 17',
      costUsd: undefined,
    });
    const lines = await linesOf(metrics);
    expect(lines).toEqual(
      expect.arrayContaining([
        'packshot_engine_calls_total{engine="ai-sdk",outcome="answered"} 1',
        'packshot_engine_calls_total{engine="ai-sdk",outcome="failed"} 1',
        'packshot_engine_cost_usd_total{engine="ai-sdk"} 0.04',
      ]),
    );
  });

  it('omit the disk if pictures are not stored on one', async () => {
    const lines = await linesOf(createMetrics({ ...sources, measureSpace: async () => undefined }));
    expect(lines.filter((line) => line.includes('disk_bytes'))).toEqual([]);
  });

  it('report the bytes of pictures, and omit a budget that is not set', async () => {
    const blobLines = async (own: MetricSources) =>
      (await linesOf(createMetrics(own))).filter((line) => line.includes('blob_bytes'));
    expect(await blobLines(sources)).toEqual([
      'packshot_blob_bytes{kind="used"} 30',
      'packshot_blob_bytes{kind="evicted"} 0',
    ]);
    expect(await blobLines({ ...sources, measureBlobs: () => undefined })).toEqual([]);
  });

  it('read their sources at the scrape, and omit those that fail', async () => {
    let designs = 7;
    const metrics = createMetrics({
      ...sources,
      countDesigns: async () => new Map([['ready', designs]]),
      measureJobs: () => Promise.reject(new Error('no database')),
      findObstacles: async () => ['the database does not respond'],
    });
    expect(await linesOf(metrics)).toContain('packshot_designs{state="ready"} 7');
    designs = 8;
    const lines = await linesOf(metrics);
    expect(lines).toEqual(
      expect.arrayContaining([
        'packshot_designs{state="ready"} 8',
        'packshot_pool_waiting{pool="imaging"} 5',
        'packshot_disk_bytes{kind="free"} 10',
        'packshot_ready 0',
      ]),
    );
    expect(lines.some((line) => line.startsWith('packshot_jobs'))).toBe(false);
  });
});
