/** 1, 4, 16 and 64 clients upload and render without pause: they may get only successes and well-formed refusals. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isPutOff, percentile, Tally } from './answers.ts';
import { makePhoto } from './photos.ts';
import { timeRepeatedly } from './repeat.ts';
import type { Run } from './run.ts';
import { type Client, formWith, untilReady, white } from './service.ts';

const levels = { full: [1, 4, 16, 64], short: [1, 32] };

export async function checkLoad(run: Run): Promise<void> {
  // The short run must not depend on the machine's speed.
  const service = await run.start({ DRAW_AHEAD: 'off', ...(!run.full && { PREVIEW_DEADLINE_MS: '120000' }) });
  await untilReady(service);
  const forMs = run.full ? 20_000 : 1_000;
  const photo = await makePhoto({ width: 640, height: 480 });
  const rates: number[] = [];
  const wrong = new Tally();
  const refusals: number[] = [];
  for (const clients of run.full ? levels.full : levels.short) {
    // Calls without a key, which are refused.
    const stopProbe = timeRepeatedly(() => service.call('/v1/design/suggest', { key: null, json: {} }), 100);
    const { pictures, putOff, tookMs } = await loadFor(service, { clients, forMs, photo, wrong });
    refusals.push(...(await stopProbe()));
    const rate = (1_000 * pictures) / tookMs;
    rates.push(rate);
    run.fullBar(
      `${clients} clients`,
      'at least one picture',
      `${rate.toFixed(1)} uploads with their previews per second, ${putOff} temporary refusals`,
      pictures > 0,
    );
  }
  run.bar(
    'answers that are neither 200, nor 429 or 503 with Retry-After',
    'none',
    wrong.toString(),
    wrong.size === 0,
  );
  const share = Math.round((100 * rates.at(-1)!) / Math.max(...rates));
  run.fullBar('pictures a second with the most clients', '>= 70 % of the best', `${share} %`, share >= 70);
  const slow = Math.round(percentile(refusals, 0.99));
  run.fullBar('401 under load, p99', '<= 1.5 s', `${slow} ms, of ${refusals.length} calls`, slow <= 1_500);
}

interface Load {
  readonly clients: number;
  readonly forMs: number;
  readonly photo: Buffer;
  readonly wrong: Tally;
}

/** Returns the results once each client has its last picture; the measured time includes this wait. */
async function loadFor(service: Client, { clients, forMs, photo, wrong }: Load) {
  const startedAt = performance.now();
  const counts = { pictures: 0, putOff: 0 };
  const isOver = () => performance.now() - startedAt >= forMs;
  /**
   * Retries temporary refusals, and returns undefined after one that comes once the time is over. A lost connection or
   * a wrong response is counted in `wrong` and not retried: then, too, the result is undefined.
   */
  async function insist(call: () => Promise<Response>): Promise<Response | undefined> {
    for (;;) {
      let response: Response;
      try {
        response = await call();
      } catch (error) {
        wrong.add(error instanceof Error ? error.message : 'connection lost');
        return undefined;
      }
      if (response.status === 200) return response;
      await response.arrayBuffer();
      if (!isPutOff(response)) {
        wrong.add(response.status);
        return undefined;
      }
      counts.putOff++;
      if (isOver()) return undefined;
      await sleep(1_000 * Number(response.headers.get('retry-after')) * (0.8 + 0.4 * Math.random()));
    }
  }
  const client = async () => {
    while (!isOver()) {
      const uploaded = await insist(() =>
        service.call('/v1/design/image-upload', { method: 'POST', body: formWith(photo) }),
      );
      if (!uploaded) continue;
      const { id } = (await uploaded.json()) as { id: string };
      const picture = await insist(() => service.call('/v1/design/preview.webp', { json: { id, ...white } }));
      if (!picture) continue;
      await picture.arrayBuffer();
      counts.pictures++;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { ...counts, tookMs: performance.now() - startedAt };
}
