/** Seconds since a task started, for tasks whose duration cannot be estimated. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export function Elapsed({ since }: { readonly since: number }): JSX.Element | null {
  const seconds = Math.floor((useNow(true) - since) / 1000);
  // Hidden from screen readers, which would otherwise announce each new value.
  return seconds < 1 ? null : <span aria-hidden="true"> · {seconds} s</span>;
}

/** The time in ms since 1970, which moves on twice a second while this is truthy. */
export function useNow(moving: unknown): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!moving) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [moving]);
  return now;
}
