/** A large picture of a recipe: the preview, replaced by the full version once the full version is made. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Box } from '../../../clients/typescript/src/packshot-client.ts';
import { Elapsed } from '../shared/elapsed.tsx';
import { FaultNotice } from '../shared/fault-notice.tsx';
import { useBlobUrl } from '../shared/use-blob-url.ts';
import { t } from '../shared/words.ts';
import type { Preview } from './use-preview.ts';
import { ZoomPane } from './zoom-pane.tsx';

interface Props {
  readonly title: string;
  /** Size of the full version, in pixels. */
  readonly size: { readonly width: number; readonly height: number };
  readonly transparent: boolean;
  readonly preview: Preview;
  readonly full: Blob | null;
  /** The product's box, as fractions of the picture. */
  readonly product?: Box | undefined;
  /** Content on top of the picture. */
  readonly children?: ComponentChildren;
}

export function PictureStage({
  title,
  size,
  transparent,
  preview,
  full,
  product,
  children,
}: Props): JSX.Element {
  const fullUrl = useBlobUrl(full);
  const url = fullUrl ?? preview.url;
  const [since, setSince] = useState(Date.now());
  useEffect(() => {
    if (url === null) setSince(Date.now());
  }, [url]);
  // The last picture stays, dimmed, until the next one is loaded.
  const last = useRef<string | null>(null);
  if (preview.url) last.current = preview.url;
  if (preview.error !== null && !url) {
    return (
      <div class="pane pane-fault">
        <FaultNotice error={preview.error} onRetry={preview.retry} />
      </div>
    );
  }
  return (
    <>
      <ZoomPane
        label={title}
        {...size}
        inset={24}
        product={
          product && {
            x: product.x * size.width,
            y: product.y * size.height,
            width: product.width * size.width,
            height: product.height * size.height,
          }
        }
      >
        {() => (
          <>
            {url ? (
              <img
                class={transparent ? 'picture checker appear' : 'picture appear'}
                src={url}
                alt={title}
                draggable={false}
              />
            ) : (
              <div class="picture skeleton">
                {last.current && <img class="faint" src={last.current} alt="" />}
              </div>
            )}
            {children}
          </>
        )}
      </ZoomPane>
      <p class="stage-words small soft" role="status">
        {url ? (
          <>
            <span>{title}</span>
            <span>
              {t('{value} {width} × {height} px', {
                value: fullUrl ? t('Full version') : t('Preview; full version'),
                width: size.width,
                height: size.height,
              })}
            </span>
          </>
        ) : (
          <span>
            {t('Drawing the preview')}
            <Elapsed since={since} />
          </span>
        )}
      </p>
    </>
  );
}
