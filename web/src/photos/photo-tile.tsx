/** One photo in the grid: its picture, its state, and possible actions. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { PackshotError } from '../../../clients/typescript/src/packshot-client.ts';
import { VerdictList } from '../checks/verdict-list.tsx';
import type { PreviewQueue } from '../pictures/preview-queue.ts';
import { IconButton } from '../shared/buttons.tsx';
import { describeFailure } from '../shared/error-words.ts';
import { Icon } from '../shared/icons.tsx';
import { t, translate } from '../shared/words.ts';
import { isDoubtful, isTransparent, leaveUncut, type Photo, verdictsOf } from './photo.ts';
import type { PhotoQueue } from './photo-queue.ts';
import { useNear, useTilePicture } from './use-tile-picture.ts';

interface Props {
  readonly photo: Photo;
  readonly queue: PhotoQueue;
  readonly previews: PreviewQueue;
  readonly chosen: boolean;
  readonly onChoose: (chosen: boolean) => void;
  readonly onOpen: () => void;
  readonly onRemove: () => void;
}

export function PhotoTile(props: Props): JSX.Element {
  const { photo, queue, previews, chosen, onChoose, onOpen } = props;
  const place = useRef<HTMLLIElement>(null);
  const near = useNear(place);
  const picture = useTilePicture(photo, near, queue, previews);
  const words = wordsOf(photo);
  const ready = photo.state === 'ready';
  const moving = photo.state === 'sending' || photo.state === 'cutting' || picture.awaited;
  const shown =
    picture.url && near ? (
      <img class={ready ? 'appear' : 'appear photo-original'} src={picture.url} alt="" />
    ) : (
      <Icon name={photo.state === 'failed' ? 'fault' : 'image'} size={26} />
    );
  return (
    <li ref={place} class="photo" data-key={photo.key}>
      <div
        class={
          picture.kind === 'picture' && isTransparent(photo.look) ? 'photo-picture checker' : 'photo-picture'
        }
      >
        {ready ? (
          <button
            type="button"
            class="bare photo-open"
            aria-label={t('Open {name}. {text}', { name: photo.name, text: words.text })}
            onClick={onOpen}
          >
            {shown}
          </button>
        ) : (
          <div class="bare photo-open">{shown}</div>
        )}
        {moving && <div class="travel" />}
        {words.tone !== '' && <span class={`photo-dot ${words.tone}`} />}
        <label class="photo-choose">
          <input
            type="checkbox"
            aria-label={t('Select {name}', { name: photo.name })}
            checked={chosen}
            onChange={(event) => onChoose(event.currentTarget.checked)}
          />
          <span class="photo-mark">{chosen && <Icon name="check" size={16} />}</span>
        </label>
        <EraseButton {...props} />
      </div>
      <div class="photo-words">
        <p class="small">
          <span class="photo-name ellipsis" title={photo.fileName}>
            {photo.name}
          </span>
          <span class={`photo-state ${words.tone}`} title={words.text}>
            {firstSentence(words.text)}
          </span>
        </p>
        <NextButton {...props} />
      </div>
      <VerdictList verdicts={verdictsOf(photo)} />
    </li>
  );
}

function EraseButton({ photo, onRemove }: Props): JSX.Element {
  const [asking, setAsking] = useState(false);
  // Removing a photo that the service does not have loses nothing, so it needs no confirmation.
  const unsent = photo.state === 'failed' || photo.state === 'waiting';
  if (asking) {
    return (
      <button
        type="button"
        class="button photo-erase"
        ref={(button) => button?.focus()}
        onBlur={() => setAsking(false)}
        onClick={onRemove}
      >
        {t('Delete')}
      </button>
    );
  }
  return (
    <button
      type="button"
      class="bare photo-erase icon"
      aria-label={t('Delete {name}', { name: photo.name })}
      title={t('Delete')}
      onClick={() => (unsent ? onRemove() : setAsking(true))}
    >
      <span>
        <Icon name={unsent ? 'close' : 'trash'} size={16} />
      </span>
    </button>
  );
}

/** The most likely next action for this photo. */
function NextButton({ photo, queue }: Props): JSX.Element | null {
  const leave = {
    name: t('Leave {name} as it is', { name: photo.name }),
    title: t('Leave as it is'),
    icon: 'image',
  } as const;
  const next =
    isDoubtful(photo) && photo.betterUncut
      ? { ...leave, act: () => queue.change(photo.key, leaveUncut(photo)) }
      : photo.fault?.code === 'no_subject_found'
        ? { ...leave, act: () => queue.retry([photo.key], true) }
        : isDoubtful(photo)
          ? ({
              name: t('{name} looks good', { name: photo.name }),
              title: t('Looks good'),
              icon: 'check',
              act: () => queue.change(photo.key, { approved: true }),
            } as const)
          : photo.state === 'failed'
            ? ({
                name: t('Retry {name}', { name: photo.name }),
                title: t('Retry'),
                icon: 'retry',
                act: () => queue.retry([photo.key]),
              } as const)
            : null;
  if (!next) return null;
  return <IconButton icon={next.icon} name={next.name} title={next.title} onClick={next.act} />;
}

/** A tile has room only for the first sentence of a message; the other sentences are mostly advice. */
const firstSentence = (text: string): string => text.split(/(?<=\.)\s/, 1)[0] ?? text;

function wordsOf(photo: Photo): { text: string; tone: '' | 'doubt' | 'bad' } {
  const { state, fault, doubts, unmade, look } = photo;
  if (fault && state === 'failed') {
    const { code, message, status, requestId } = fault;
    return {
      text: describeFailure(new PackshotError(code, message, { status, requestId })).title,
      tone: 'bad',
    };
  }
  if (state === 'waiting') return { text: t('Waiting'), tone: '' };
  if (state === 'sending') return { text: t('Uploading'), tone: '' };
  if (state === 'cutting') return { text: t('Cutting out'), tone: '' };
  if (unmade !== null) return { text: unmade, tone: 'bad' };
  if (photo.improving) return { text: t('Getting better'), tone: '' };
  if (isDoubtful(photo)) return { text: doubts[0] ?? '', tone: 'doubt' };
  return { text: translate(look.title), tone: '' };
}
