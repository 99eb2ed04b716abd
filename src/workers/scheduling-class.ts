/**
 * Which of a task's possible processes it gets: one at the usual priority of the operating system, or one at a low priority.
 *
 * A task that runs cannot be interrupted, and what runs beside it takes its share of the cores. So what an account runs
 * beyond one short task at a time goes to processes that get a core only where nothing else wants it. Nothing is lost for an
 * account that has the machine to itself: a low priority costs time only while something else wants the core.
 */

export type SchedulingClass = 'normal' | 'low';

export interface ClassClaim {
  readonly account: string | undefined;
  /** Whether no caller waits for it. */
  readonly isBackground: boolean;
  /** Takes seconds. */
  readonly long?: boolean;
}

/** An account that asked for something so lately will ask again: its next task is to find a core. */
const presentMs = 10_000;

interface Account {
  inFlight: number;
  lastAt: number;
}

export function createClassChooser(clock: () => number) {
  /** Those with tasks that a caller waits for, now or a moment ago. */
  const accounts = new Map<string | undefined, Account>();

  const isPresent = ({ inFlight, lastAt }: Account) => inFlight > 0 || clock() - lastAt < presentMs;

  function isAlone(own: string | undefined): boolean {
    for (const [name, account] of accounts) if (name !== own && isPresent(account)) return false;
    return true;
  }

  return {
    /** A task that waits or runs, until the returned function is called. */
    begin({ account: name, isBackground }: ClassClaim): () => void {
      if (isBackground) return () => undefined;
      for (const [other, account] of accounts) if (!isPresent(account)) accounts.delete(other);
      const account = accounts.get(name) ?? { inFlight: 0, lastAt: 0 };
      accounts.set(name, account);
      account.inFlight++;
      return () => {
        account.inFlight--;
        account.lastAt = clock();
      };
    },
    /** Of a task that has begun and starts now; `held` are the account's tasks that run, this one included. */
    choose({ account, isBackground, long = false }: ClassClaim, held: number): SchedulingClass {
      if (isBackground || long) return 'low';
      const inFlight = accounts.get(account)?.inFlight ?? 0;
      if (inFlight <= 1) return 'normal';
      return held <= 1 && isAlone(account) ? 'normal' : 'low';
    },
  };
}
