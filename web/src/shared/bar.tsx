/** One line at the top of the page for messages that concern the whole page. */
import type { JSX } from 'preact';
import type { Retry } from '../../../clients/typescript/src/packshot-client.ts';
import { useNow } from './elapsed.tsx';
import { describeFailure } from './error-words.ts';
import { t } from './words.ts';

interface BarProps {
  readonly online: boolean;
  readonly retry: (Retry & { readonly at: number }) | null;
  readonly greeting: string;
}

export function Bar({ online, retry, greeting }: BarProps): JSX.Element {
  const now = useNow(retry);
  const seconds = retry && Math.max(0, Math.ceil((retry.at + retry.waitMs - now) / 1000));
  const line = !online
    ? t('You are offline. Nothing here is lost; continue when the connection is back.')
    : retry
      ? t('{title}. Trying again {when}.', {
          title: describeFailure(retry.error).title,
          when: seconds ? t('in {seconds} s', { seconds }) : t('now'),
        })
      : greeting;
  return (
    <div role="status" aria-live={retry ? 'off' : 'polite'}>
      {line && <p class="notice bar appear">{line}</p>}
    </div>
  );
}
