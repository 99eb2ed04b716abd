/** Waits for a ComfyUI server to end a prompt: hears it from a WebSocket at once, or looks again every so often. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type RemoteCall, urlBelow } from '../../remote/remote-call.ts';

export interface Doorbell {
  /** Until the server says that a prompt of ours ended, or it is time to look anyway. */
  wait(call: RemoteCall): Promise<unknown>;
  close(): void;
}

const LOOK_AGAIN_MS = 1_000;
/** While it listens: what is said before a broken connection is noticed would be missed for good. */
const LISTENING_LOOK_MS = 10_000;
/** `execution_success` comes before the history has the outputs, `executing` without a node after it (main.py there). */
const endings = /^(execution_(success|error|interrupted)|executing)$/;

/** A connection that fails is no failure of the call: without it the server is asked each second. */
export function openDoorbell(
  base: URL,
  clientId: string,
  { listen }: { readonly listen: boolean },
): Doorbell {
  const look = (call: RemoteCall) => call.wait(LOOK_AGAIN_MS);
  if (!listen) return { wait: look, close: () => undefined };
  const url = urlBelow(base, '/ws');
  url.protocol = base.protocol === 'https:' ? 'wss:' : 'ws:';
  url.searchParams.set('clientId', clientId);
  const socket = new WebSocket(url);
  let rung = Promise.withResolvers<void>();
  socket.addEventListener('message', ({ data }) => {
    if (isEnding(data)) rung.resolve();
  });
  socket.addEventListener('error', () => rung.resolve());
  socket.addEventListener('close', () => rung.resolve());
  return {
    async wait(call) {
      if (socket.readyState > WebSocket.OPEN) return look(call);
      const patience = sleep(LISTENING_LOOK_MS, undefined, { signal: call.signal, ref: false });
      await Promise.race([rung.promise, patience]);
      rung = Promise.withResolvers<void>();
      return undefined;
    },
    close: () => socket.close(),
  };
}

/** Texts only: previews come as binary messages. */
function isEnding(data: unknown): boolean {
  if (typeof data !== 'string') return false;
  try {
    const { type, data: about } = JSON.parse(data);
    return endings.test(type) && (type !== 'executing' || about?.node === null);
  } catch {
    // A message of some extension.
    return false;
  }
}
