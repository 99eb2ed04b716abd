/** A picture that fits its pane, and can be zoomed and panned. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Box } from '../../../clients/typescript/src/packshot-client.ts';
import { IconButton } from '../shared/buttons.tsx';
import { t } from '../shared/words.ts';
import { useZoom, type Zoom } from './use-zoom.ts';
import { keyZoom, useZoomHands } from './use-zoom-hands.ts';

/** Position of the picture in the pane, in CSS pixels. */
export interface Placement {
  readonly left: number;
  readonly width: number;
  readonly paneWidth: number;
}

interface Props {
  /** Name of the pane for screen readers. */
  readonly label: string;
  /** Width of the picture, in its own pixels. */
  readonly width: number;
  readonly height: number;
  /** Margin around a picture that is not zoomed, in CSS pixels. */
  readonly inset?: number;
  /** A part of the picture, in pixels of the picture. Each time this value changes, the pane zooms in on the part. */
  readonly showing?: Box | null;
  /** The product's box, in pixels of the picture, for a button that zooms to it. */
  readonly product?: Box | undefined;
  /** The picture, or other content in its place. */
  readonly children: (placement: Placement) => ComponentChildren;
  /** Content on top of the picture, which does not zoom with it. */
  readonly overlay?: (placement: Placement) => ComponentChildren;
}

/** From this zoom on (CSS pixels per picture pixel), pixels are shown as squares. */
const squareDensity = 3;

export function ZoomPane({
  label,
  width,
  height,
  inset = 0,
  showing,
  product,
  children,
  overlay,
}: Props): JSX.Element {
  const room = useRef<HTMLDivElement>(null);
  const zoom = useZoom(room, { width, height, inset });
  const hands = useZoomHands(room, zoom);
  useEffect(() => {
    if (showing) zoom.showBox(showing);
  }, [showing]);
  const { shown } = zoom;
  const placement = { left: shown.left, width: shown.width, paneWidth: zoom.pane.width };
  return (
    <div class="pane">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset holds fields, but this element holds a picture. */}
      <div
        ref={room}
        class={zoom.view.scale > 1 ? 'pane-room zoomed' : 'pane-room'}
        role="group"
        aria-label={t('{label}. Plus and minus zoom, arrows move.', { label })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the pane is operated with keys.
        tabIndex={0}
        {...hands}
      >
        <div
          class={zoom.density > squareDensity ? 'pane-picture pixels' : 'pane-picture'}
          style={{
            width: `${shown.width}px`,
            height: `${shown.height}px`,
            left: `${shown.left}px`,
            top: `${shown.top}px`,
          }}
        >
          {children(placement)}
        </div>
        {overlay?.(placement)}
      </div>
      <ZoomButtons zoom={zoom} product={product} />
    </div>
  );
}

interface ButtonProps extends Pick<Props, 'product'> {
  readonly zoom: Zoom;
}

/** The part of the pane that the product fills. */
const productShare = 0.9;

function ZoomButtons({ zoom, product }: ButtonProps): JSX.Element {
  const { view, density, zoomTo, showAll, showBox } = zoom;
  return (
    <div class="pane-zoom">
      {product && (
        <button type="button" class="button plain" onClick={() => showBox(product, productShare)}>
          {t('Product')}
        </button>
      )}
      <IconButton icon="minus" name={t('Smaller')} onClick={() => zoomTo(view.scale / keyZoom)} />
      <button type="button" class="button plain" aria-label={t('Fit')} onClick={showAll}>
        {view.scale === 1 ? t('Fit') : `${Math.round(density * 100)} %`}
      </button>
      <IconButton icon="plus" name={t('Closer')} onClick={() => zoomTo(view.scale * keyZoom)} />
    </div>
  );
}
