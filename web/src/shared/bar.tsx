/** One line at the top of the page for messages that concern the whole page. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Retry } from '../../../clients/typescript/src/packshot-client.ts';
import { describeFailure } from './error-words.ts';

interface BarProps {
  readonly online: boolean;
  readonly retry: (Retry & { readonly at: number }) | null;
  readonly greeting: string;
}

export function Bar({ online, retry, greeting }: BarProps): JSX.Element {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!retry) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [retry]);
  const seconds = retry && Math.max(0, Math.ceil((retry.at + retry.waitMs - now) / 1000));
  const line = !online
    ? 'You are offline. Nothing here is lost; continue when the connection is back.'
    : retry
      ? `${describeFailure(retry.error).title}. Trying again ${seconds ? `in ${seconds} s` : 'now'}.`
      : greeting;
  return (
    <div role="status" aria-live={retry ? 'off' : 'polite'}>
      {line && <p class="notice bar appear">{line}</p>}
    </div>
  );
}
