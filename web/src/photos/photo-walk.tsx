/**
 * The way through the photos of a list while one of them is open: to the photos before and after it, by buttons and arrow
 * keys; and from one doubtful cutout to the next.
 */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { IconButton } from '../shared/buttons.tsx';
import { Icon } from '../shared/icons.tsx';
import { useSession } from '../shared/session.ts';
import { t } from '../shared/words.ts';
import { inOrder, isDoubtful, leaveUncut, type Photo } from './photo.ts';
import type { PhotoQueue } from './photo-queue.ts';
import { usePhotos } from './use-photos.ts';

interface Props {
  readonly queue: PhotoQueue;
  readonly project: string;
  /** The design that is open. */
  readonly designId: string;
  /** Whether its cutout is on the screen, and not yet that of the photo before it. */
  readonly isShown: boolean;
  /** Keys of the photos in the order of the list from which the first one was opened; empty after a reload. */
  readonly order: readonly string[];
  readonly onOpen: (photo: Photo) => void;
}

export function PhotoWalk({ queue, project, designId, isShown, order, onOpen }: Props): JSX.Element | null {
  const { announce } = useSession();
  const photos = usePhotos(queue, project);
  const place = useRef<HTMLDivElement>(null);
  // The order stays, although a photo that looks good would move to the end of the list.
  const fixed = useRef(order);
  // An order without the open photo is that of another project.
  if (!photos.some(({ key, designId: id }) => id === designId && fixed.current.includes(key)))
    fixed.current = inOrder(photos).map(({ key }) => key);
  const row = fixed.current
    .flatMap((key) => photos.find((photo) => photo.key === key) ?? [])
    .filter(isOpenable);
  const at = row.findIndex((photo) => photo.designId === designId);
  const doubtful = [...row.slice(at + 1), ...row.slice(0, Math.max(0, at))].filter(isDoubtful);
  const current = row[at];

  function go(next: Photo | undefined): void {
    if (!next) return;
    announce(
      t('{name}, {count} of {length}', { name: next.name, count: row.indexOf(next) + 1, length: row.length }),
    );
    onOpen(next);
  }
  function settle(photo: Photo, next: Partial<Photo>): void {
    if (!isShown) return;
    queue.change(photo.key, next);
    if (doubtful.length > 0) go(doubtful[0]);
    else {
      announce(t('No cutout is doubtful any more.'));
      // The button is about to go.
      place.current?.querySelector<HTMLElement>('button')?.focus();
    }
  }
  const step = useRef<(by: 1 | -1) => void>(() => undefined);
  step.current = (by) => go(row[at + by]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const by = ({ ArrowLeft: -1, ArrowRight: 1 } as const)[event.key];
      if (by === undefined || isTaken(event)) return;
      event.preventDefault();
      step.current(by);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);

  if (!current || row.length < 2) return null;
  return (
    <div class="walk" ref={place}>
      <IconButton
        icon="arrowLeft"
        name={t('Previous photo')}
        title={t('Previous photo (left arrow)')}
        isDisabled={at === 0}
        onClick={() => go(row[at - 1])}
      />
      <span class="small soft">{t('{count} of {length}', { count: at + 1, length: row.length })}</span>
      <IconButton
        icon="arrowRight"
        name={t('Next photo')}
        title={t('Next photo (right arrow)')}
        isDisabled={at === row.length - 1}
        onClick={() => go(row[at + 1])}
      />
      {isDoubtful(current) ? (
        <>
          {current.betterUncut && (
            <button
              type="button"
              class="button"
              aria-disabled={!isShown}
              onClick={() => settle(current, leaveUncut(current))}
            >
              <Icon name="image" /> {t('Leave as it is')}
            </button>
          )}
          <button
            type="button"
            class="button"
            aria-disabled={!isShown}
            onClick={() => settle(current, { approved: true })}
          >
            <Icon name="check" />{' '}
            {t('Looks good{value}', {
              value: doubtful.length > 0 ? t(', {length} left', { length: doubtful.length }) : '',
            })}
          </button>
        </>
      ) : (
        doubtful.length > 0 && (
          <button type="button" class="button" onClick={() => go(doubtful[0])}>
            {t('Next doubtful')}
          </button>
        )
      )}
    </div>
  );
}

const isOpenable = ({ state }: Photo): boolean => state === 'ready';

/**
 * Whether the key already means something else: in a field, in a dialog, or to the element that handled it; or to the
 * brush, whose strokes would be lost.
 */
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return true;
  if (document.querySelector('.paint')) return true;
  const { target } = event;
  return target instanceof Element && target.closest('input, select, textarea, dialog') !== null;
}
