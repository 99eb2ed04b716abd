import { describe, expect, it, vi } from 'vitest';
import type { InferenceSession } from '../onnxruntime.ts';
import { openRenewable } from './renewable-session.ts';

describe('a renewable session', () => {
  const openSessions = () => {
    const sessions: { release: () => Promise<void> }[] = [];
    const open = vi.fn(async () => {
      const session = { release: vi.fn(async () => undefined) };
      sessions.push(session);
      return session as unknown as InferenceSession;
    });
    return { sessions, open };
  };

  it('closes the old session before it opens the new one', async () => {
    const { sessions, open } = openSessions();
    const renewable = await openRenewable(open, async () => undefined);
    const renewed = renewable.renew();
    const next = renewable.get();
    await renewed;
    expect(sessions[0]!.release).toHaveBeenCalledOnce();
    expect(await next).toBe(sessions[1]);
    await renewable.close();
    expect(sessions[1]!.release).toHaveBeenCalledOnce();
  });

  it('is prepared once, before its first use', async () => {
    const { sessions, open } = openSessions();
    const prepare = vi.fn(async () => undefined);
    const renewable = await openRenewable(open, prepare);
    expect(prepare).not.toHaveBeenCalled();
    await Promise.all([renewable.get(), renewable.get()]);
    expect(prepare.mock.calls).toEqual([[sessions[0]]]);
    await renewable.renew();
    expect(prepare).toHaveBeenCalledOnce();
    await renewable.get();
    expect(prepare.mock.calls).toEqual([[sessions[0]], [sessions[1]]]);
  });

  it('that could not be opened again is opened for the next pass', async () => {
    const { sessions, open } = openSessions();
    const renewable = await openRenewable(open, async () => undefined);
    open.mockRejectedValueOnce(new Error('no space left'));
    await expect(renewable.renew()).rejects.toThrow('no space left');
    expect(await renewable.get()).toBe(sessions[1]);
    expect(await renewable.get()).toBe(sessions[1]);
  });
});
