/**
 * A sheet of choices that slides up over the grid on a phone; and a hook that tells whether the window is wide
 * enough for the choices beside the grid.
 */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../shared/icons.tsx';
import { t } from '../shared/words.ts';

interface Props {
  /** Summary of the current choice. */
  readonly title: string;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly children: ComponentChildren;
}

export function Sheet({ title, open, onOpen, children }: Props): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (open) dialog.current?.showModal();
  }, [open]);
  return (
    <>
      <button type="button" class="button large sheet-button" onClick={() => onOpen(true)}>
        <Icon name="spark" /> <span class="ellipsis">{t('Look: {title}', { title })}</span>
      </button>
      <dialog ref={dialog} class="sheet" aria-label={t('Look and files')} onClose={() => onOpen(false)}>
        {open && <div class="panel">{children}</div>}
        <button type="button" class="button primary wide" onClick={() => dialog.current?.close()}>
          {t('Show the photos')}
        </button>
      </dialog>
    </>
  );
}

/** The breakpoint of the styles. */
const wideWindow = '(min-width: 60rem)';

export function useWide(): boolean {
  const [wide, setWide] = useState(() => matchMedia(wideWindow).matches);
  useEffect(() => {
    const media = matchMedia(wideWindow);
    const follow = () => setWide(media.matches);
    media.addEventListener('change', follow);
    return () => media.removeEventListener('change', follow);
  }, []);
  return wide;
}
