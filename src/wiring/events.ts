/** Builds event notification: the outbox of events, their delivery, and the progress of designs. */
import type { Config } from '../config.ts';
import { createEventDeliverer, type DeliveryReport } from '../events/deliver-events.ts';
import { createDeliveryTries } from '../events/delivery-tries.ts';
import { createDesignProgress } from '../events/design-progress.ts';
import { createOutbox } from '../events/outbox.ts';
import { createPoster } from '../events/post-message.ts';
import { createEventTeller } from '../events/tell-events.ts';
import type { Queue } from '../jobs/queue.ts';
import type { Database } from '../storage/database.ts';
import type { Notices } from '../storage/notices.ts';

const clock = Date.now;

interface EventParts {
  readonly database: Database;
  readonly queue: Queue;
  readonly notices: Notices;
  readonly reportError: (error: unknown, where: string) => void;
  readonly reportDelivery: (report: DeliveryReport) => void;
}

export function buildEvents(config: Config, parts: EventParts) {
  const { database, queue, notices, reportError, reportDelivery } = parts;
  const outbox = createOutbox({ database, queue, clock });
  return {
    teller: createEventTeller({
      database,
      outbox,
      publicUrl: config.server.publicUrl,
      onError: (error) => reportError(error, 'events'),
    }),
    progress: createDesignProgress(notices),
    sweepEvents: outbox.sweepEvents,
    deliverer: createEventDeliverer({
      deliveries: createDeliveryTries({ database, queue, clock }),
      queue,
      post: createPoster({ allow: config.events.allow }),
      clock,
      onTry: reportDelivery,
    }),
  };
}

export type Events = ReturnType<typeof buildEvents>;
