/**
 * Parts of the correction view: the photo and the cutout on top of each other, and the button that steps through the
 * doubtful places.
 */
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { Box } from '../../../clients/typescript/src/packshot-client.ts';
import type { OpenDesign } from '../design/open-design.ts';
import { useBlobUrl, usePhotoUrl } from '../shared/use-blob-url.ts';
import { t } from '../shared/words.ts';

/** The dimmed photo below the cutout, or only the photo, or only the cutout. */
export function Layers({
  open,
  view,
}: {
  readonly open: OpenDesign;
  readonly view: 'both' | 'after' | 'before';
}): JSX.Element {
  const photoUrl = usePhotoUrl(open.photo);
  const cutoutUrl = useBlobUrl(open.cutout);
  const photo = view !== 'after' && photoUrl;
  return (
    <div class={photo ? 'ground' : 'ground checker'}>
      {photo && (
        <img
          class={view === 'both' ? 'faint' : ''}
          src={photo}
          alt={t('Uploaded original')}
          draggable={false}
        />
      )}
      {(view !== 'before' || !photoUrl) && cutoutUrl && (
        <img src={cutoutUrl} alt={t('The cutout')} draggable={false} />
      )}
    </div>
  );
}

interface PlacesProps {
  readonly places: readonly Box[];
  readonly onShow: (place: Box) => void;
}

/** Button that shows the doubtful places, one after the other. */
export function Places({ places, onShow }: PlacesProps): JSX.Element {
  const next = useRef(0);
  return (
    <fieldset class="group">
      <legend>{t('Doubtful')}</legend>
      <button
        type="button"
        class="button wide"
        onClick={() => onShow({ ...places[next.current++ % places.length]! })}
      >
        {places.length === 1
          ? t('Show the doubtful place')
          : t('Next of {length} doubtful places', { length: places.length })}
      </button>
    </fieldset>
  );
}
