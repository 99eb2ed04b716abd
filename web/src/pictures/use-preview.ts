/** A hook that makes the preview of a render request for the component that shows it. */
import { useEffect, useState } from 'preact/hooks';
import type { RenderInput } from '../../../clients/typescript/src/packshot-client.ts';
import { useSession } from '../shared/session.ts';
import type { PreviewQueue } from './preview-queue.ts';

export interface Preview {
  /** URL of the preview; null while the preview is being made. */
  readonly url: string | null;
  readonly error: unknown;
  retry(): void;
}

/** An `urgent` preview is made before the small pictures of lists. */
export function usePreview(previews: PreviewQueue, request: RenderInput | null, urgent = false): Preview {
  const { client } = useSession();
  const key = JSON.stringify(request);
  const [made, setMade] = useState<{ key: string; url: string | null; error: unknown }>();
  const [tries, setTries] = useState(0);

  useEffect(() => {
    if (!request) return;
    let left = false;
    // An urgent preview shows the user's current choice. It waits a moment, so that a choice that the user skips with
    // the arrow keys is not rendered.
    const timer = setTimeout(
      () => {
        previews
          .show(key, async (signal) => (await client.preview(request, { signal })).blob(), { urgent })
          .then(
            (url) => left || setMade({ key, url, error: null }),
            (error) => left || setMade({ key, url: null, error }),
          );
      },
      urgent ? 120 : 0,
    );
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [key, client, tries, previews]);

  const own = made?.key === key ? made : undefined;
  return {
    url: own?.url ?? null,
    error: own?.error ?? null,
    retry: () => {
      setMade(undefined);
      setTries(tries + 1);
    },
  };
}
