/**
 * An asynchronous task of a component: its state, its start, and its cancellation by the user or on unmount.
 */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

interface TaskState {
  readonly running: boolean;
  /** When it was last started, in ms since 1970. */
  readonly since: number;
  /** Why it failed; null if it did not. */
  readonly error: unknown;
}

export interface Task extends TaskState {
  /** Cancels a running task and starts a new one. */
  start(work: (signal: AbortSignal) => Promise<void>): void;
  /** Cancels a running task and returns to the idle state. */
  stop(): void;
}

const idle: TaskState = { running: false, since: 0, error: null };

export function useTask(): Task {
  const [state, setState] = useState<TaskState>(idle);
  const running = useRef<AbortController>(undefined);

  const start = useCallback((work: (signal: AbortSignal) => Promise<void>) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState({ running: true, since: Date.now(), error: null });
    work(controller.signal).then(
      () => controller.signal.aborted || setState(idle),
      (error) => controller.signal.aborted || setState({ ...idle, error }),
    );
  }, []);
  const stop = useCallback(() => {
    running.current?.abort();
    setState(idle);
  }, []);
  useEffect(() => () => running.current?.abort(), []);
  return { ...state, start, stop };
}
