/** Seconds since something started: progress without an estimate. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export function Elapsed({ since }: { readonly since: number }): JSX.Element | null {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.floor((now - since) / 1000);
  // Hidden from screen readers, which would announce every second.
  return seconds < 1 ? null : <span aria-hidden="true"> · {seconds} s</span>;
}
