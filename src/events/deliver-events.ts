/** Conductor of webhooks: takes each due delivery from the queue, signs it, posts it, and writes down what came of it. */
import PQueue from 'p-queue';
import type { Queue } from '../jobs/queue.ts';
import { type DueDelivery, deliveryJob, type Outbox, type TryOutcome } from './outbox.ts';
import type { Poster, PostOutcome } from './post-message.ts';
import { signMessage } from './sign-message.ts';

/** Deliveries that are under way or stand in line for their endpoint. */
const concurrency = 32;
/** Calls of one endpoint side by side. */
const callsPerEndpoint = 2;
/** Of what is no receiver's fault. */
const maxAttempts = 5;

interface EndpointLine {
  readonly calls: PQueue;
  hung?: PostOutcome;
}

/** One try, for the log. */
export interface DeliveryReport {
  readonly event: string;
  readonly endpoint: string;
  readonly tries: number;
  readonly outcome: string;
}

export function createEventDeliverer(needs: {
  readonly outbox: Outbox;
  readonly queue: Queue;
  readonly post: Poster;
  readonly clock: () => number;
  readonly onTry: (report: DeliveryReport) => void;
}) {
  const { outbox, queue, post, clock, onTry } = needs;
  const closing = new AbortController();
  const lines = new Map<string, EndpointLine>();

  async function deliver(job: string): Promise<void> {
    const due = await outbox.findDue(job);
    if (!due) return;
    const outcome = judge(await callInLine(due));
    await outbox.noteTry(due, outcome);
    const { eventId: event, endpointId: endpoint, tries } = due;
    onTry({ event, endpoint, tries: tries + 1, outcome: outcome.words });
  }

  /** Whoever stands in line behind a call that hung is not sent either: a host that hangs holds up no other's. */
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
    /** Starts delivering from the queue. */
    work(): void {
      queue.work(deliveryJob, {
        concurrency,
        maxAttempts,
        run: deliver,
        async giveUp(job) {
          const due = await outbox.findDue(job);
          if (due) await outbox.noteTry(due, { kind: 'failed', words: 'it could not be sent' });
        },
      });
    },

    /** Ends the calls that run; they are made again by the next process. */
    close(): void {
      closing.abort(new DOMException('The service is stopping.', 'AbortError'));
    },
  };
}

/** Only a 2xx counts; a redirect is not followed, and is a failure like any other. */
function judge(outcome: PostOutcome): TryOutcome {
  if ('failure' in outcome) return { kind: 'failed', words: outcome.failure };
  const words = `it answered ${outcome.status}`;
  if (outcome.status === 410) return { kind: 'gone', words };
  return { kind: outcome.status >= 200 && outcome.status < 300 ? 'delivered' : 'failed', words };
}
