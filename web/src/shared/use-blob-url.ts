/** A `blob:` URL that is valid while a component uses it. */
import { useEffect, useMemo, useState } from 'preact/hooks';

export function useBlobUrl(blob: Blob | null | undefined): string | null {
  const url = useMemo(() => (blob ? URL.createObjectURL(blob) : null), [blob]);
  useEffect(() => () => (url === null ? undefined : URL.revokeObjectURL(url)), [url]);
  return url;
}

/** The photo's URL; null for formats that this browser cannot show, such as HEIC outside of Safari. */
export function usePhotoUrl(photo: Blob | null | undefined): string | null {
  const url = useBlobUrl(photo);
  const [unshown, setUnshown] = useState<string | null>(null);
  useEffect(() => {
    if (url === null) return undefined;
    const image = new Image();
    image.onerror = () => setUnshown(url);
    image.src = url;
    return () => {
      image.onerror = null;
    };
  }, [url]);
  return url === unshown ? null : url;
}
