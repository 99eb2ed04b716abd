/** A component whose code is loaded when it is first shown, so that the page starts faster. */
import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { FaultNotice } from './fault-notice.tsx';

export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => JSX.Element | null {
  let loaded: ComponentType<Props> | null = null;
  return function Later(props) {
    const [fault, setFault] = useState<unknown>(null);
    const [tries, setTries] = useState(0);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (component) => {
          loaded = component;
          setTries((count) => count + 1);
        },
        (error) => setFault(error),
      );
    }, [tries]);
    const Loaded = loaded;
    if (Loaded) return <Loaded {...props} />;
    return <FaultNotice error={fault} onRetry={() => setTries(tries + 1)} />;
  };
}
