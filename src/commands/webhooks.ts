/** `packshot webhooks`: manages the URLs to which accounts' events are sent. Works without a running service, too. */
import { type Command, InvalidArgumentError } from 'commander';
import { PackshotError } from 'packshot-errors';
import { createAccountStore } from '../accounts/account-store.ts';
import type { Config } from '../config.ts';
import {
  createEndpointStore,
  type EndpointCounts,
  type EndpointStore,
  type WebhookEndpoint,
} from '../events/endpoint-store.ts';
import { eventTypes } from '../events/event.ts';
import { createOutbox, type Outbox, type ReplayChoice } from '../events/outbox.ts';
import { createReceiverRules } from '../events/receivers.ts';
import type { Database } from '../storage/database.ts';
import { printRows, printSecret } from './shared/format-table.ts';
import { requireAccount, withQueue, withRows } from './shared/open-stores.ts';
import { parseList, parseNumber } from './shared/parse-options.ts';
import { invalid } from './shared/refuse.ts';

export function addWebhooks(program: Command): void {
  const webhooks = program.command('webhooks').description('Manage webhooks.');
  addCreate(webhooks);
  addCare(webhooks);
  addReplay(webhooks);
}

function addCreate(webhooks: Command): void {
  webhooks
    .command('create')
    .description(
      'Send the events of an account to a URL. Prints the signing secret, which is shown only once.',
    )
    .requiredOption('--account <id>', 'acc_… id from `keys list`')
    .requiredOption('--url <url>', 'https, or http for hosts listed in WEBHOOK_ALLOW')
    .option(
      '--events <list>',
      `comma-separated: ${eventTypes.join(', ')} (default: all)`,
      parseList('Events', eventTypes),
    )
    .option('--json', 'print JSON')
    .action(async (options) => {
      await withStores(async ({ endpoints, config, database }) => {
        const verdict = await createReceiverRules(config.events).examine(options.url);
        if (verdict && 'refused' in verdict) throw new PackshotError('invalid_field', verdict.refused);
        if (verdict) console.error(`Warning: ${verdict.doubtful}`);
        await requireAccount(createAccountStore(database, Date.now), options.account);
        const { secret, endpoint } = await endpoints.createEndpoint({
          accountId: options.account,
          url: options.url,
          events: options.events ?? eventTypes,
        });
        const facts = `Id ${endpoint.id}, events ${endpoint.events.join(', ')}.`;
        printSecret(secret, facts, options.json && { secret, ...endpoint });
      });
    });
}

function addCare(webhooks: Command): void {
  webhooks
    .command('list')
    .description('List all endpoints with their pending and failed deliveries, and the last failure.')
    .option('--json', 'print JSON')
    .action(async (options) => {
      await withStores(async ({ endpoints }) => {
        const all = await endpoints.listEndpoints();
        printRows(all, { json: options.json, none: 'No webhooks yet.', toRow });
      });
    });

  webhooks
    .command('remove')
    .description('Delete an endpoint and its pending deliveries.')
    .argument('<id>', 'whe_… id from `webhooks list`')
    .action(async (id) => {
      await withStores(async ({ endpoints }) => {
        await endpoints.removeEndpoint(id);
        console.log(`Removed ${id}.`);
      });
    });

  webhooks
    .command('enable')
    .description('Enable a disabled endpoint again. `replay --failed` sends what it missed.')
    .argument('<id>', 'whe_… id from `webhooks list`')
    .action(async (id) => {
      await withStores(async ({ endpoints }) => {
        await endpoints.enableEndpoint(id);
        console.log(`Enabled ${id}.`);
      });
    });

  webhooks
    .command('rotate-secret')
    .description(
      'Create and print a new secret, shown only once. Until the overlap ends, the old secret signs, too.',
    )
    .argument('<id>', 'whe_… id from `webhooks list`')
    .option('--overlap-hours <hours>', 'how long the old secret signs too', parseNumber(0), 24)
    .action(async (id, options) => {
      await withStores(async ({ endpoints }) => {
        console.log(await endpoints.rotateSecret(id, options.overlapHours * 3_600_000));
      });
    });
}

function addReplay(webhooks: Command): void {
  webhooks
    .command('replay')
    .description('Send events again. Options narrow the choice and can be combined.')
    .option('--event <id>', 'one event: the msg_… id from its webhook-id header')
    .option('--endpoint <id>', 'only to this whe_… endpoint')
    .option('--failed', 'only failed deliveries')
    .option(
      '--since <time>',
      'only events since this time, such as 2026-01-31 or 2026-01-31T08:00Z',
      parseTime,
    )
    .action(async (options) => {
      const choice: ReplayChoice = {
        ...(options.event && { eventId: options.event }),
        ...(options.endpoint && { endpointId: options.endpoint }),
        ...(options.failed && { onlyFailed: true }),
        ...(options.since && { since: options.since }),
      };
      if (Object.keys(choice).length === 0)
        throw invalid('Name what to replay: --event, --endpoint, --failed or --since.');
      await withStores(async ({ outbox }) => {
        const count = await outbox.replay(choice);
        console.log(`Replaying ${count} ${count === 1 ? 'delivery' : 'deliveries'}.`);
      });
    });
}

async function withStores(
  work: (stores: {
    readonly endpoints: EndpointStore;
    readonly outbox: Outbox;
    readonly config: Config;
    readonly database: Database;
  }) => Promise<void>,
): Promise<void> {
  await withRows((rows, config) =>
    withQueue(config.storage, rows, (queue) => {
      const { database } = rows;
      const endpoints = createEndpointStore(database, Date.now);
      const outbox = createOutbox({ database, queue, clock: Date.now });
      return work({ endpoints, outbox, config, database });
    }),
  );
}

const toRow = ({
  id,
  accountId,
  url,
  events,
  disabledBecause,
  ...counts
}: WebhookEndpoint & EndpointCounts) => ({
  id,
  account: accountId,
  // The rest of the URL may contain a secret of the receiver.
  url: url.split('?')[0],
  events: events.join(' '),
  pending: counts.waiting,
  failed: counts.failed,
  'last failure': counts.lastFailure ?? '',
  state: disabledBecause === null ? 'active' : `disabled: ${disabledBecause}`,
});

function parseTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError('Needs a date, such as 2026-01-31.');
  return time;
}
