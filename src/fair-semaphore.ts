/**
 * A limited number of slots that accounts share fairly. A slot stands for one upload in memory, one task in the child
 * processes, or one call of a key.
 *
 * While all slots are taken, callers wait. Interactive work goes before background work. Among interactive calls, the
 * next slot goes to the account that holds the fewest slots; among equals, to the account served least recently. Calls
 * of one account are served by priority, then in order of arrival. Between two accounts, the priority of interactive
 * calls is ignored; otherwise, an endless queue of previews would starve another account's full versions. Background
 * calls go by priority first, even between accounts; those of the same priority follow the rules above.
 */
import { PackshotError } from 'packshot-errors';

export interface FairSemaphoreOptions {
  readonly places: number;
  /** Maximum slots of one account, even while other slots are free. */
  readonly maxPerAccount?: number;
  /** Maximum slots of an account's long tasks; the account's other slots stay available for short tasks. */
  readonly maxLongPerAccount?: number;
  /**
   * Maximum slots that all accounts together may hold in addition to the first slot of each account.
   * The other slots stay free for accounts that hold none.
   */
  readonly maxBeyondFirst?: number;
}

export interface Claim {
  /** The account for which the slot is counted. */
  readonly account: string;
  /**
   * Higher goes first; default 1. Work below 1 is background work, which waits for all other work. May be a function,
   * for a priority that can change while the call waits.
   */
  readonly priority?: number | (() => number);
  /** Whether the work takes seconds. */
  readonly long?: boolean;
  /**
   * Number of places that the work takes; default 1. It starts once one place is free, so the last work to start may
   * exceed the maximum.
   */
  readonly weight?: number;
  readonly signal: AbortSignal;
}

/** Releases the slot. Idempotent. */
export type Leave = () => void;

export interface FairSemaphore {
  /**
   * Resolves once a slot is held. If the signal aborts first, rejects with `queue_full` for a timeout, otherwise with
   * the signal's reason.
   */
  enter(claim: Claim): Promise<Leave>;
  /** Holds a slot until the work ends, even if the signal aborts before: the work uses the resource until its end. */
  hold<T>(claim: Claim, work: () => Promise<T>): Promise<T>;
  state(): { readonly held: number; readonly waiting: number };
  /** Number of waiting calls of this account. */
  countWaiting(account: string): number;
  /** Whether a call with this claim would have to wait. */
  isFull(claim: Pick<Claim, 'account' | 'long'>): boolean;
  /** Seconds after which the calls that wait now will have had their turns, at the present pace; at least 1. */
  estimateWaitS(): number;
  /** Rejects all waiting calls with this reason. */
  refuseWaiting(reason: unknown): void;
}

interface Waiting extends Claim {
  readonly findPriority: () => number;
  grant(leave: Leave): void;
  refuse(reason: unknown): void;
}

interface Account {
  held: number;
  heldLong: number;
  waiting: number;
  /** When the account was last served, as a number in the sequence of all turns; 0 for a new account. */
  lastTurn: number;
}

const callerPriority = 1;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createFairSemaphore({
  places,
  maxPerAccount = places,
  maxLongPerAccount = places,
  maxBeyondFirst = places,
}: FairSemaphoreOptions): FairSemaphore {
  const accounts = new Map<string, Account>();
  const line: Waiting[] = [];
  let held = 0;
  /** Number of accounts that hold a place. */
  let holders = 0;
  let turns = 0;
  /** Moving average of the time between two turns while calls wait. */
  let meanTurnMs = 0;
  let lastTurnAt: number | undefined;

  function noteTurn(): void {
    const now = performance.now();
    if (lastTurnAt !== undefined) meanTurnMs += (now - lastTurnAt - meanTurnMs) / 8;
    lastTurnAt = line.length > 0 ? now : undefined;
  }

  const estimateWaitS = () =>
    meanTurnMs === 0
      ? firstAdviceS
      : Math.min(longestAdviceS, Math.ceil(((line.length + 1) * meanTurnMs) / 1_000));

  function accountOf(name: string): Account {
    const account = accounts.get(name) ?? { held: 0, heldLong: 0, waiting: 0, lastTurn: 0 };
    accounts.set(name, account);
    return account;
  }

  /** Removes an idle account, to save memory. */
  function forgetIdle(name: string): void {
    const account = accounts.get(name);
    if (account && account.held === 0 && account.waiting === 0) accounts.delete(name);
  }

  function hasRoom({ account: name, long }: Pick<Claim, 'account' | 'long'>): boolean {
    const account = accounts.get(name);
    if (!account || account.held === 0) return true;
    return (
      held - holders < maxBeyondFirst &&
      account.held < maxPerAccount &&
      !(long && account.heldLong >= maxLongPerAccount)
    );
  }

  function compare(a: Waiting, b: Waiting): number {
    const [first, second] = [a.findPriority(), b.findPriority()];
    const lower = second - first;
    const bothCallers = Math.min(first, second) >= callerPriority;
    if (!bothCallers && lower !== 0) return lower;
    const [own, other] = [accountOf(a.account), accountOf(b.account)];
    return own.held - other.held || own.lastTurn - other.lastTurn || lower;
  }

  function fill(): void {
    while (held < places) {
      let next: Waiting | undefined;
      for (const waiting of line) {
        if (hasRoom(waiting) && (!next || compare(waiting, next) < 0)) next = waiting;
      }
      if (!next) return;
      removeFromLine(next);
      noteTurn();
      next.grant(take(next));
    }
  }

  function take({ account: name, long, weight = 1 }: Claim): Leave {
    const account = accountOf(name);
    held += weight;
    if (account.held === 0) holders++;
    account.held += weight;
    if (long) account.heldLong++;
    account.lastTurn = ++turns;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      held -= weight;
      account.held -= weight;
      if (account.held === 0) holders--;
      if (long) account.heldLong--;
      fill();
      forgetIdle(name);
    };
  }

  function removeFromLine(waiting: Waiting): void {
    const index = line.indexOf(waiting);
    if (index === -1) return;
    line.splice(index, 1);
    accountOf(waiting.account).waiting--;
  }

  async function enter(claim: Claim): Promise<Leave> {
    const { signal, priority = callerPriority } = claim;
    signal.throwIfAborted();
    const { promise, resolve: grant, reject: refuse } = Promise.withResolvers<Leave>();
    const findPriority = typeof priority === 'function' ? priority : () => priority;
    const waiting: Waiting = { ...claim, findPriority, grant, refuse };
    const abandon = () => {
      removeFromLine(waiting);
      forgetIdle(claim.account);
      refuse(explainLapse(signal.reason, estimateWaitS()));
    };
    signal.addEventListener('abort', abandon, { once: true });
    line.push(waiting);
    accountOf(claim.account).waiting++;
    fill();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', abandon);
    }
  }

  return {
    enter,
    async hold(claim, work) {
      const leave = await enter(claim);
      try {
        // The caller may have left between the grant and this turn of the event loop.
        claim.signal.throwIfAborted();
        return await work();
      } finally {
        leave();
      }
    },
    state: () => ({ held, waiting: line.length }),
    countWaiting: (account) => accounts.get(account)?.waiting ?? 0,
    estimateWaitS,
    isFull: (claim) => held >= places || !hasRoom(claim),
    refuseWaiting(reason) {
      for (const waiting of [...line]) {
        removeFromLine(waiting);
        forgetIdle(waiting.account);
        waiting.refuse(reason);
      }
    },
  };
}

/** Before the pace is known. */
const firstAdviceS = 5;
/** A longer line is not worth waiting for; callers may still do so. */
const longestAdviceS = 600;

/** A timeout while waiting means overload, not slow work. */
function explainLapse(reason: unknown, retryAfterS: number): unknown {
  if (!(reason instanceof DOMException && reason.name === 'TimeoutError')) return reason;
  return new PackshotError(
    'queue_full',
    'Too much work is waiting; the turn of this call did not come in time.',
    { cause: reason, retryAfterS },
  );
}
