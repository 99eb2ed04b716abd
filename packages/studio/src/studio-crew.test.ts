import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Pass } from './passes.ts';
import { drawBatch, makeRowControl } from './row-batches.ts';
import { claimCrew, StudioCrew } from './studio-crew.ts';

const signal = new AbortController().signal;
const ignore = () => undefined;
/** A pass with so many rows that only a failure can end it. */
const endless: Pass = { step: 'test', rows: 2 ** 30, ofSet: true, draw: ignore };

async function makeDyingCrew(how: '?exit' | ''): Promise<StudioCrew> {
  const crew = new StudioCrew(new URL(`./testing/dying-thread.ts${how}`, import.meta.url));
  crew.wake(3);
  await crew.assemble();
  return crew;
}

describe('the crew', () => {
  it('fails with a clear error when a thread exits while drawing rows', async () => {
    const crew = await makeDyingCrew('?exit');
    await expect(crew.draw(0, endless, signal)).rejects.toThrow(
      expect.objectContaining({
        code: 'internal',
        message: expect.stringContaining('thread'),
        cause: expect.anything(),
      }),
    );
    crew.release();
  });

  it('fails with the cause when a thread throws', async () => {
    const crew = await makeDyingCrew('');
    await expect(crew.draw(0, endless, signal)).rejects.toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ message: 'this row cannot be drawn' }) }),
    );
    crew.release();
  });

  it('is not reused after losing a thread', async () => {
    const crew = await makeDyingCrew('?exit');
    await crew.draw(0, endless, signal).catch(ignore);
    crew.release();
    const next = claimCrew(3);
    expect(next).not.toBe(crew);
    next.release();
  });

  it('is reused with its memory for the next picture, whatever number of threads is requested', () => {
    const first = claimCrew(2);
    const depth = first.memory.float32('depth', 1000);
    first.release();
    const second = claimCrew(3);
    expect(second).toBe(first);
    expect(second.memory.float32('depth', 900).buffer).toBe(depth.buffer);
    second.release();
  });

  it('never keeps the process alive while idle', { timeout: 20_000 }, async () => {
    const program = `
      const { claimCrew } = await import(${JSON.stringify(new URL('./studio-crew.ts', import.meta.url).href)});
      const crew = claimCrew(2);
      await crew.assemble();
      crew.release();
      console.log('resting');`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    expect(stdout).toContain('resting');
  });
});

describe('batches of rows', () => {
  it('assign each row exactly once', () => {
    const control = makeRowControl(43);
    const drawn = new Uint8Array(43);
    let turns = 0;
    while (
      drawBatch(control, (from, to) =>
        drawn.set(
          drawn.slice(from, to).map((count) => count + 1),
          from,
        ),
      )
    )
      turns++;
    expect(Array.from(drawn)).toEqual(Array(43).fill(1));
    expect(turns).toBe(6);
  });
});
