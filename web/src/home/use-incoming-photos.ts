/** Photos dropped or pasted anywhere on the page, as files or as URLs. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Work } from '../design/open-design.ts';
import { baseName } from '../shared/file-name.ts';
import { folderOfDrop, isPhoto, photosOfDrop } from '../shared/photo-files.ts';

interface Takers {
  /** `folder` is the name of the dropped folder, if all files are from one. */
  readonly onFiles: (files: readonly File[], folder?: string) => void;
  readonly onWork: (work: Work) => void;
}

/** Returns whether something is being dragged over the page. */
export function useIncomingPhotos(takers: Takers): boolean {
  const [dragging, setDragging] = useState(false);
  const latest = useRef(takers);
  latest.current = takers;

  useEffect(() => {
    const stopping = new AbortController();
    const options = { signal: stopping.signal };
    // Number of elements entered and not left: a child's `dragenter` comes before its parent's `dragleave`.
    let depth = 0;
    const enter = (by: number) => {
      depth += by;
      setDragging(depth > 0);
    };
    addEventListener('dragenter', () => enter(1), options);
    addEventListener('dragleave', () => enter(-1), options);
    // Otherwise the browser would leave the page to show the file.
    addEventListener('dragover', (event) => event.preventDefault(), options);
    addEventListener(
      'drop',
      (event) => {
        event.preventDefault();
        enter(-depth);
        const work = workOfUrl(event.dataTransfer?.getData('text/uri-list'));
        const folder = folderOfDrop(event.dataTransfer);
        void photosOfDrop(event.dataTransfer).then((files) => {
          if (files.length > 0) latest.current.onFiles(files, folder);
          else if (work) latest.current.onWork(work);
        });
      },
      options,
    );
    addEventListener(
      'paste',
      (event) => {
        const files = [...(event.clipboardData?.files ?? [])].filter(isPhoto);
        const typing = event.target instanceof Element && event.target.matches('input, textarea');
        const work = typing ? null : workOfUrl(event.clipboardData?.getData('text'));
        if (files.length > 0) latest.current.onFiles(files);
        else if (work) latest.current.onWork(work);
      },
      options,
    );
    return () => stopping.abort();
  }, []);
  return dragging;
}

export function workOfFile(file: File): Work {
  return { serial: newSerial(), photo: file, name: baseName(file.name) };
}

/** Null if the text is not a URL. */
export function workOfUrl(text: string | undefined): Work | null {
  const url = text?.trim() ?? '';
  if (!/^https?:\/\/\S+$/.test(url) || !URL.canParse(url)) return null;
  return { serial: newSerial(), url, name: nameOfUrl(url) };
}

function nameOfUrl(url: string): string {
  try {
    return baseName(decodeURIComponent(new URL(url).pathname));
  } catch {
    // The percent-encoding of the URL's file name is not UTF-8.
    return 'photo';
  }
}

function newSerial(): string {
  return crypto.getRandomValues(new Uint32Array(2)).join('-');
}
