/** Measures the named steps of a pipeline; logs and `Server-Timing` use the same names. */

export interface StepTiming {
  /** Name of the step, which is the name of the step's file if there is one. */
  readonly step: string;
  readonly durationMs: number;
}

export class StepClock {
  readonly timings: StepTiming[] = [];
  readonly signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  /** Runs one step. If the signal is already aborted, rejects with the signal's reason instead. */
  async run<T>(step: string, work: () => T | Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.timings.push({ step, durationMs: performance.now() - startedAt });
    }
  }
}
