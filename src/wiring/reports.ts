/** Logs background work, which request logs do not cover. */
import { inspect } from 'node:util';
import type { UnansweredQuestion } from '../scenes/language-model.ts';
import type { StepTiming } from '../step-clock.ts';

interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export type Reports = ReturnType<typeof createReports>;

export function createReports() {
  let log: Log | undefined;
  return {
    /** Errors that are reported before this call go to standard error. */
    useLog(its: Log): void {
      log = its;
    },
    reportError(error: unknown, where: string): void {
      if (log) log.error({ err: error, where }, 'background work failed');
      else process.stderr.write(`${where}: ${inspect(error)}\n`);
    },
    reportCut: (design: string, steps: readonly StepTiming[]): void => log?.info({ design, steps }, 'cutout'),
    reportDelivery: (facts: object): void => log?.info(facts, 'webhook'),
    reportPainting: (facts: object): void => log?.info(facts, 'painting'),
    reportUnanswered: (question: UnansweredQuestion): void =>
      log?.warn(question, 'planner model unavailable'),
  };
}
