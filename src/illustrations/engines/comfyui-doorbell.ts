/** Waits for a ComfyUI server to finish a prompt: by WebSocket notification, with polling as a fallback. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type RemoteCall, urlBelow } from '../../remote/remote-call.ts';

export interface CompletionWatcher {
  /** Resolves when the server reports that one of our prompts has ended, or when it is time to poll. */
  wait(call: RemoteCall): Promise<unknown>;
  close(): void;
}

const POLL_MS = 1_000;
/**
 * Milliseconds between polls while the WebSocket is connected. Polling goes on, because a broken connection is noticed
 * late, and messages are lost until then.
 */
const CONNECTED_POLL_MS = 10_000;
/**
 * Types of messages that report the end of a prompt. After a success there are two: `execution_success` arrives before
 * the history has the outputs, and `executing` without a node arrives afterwards (ComfyUI's main.py).
 */
const endings = /^(execution_(success|error|interrupted)|executing)$/;

/** If the connection fails, the call does not fail; the server is then polled every second. */
export function openCompletionWatcher(
  base: URL,
  clientId: string,
  { listen }: { readonly listen: boolean },
): CompletionWatcher {
  const poll = (call: RemoteCall) => call.wait(POLL_MS);
  if (!listen) return { wait: poll, close: () => undefined };
  const url = urlBelow(base, '/ws');
  url.protocol = base.protocol === 'https:' ? 'wss:' : 'ws:';
  url.searchParams.set('clientId', clientId);
  const socket = new WebSocket(url);
  let completed = Promise.withResolvers<void>();
  socket.addEventListener('message', ({ data }) => {
    if (isEnding(data)) completed.resolve();
  });
  socket.addEventListener('error', () => completed.resolve());
  socket.addEventListener('close', () => completed.resolve());
  return {
    async wait(call) {
      if (socket.readyState > WebSocket.OPEN) return poll(call);
      const timeout = sleep(CONNECTED_POLL_MS, undefined, { signal: call.signal, ref: false });
      await Promise.race([completed.promise, timeout]);
      completed = Promise.withResolvers<void>();
      return undefined;
    },
    close: () => socket.close(),
  };
}

/** Whether a message reports that a prompt has ended. All such messages are text; binary messages are previews. */
function isEnding(data: unknown): boolean {
  if (typeof data !== 'string') return false;
  try {
    const { type, data: about } = JSON.parse(data);
    return endings.test(type) && (type !== 'executing' || about?.node === null);
  } catch {
    // Not JSON: sent by an extension of ComfyUI.
    return false;
  }
}
