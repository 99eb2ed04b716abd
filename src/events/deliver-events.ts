/** Delivers webhooks: reads due deliveries from the queue, signs and posts them, and records the outcome. */
import PQueue from 'p-queue';
import type { Queue } from '../jobs/queue.ts';
import { type DeliveryTries, type DueDelivery, deliveryJob, type TryOutcome } from './delivery-tries.ts';
import type { Poster, PostOutcome } from './post-message.ts';
import { signMessage } from './sign-message.ts';

/** Maximum deliveries in progress or waiting for a slot at their endpoint. */
const concurrency = 32;
/** Maximum concurrent calls per endpoint. */
const callsPerEndpoint = 2;
/**
 * Maximum runs of one job if this service itself fails. Failures of the receiver are not counted here: each delivery
 * attempt is a job of its own.
 */
const maxAttempts = 5;

interface EndpointLine {
  readonly calls: PQueue;
  hung?: PostOutcome;
}

/** One delivery attempt, for the log. */
export interface DeliveryReport {
  readonly event: string;
  readonly endpoint: string;
  readonly tries: number;
  readonly outcome: string;
}

export function createEventDeliverer(needs: {
  readonly deliveries: DeliveryTries;
  readonly queue: Queue;
  readonly post: Poster;
  readonly clock: () => number;
  readonly onTry: (report: DeliveryReport) => void;
}) {
  const { deliveries, queue, post, clock, onTry } = needs;
  const closing = new AbortController();
  const lines = new Map<string, EndpointLine>();

  async function deliver(job: string): Promise<void> {
    const due = await deliveries.findDue(job);
    if (!due) return;
    const outcome = judge(await callInLine(due));
    await deliveries.noteTry(due, outcome);
    const { eventId: event, endpointId: endpoint, tries } = due;
    onTry({ event, endpoint, tries: tries + 1, outcome: outcome.words });
  }

  /** Deliveries queued behind a hung call fail without a call, so that a hung endpoint does not delay others. */
  async function callInLine(due: DueDelivery): Promise<PostOutcome> {
    const line = lines.get(due.endpointId) ?? { calls: new PQueue({ concurrency: callsPerEndpoint }) };
    lines.set(due.endpointId, line);
    try {
      return await line.calls.add(async () => {
        if (line.hung) return line.hung;
        const outcome = await post(toPost(due), closing.signal);
        if ('failure' in outcome && outcome.hung) line.hung = outcome;
        return outcome;
      });
    } finally {
      if (line.calls.size === 0 && line.calls.pending === 0) lines.delete(due.endpointId);
    }
  }

  function toPost({ eventId, url, secrets, body }: DueDelivery) {
    const timestampS = Math.floor(clock() / 1000);
    return { url, headers: signMessage({ id: eventId, timestampS, body }, secrets), body };
  }

  return {
    work(): void {
      queue.work(deliveryJob, {
        concurrency,
        maxAttempts,
        run: deliver,
        async giveUp(job) {
          const due = await deliveries.findDue(job);
          if (due) await deliveries.noteTry(due, { kind: 'failed', words: 'it could not be sent' });
        },
      });
    },

    /** Aborts running calls; the next process retries them. */
    close(): void {
      closing.abort(new DOMException('The service is stopping.', 'AbortError'));
    },
  };
}

/** Only 2xx is success; redirects are not followed and count as failures. */
function judge(outcome: PostOutcome): TryOutcome {
  if ('failure' in outcome) return { kind: 'failed', words: outcome.failure };
  const words = `it responded with ${outcome.status}`;
  if (outcome.status === 410) return { kind: 'gone', words };
  return { kind: outcome.status >= 200 && outcome.status < 300 ? 'delivered' : 'failed', words };
}
