/**
 * An asynchronous task of a component: its state, its start, and its cancellation by the user or on unmount.
 */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export type TaskState =
  | { readonly status: 'idle' | 'done' }
  | { readonly status: 'running'; readonly since: number }
  | { readonly status: 'failed'; readonly error: unknown };

export interface Task {
  readonly state: TaskState;
  /** Cancels a running task and starts a new one. */
  start(work: (signal: AbortSignal) => Promise<void>): void;
  /** Cancels a running task and returns to the idle state. */
  stop(): void;
}

export function useTask(): Task {
  const [state, setState] = useState<TaskState>({ status: 'idle' });
  const running = useRef<AbortController>(undefined);

  const start = useCallback((work: (signal: AbortSignal) => Promise<void>) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState({ status: 'running', since: Date.now() });
    work(controller.signal).then(
      () => controller.signal.aborted || setState({ status: 'done' }),
      (error) => controller.signal.aborted || setState({ status: 'failed', error }),
    );
  }, []);
  const stop = useCallback(() => {
    running.current?.abort();
    setState({ status: 'idle' });
  }, []);
  useEffect(() => () => running.current?.abort(), []);
  return { state, start, stop };
}
