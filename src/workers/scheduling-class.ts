/**
 * Decides which kind of process a task gets: one at the usual operating-system priority, or one at a low priority.
 *
 * A running task cannot be interrupted, and concurrent tasks compete for the cores. So while several accounts are
 * active, a task gets the usual priority only if it is short, a caller waits for it, and its account has no other task
 * that a caller waits for. All other tasks go to low-priority processes, which get only otherwise idle cores. All tasks
 * that an account waits for while it is alone get the usual priority: beside other busy programs, a scene at low priority
 * takes ten times as long.
 */

export type SchedulingClass = 'normal' | 'low';

export interface ClassClaim {
  readonly account: string;
  /** Whether no caller is waiting for the task. */
  readonly isBackground: boolean;
  /** Whether the task takes seconds. */
  readonly long?: boolean;
}

/** An account that was active in this period will likely send another task, for which a core should be free. */
const presentMs = 10_000;

interface Account {
  inFlight: number;
  lastAt: number;
}

export function createClassChooser(clock: () => number) {
  /** Accounts that have, or recently had, a task for which a caller waits. */
  const accounts = new Map<string, Account>();

  const isPresent = ({ inFlight, lastAt }: Account) => inFlight > 0 || clock() - lastAt < presentMs;

  function isAlone(own: string): boolean {
    for (const [name, account] of accounts) if (name !== own && isPresent(account)) return false;
    return true;
  }

  return {
    /** Registers a task that waits or runs; call the returned function when the task ends. */
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
    /** Chooses the class of a registered task that starts now. */
    choose({ account, isBackground, long = false }: ClassClaim): SchedulingClass {
      if (isBackground) return 'low';
      if (isAlone(account)) return 'normal';
      const inFlight = accounts.get(account)?.inFlight ?? 0;
      return !long && inFlight <= 1 ? 'normal' : 'low';
    },
  };
}
