/** SIGTERM during work: every pending call must get a complete response, and the exit code must be 0. */
import { Tally } from './answers.ts';
import { holdChildren, untilImaging } from './held-processes.ts';
import { distance, makePhoto, readMiddle } from './photos.ts';
import type { Run } from './run.ts';
import { formWith, type OwnService, stopService, unhurried, untilReady, white } from './service.ts';

const inFlight = 20;

export async function checkGraceful(run: Run): Promise<void> {
  const rounds = run.full ? 3 : 1;
  const answers = new Tally();
  const codes: (number | null)[] = [];
  let longestMs = 0;
  let unrendered = 0;
  for (let round = 0; round < rounds; round++) {
    const dataDir = await run.newFolder();
    const service = await run.startOwn({ ...unhurried, RENDER_WORKERS: '1' }, { dataDir });
    await untilReady(service);
    const { acknowledged, code, stopMs } = await stopWithWork(service, answers);
    codes.push(code);
    longestMs = Math.max(longestMs, stopMs);
    unrendered += await countUnrendered(await run.startOwn(unhurried, { dataDir }), acknowledged);
  }
  const sent = rounds * inFlight;
  run.bar(
    `answers to ${rounds} × ${inFlight} calls in flight`,
    'all 200',
    answers.toString(),
    answers.count(200) === sent,
  );
  run.bar(
    'exit code',
    '0',
    codes.join(' '),
    codes.every((code) => code === 0),
  );
  run.fullBar('SIGTERM to exit', '<= 35 s', `${Math.round(longestMs)} ms`, longestMs <= 35_000);
  run.bar('acknowledged uploads that do not render after a restart', '0', unrendered, unrendered === 0);
}

async function stopWithWork(service: OwnService, answers: Tally) {
  const photo = await makePhoto({ width: 1200, height: 900 });
  const id = await service.upload(photo);
  await (await service.call(`/v1/design/${id}?wait=true`)).arrayBuffer();
  const acknowledged: string[] = [id];
  const goOn = await holdChildren(service.child.pid!, 'imaging-worker');
  const work = Array.from({ length: inFlight }, async (_, index) => {
    try {
      if (index % 4 === 0) {
        const response = await service.call('/v1/design/image-upload', {
          method: 'POST',
          body: formWith(photo),
        });
        const body = (await response.json()) as { id?: string };
        if (body.id) acknowledged.push(body.id);
        answers.add(response.status);
        return;
      }
      const path = index % 4 === 1 ? '/v1/design/generated.jpeg' : '/v1/design/preview.webp';
      // Equal pictures would be one drawing.
      const mutations = { layout: { margin: 0.1 + index / 1000 } };
      const response = await service.call(path, { json: { id, ...white, mutations } });
      const bytes = new Uint8Array(await response.arrayBuffer());
      const broken = response.status === 200 && distance(await readMiddle(bytes), [0x7a, 0x1f, 0x1f]) > 30;
      answers.add(broken ? 'broken' : response.status);
    } catch {
      answers.add('lost');
    }
  });
  // When this resolves, all calls have been accepted, and none has finished.
  await untilImaging(service, inFlight);
  const startedAt = performance.now();
  const stopped = stopService(service, 'SIGTERM');
  goOn();
  const [code] = await Promise.all([stopped, ...work]);
  return { acknowledged, code: code ?? null, stopMs: performance.now() - startedAt };
}

async function countUnrendered(service: OwnService, ids: readonly string[]): Promise<number> {
  let count = 0;
  for (const id of ids) {
    const response = await service.call('/v1/design/preview.webp', { json: { id, ...white } });
    await response.arrayBuffer();
    if (response.status !== 200) count++;
  }
  await stopService(service, 'SIGTERM');
  return count;
}
