/** The designs of this browser. Each can be reopened, or deleted here and on the service. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { PackshotError } from '../../../clients/typescript/src/packshot-client.ts';
import { dropPastDesign, isExpired, listPastDesigns, type PastDesign } from '../shared/design-history.ts';
import { FaultNotice } from '../shared/fault-notice.tsx';
import { Icon } from '../shared/icons.tsx';
import { useSession } from '../shared/session.ts';
import { usePhotoUrl } from '../shared/use-blob-url.ts';

export function HistoryList({
  onOpen,
}: {
  readonly onOpen: (design: PastDesign) => void;
}): JSX.Element | null {
  const { client, announce } = useSession();
  const [designs, setDesigns] = useState<readonly PastDesign[]>([]);
  const [fault, setFault] = useState<unknown>(null);
  useEffect(() => {
    void listPastDesigns().then(setDesigns);
  }, []);

  async function erase(design: PastDesign): Promise<void> {
    setFault(null);
    try {
      if (!isExpired(design)) await client.deleteDesign(design.id);
    } catch (error) {
      // A design that the service no longer has is already deleted.
      if (!(error instanceof PackshotError && error.status === 404)) {
        setFault(error);
        return;
      }
    }
    await dropPastDesign(design.id);
    setDesigns((all) => all.filter(({ id }) => id !== design.id));
    announce(`${design.name} is deleted.`);
    document.querySelector<HTMLElement>('#history-title')?.focus();
  }

  if (designs.length === 0) return null;
  return (
    <section class="history" aria-labelledby="history-title">
      <h2 id="history-title" tabIndex={-1}>
        Made in this browser
      </h2>
      {fault !== null && <FaultNotice error={fault} />}
      <ul class="history-list">
        {designs.map((design) => (
          <HistoryItem key={design.id} design={design} onOpen={onOpen} onErase={() => void erase(design)} />
        ))}
      </ul>
    </section>
  );
}

interface ItemProps {
  readonly design: PastDesign;
  readonly onOpen: (design: PastDesign) => void;
  readonly onErase: () => void;
}

function HistoryItem({ design, onOpen, onErase }: ItemProps): JSX.Element {
  const url = usePhotoUrl(design.thumb ?? design.photo);
  const [asking, setAsking] = useState(false);
  const expired = isExpired(design);
  const picture = url ? <img src={url} alt="" /> : <Icon name="image" size={28} />;
  return (
    <li class={expired ? 'past expired' : 'past'}>
      {expired ? (
        <div class="past-picture">{picture}</div>
      ) : (
        <button
          type="button"
          class="past-picture"
          aria-label={`Open ${design.name}`}
          onClick={() => onOpen(design)}
        >
          {picture}
        </button>
      )}
      <div class="past-words">
        <p class="small">
          <span class="past-name">{design.name}</span>
          <span class="soft">{expired ? 'Expired' : agoOf(design.at)}</span>
        </p>
        {asking ? (
          <button
            type="button"
            class="button"
            ref={(button) => button?.focus()}
            onBlur={() => setAsking(false)}
            onClick={onErase}
          >
            Delete
          </button>
        ) : (
          <button
            type="button"
            class="button plain icon"
            aria-label={expired ? `Remove ${design.name} from this list` : `Delete ${design.name}`}
            onClick={expired ? onErase : () => setAsking(true)}
          >
            <Icon name={expired ? 'close' : 'trash'} />
          </button>
        )}
      </div>
    </li>
  );
}

function agoOf(at: number): string {
  const minutes = Math.round((Date.now() - at) / 60_000);
  if (minutes < 1) return 'Just now';
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  if (minutes < 60) return format.format(-minutes, 'minute');
  if (minutes < 48 * 60) return format.format(-Math.round(minutes / 60), 'hour');
  return format.format(-Math.round(minutes / 1440), 'day');
}
