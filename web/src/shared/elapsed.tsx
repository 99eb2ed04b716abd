/** Seconds since a task started, for tasks whose duration cannot be estimated. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export function Elapsed({ since }: { readonly since: number }): JSX.Element | null {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.floor((now - since) / 1000);
  // Hidden from screen readers, which would otherwise announce each new value.
  return seconds < 1 ? null : <span aria-hidden="true"> · {seconds} s</span>;
}
