/** Photos that are dropped or pasted anywhere on the page, as files or as addresses. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Work } from '../design/open-design.ts';
import { baseName } from '../shared/file-name.ts';

/** Answers whether something is being dragged over the page. */
export function useIncomingPhotos(onWork: (work: Work) => void): boolean {
  const [dragging, setDragging] = useState(false);
  const latest = useRef(onWork);
  latest.current = onWork;

  useEffect(() => {
    const stopping = new AbortController();
    const options = { signal: stopping.signal };
    // Entering a child comes before leaving its parent.
    let depth = 0;
    const enter = (by: number) => {
      depth += by;
      setDragging(depth > 0);
    };
    addEventListener('dragenter', () => enter(1), options);
    addEventListener('dragleave', () => enter(-1), options);
    // Or the browser would leave the page to show the file.
    addEventListener('dragover', (event) => event.preventDefault(), options);
    addEventListener(
      'drop',
      (event) => {
        event.preventDefault();
        enter(-depth);
        const work =
          workOfFile(event.dataTransfer?.files[0]) ?? workOfUrl(event.dataTransfer?.getData('text/uri-list'));
        if (work) latest.current(work);
      },
      options,
    );
    addEventListener(
      'paste',
      (event) => {
        const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'));
        const typing = event.target instanceof Element && event.target.matches('input, textarea');
        const work = workOfFile(file) ?? (typing ? null : workOfUrl(event.clipboardData?.getData('text')));
        if (work) latest.current(work);
      },
      options,
    );
    return () => stopping.abort();
  }, []);
  return dragging;
}

export function workOfFile(file: File | null | undefined): Work | null {
  return file ? { serial: newSerial(), photo: file, name: baseName(file.name) } : null;
}

/** Null where it is no address. */
export function workOfUrl(text: string | undefined): Work | null {
  const url = text?.trim() ?? '';
  if (!/^https?:\/\/\S+$/.test(url) || !URL.canParse(url)) return null;
  return { serial: newSerial(), url, name: nameOfUrl(url) };
}

function nameOfUrl(url: string): string {
  try {
    return baseName(decodeURIComponent(new URL(url).pathname));
  } catch {
    // Its escapes are not of UTF-8.
    return 'photo';
  }
}

function newSerial(): string {
  return crypto.getRandomValues(new Uint32Array(2)).join('-');
}
