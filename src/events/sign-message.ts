/** Signs messages as Standard Webhooks specifies (https://github.com/standard-webhooks/standard-webhooks, `spec`). */
import { createHmac, randomBytes } from 'node:crypto';

/** The specification requires 24 to 64 bytes. */
const secretBytes = 32;
const secretPrefix = 'whsec_';

export function newWebhookSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64');
}

export interface Message {
  readonly id: string;
  /** Time of this try, in seconds since 1970; not the event's time, because receivers reject old messages. */
  readonly timestampS: number;
  readonly body: string;
}

/** The three headers, with one signature per secret: receivers can switch to a new secret at any time. */
export function signMessage(message: Message, secrets: readonly string[]): Record<string, string> {
  const { id, timestampS, body } = message;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestampS}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': signatures.join(' '),
  };
}
