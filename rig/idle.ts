/** An hour without calls, beside other programs: the service must live, keep its memory, and answer the next call. */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePhoto } from './photos.ts';
import { inMB, readTreeBytes } from './process-tree.ts';
import type { Run } from './run.ts';
import { type Client, untilReady, white } from './service.ts';

export async function checkIdle(run: Run): Promise<void> {
  const service = await run.startOwn();
  const busy = [1, 2].map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  try {
    await untilReady(service);
    await preview(service);
    const before = await readTreeBytes(service.child.pid!);
    await sleep(run.full ? 3_600_000 : 1_000);
    const { exitCode, signalCode } = service.child;
    const ended = exitCode ?? signalCode;
    const lastWords = `ended with ${ended}: ${service.output().slice(-300)}`;
    run.bar('the service', 'runs', ended === null ? 'runs' : lastWords, ended === null);
    const growth = (await readTreeBytes(service.child.pid!)) - before;
    run.fullBar('growth of its memory', '<= 20 MB', inMB(growth), growth <= 20e6);
    const status = await preview(service);
    run.bar('an upload and its preview afterwards', '200', status, status === 200);
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
}

async function preview(service: Client): Promise<number> {
  const id = await service.upload(await makePhoto());
  const response = await service.call('/v1/design/preview.webp', { json: { id, ...white } });
  await response.arrayBuffer();
  return response.status;
}
