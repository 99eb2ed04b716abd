/** A frame around the product on the stage: drag it to move the product, a corner to scale it, the knob to turn it. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Box } from '../../../clients/typescript/src/packshot-client.ts';
import { useBlobUrl } from '../shared/use-blob-url.ts';
import { t } from '../shared/words.ts';
import type { Adjustments } from './backdrop-choice.ts';
import { type OwnLayout, placeProduct, turnProduct } from './place-product.ts';
import type { Outline } from './use-outline.ts';

type Layout = NonNullable<Adjustments['layout']>;
type Grip = 'move' | 'size' | 'turn';

/** Near its place in the recipe, or upright, the product snaps to it: as fractions of the picture, and in degrees. */
const snap = { place: 0.012, turnDeg: 1.5 } as const;
const keySteps = { place: 0.01, size: 1.03, turnDeg: 1 } as const;

interface Props {
  readonly own: OwnLayout;
  readonly layout: Layout | undefined;
  readonly variant: string;
  readonly outline: Outline;
  /** The cutout, at the size of the photo, and the product's box in it. */
  readonly cutout: Blob;
  readonly boundingBox: Box;
  /** Size of the photo in pixels. */
  readonly image: { readonly width: number; readonly height: number };
  /** Whether the picture that is shown has this layout. */
  readonly isDrawn: boolean;
  readonly onChange: (layout: Layout) => void;
}

export function ProductHands(props: Props): JSX.Element {
  const { own, layout = {}, variant, outline, onChange } = props;
  const [moving, setMoving] = useState<Layout | null>(null);
  const drag = useRef<{ grip: Grip; x: number; y: number } | null>(null);
  const frame = useRef<HTMLButtonElement>(null);
  const boxOf = (one: Layout) => placeProduct(own, one, variant, turnProduct(outline, one.rotate));
  const centreOf = (one: Layout) => {
    const { x, y, width, height } = boxOf(one);
    return { x: x + width / 2, y: y + height / 2 };
  };
  const shown = moving ?? layout;
  const box = boxOf(shown);

  function moved(by: { x: number; y: number }): Layout {
    const { x: _x, y: _y, ...rest } = layout;
    const [home, from] = [centreOf(rest), centreOf(layout)];
    const to = (axis: 'x' | 'y') => {
      const at = Math.min(1, Math.max(0, from[axis] + by[axis]));
      return Math.abs(at - home[axis]) < snap.place ? {} : { [axis]: round(at) };
    };
    return { ...rest, ...to('x'), ...to('y') };
  }
  /** A product that would be larger than its margin allows gets a smaller margin. */
  function sized(by: number): Layout {
    const scale = (layout.scale ?? 1) * by;
    if (scale <= 1) return { ...layout, scale: round(Math.max(0.1, scale)) };
    const margin = layout.margin ?? own.margin;
    return { ...layout, scale: 1, margin: round(Math.max(0, (1 - (1 - 2 * margin) * scale) / 2)) };
  }
  function turned(byDeg: number): Layout {
    const { rotate = 0, ...rest } = layout;
    const deg = ((((Math.round(2 * (rotate + byDeg)) / 2 + 180) % 360) + 360) % 360) - 180;
    return Math.abs(deg) < snap.turnDeg && Math.abs(byDeg) > keySteps.turnDeg
      ? rest
      : { ...rest, rotate: deg };
  }
  function follow(event: PointerEvent): void {
    const start = drag.current;
    const picture = frame.current?.parentElement?.getBoundingClientRect();
    if (event.buttons === 0 && start) letGo();
    if (!start || !picture || event.buttons === 0) return;
    const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
    const centre = centreOf(layout);
    const from = (x: number, y: number) =>
      [x - picture.left - centre.x * picture.width, y - picture.top - centre.y * picture.height] as const;
    const [before, now] = [from(start.x, start.y), from(event.clientX, event.clientY)];
    const degOf = ([x, y]: typeof now) => (Math.atan2(y, x) * 180) / Math.PI;
    if (start.grip === 'move') setMoving(moved({ x: dx / picture.width, y: dy / picture.height }));
    else if (start.grip === 'turn') setMoving(turned(degOf(now) - degOf(before)));
    else setMoving(sized(Math.hypot(...now) / Math.max(1, Math.hypot(...before))));
  }
  function letGo(): void {
    drag.current = null;
    setMoving(null);
  }
  function drop(): void {
    if (moving) onChange(moving);
    letGo();
  }
  return (
    <button
      ref={frame}
      type="button"
      class={moving || !props.isDrawn ? 'bare hands held' : 'bare hands'}
      aria-label={t(
        'Place of the product. Arrow keys move it, plus and minus scale it, comma and period turn it.',
      )}
      style={inPercent(box)}
      onPointerDown={(event) => {
        // Two fingers zoom the picture, and one finger moves a zoomed one: both are up to the pane.
        if (!event.isPrimary) {
          letGo();
          return;
        }
        if (event.button !== 0) return;
        if (event.pointerType === 'mouse') event.stopPropagation();
        const { grip = 'move' } = (event.target as HTMLElement).dataset;
        // A swipe past the product scrolls the page; a tap on it comes first.
        if (event.pointerType === 'touch' && grip === 'move' && document.activeElement !== frame.current)
          return;
        drag.current = { grip: grip as Grip, x: event.clientX, y: event.clientY };
        frame.current?.setPointerCapture(event.pointerId);
      }}
      // Safari gives a tapped button no focus.
      onClick={() => frame.current?.focus()}
      onPointerMove={follow}
      onPointerUp={drop}
      onPointerCancel={letGo}
      onLostPointerCapture={letGo}
      onKeyDown={(event) => {
        const act = keys[event.key];
        if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        onChange(act({ moved, sized, turned }));
      }}
    >
      <Ghost {...props} rotate={shown.rotate ?? 0} />
      {(['nw', 'ne', 'sw', 'se'] as const).map((corner) => (
        <span key={corner} class={`grip ${corner}`} data-grip="size" />
      ))}
      <span class="grip turn" data-grip="turn" />
    </button>
  );
}

/** The cutout as it will be, until the service has drawn the picture. */
function Ghost({ outline, cutout, boundingBox, image, rotate }: Props & { rotate: number }): JSX.Element {
  const url = useBlobUrl(cutout);
  const { width, height, middle } = turnProduct(outline, rotate);
  return (
    <span
      class="ghost"
      style={{
        left: `${50 - (100 * middle[0]!) / width}%`,
        top: `${50 - (100 * middle[1]!) / height}%`,
        width: `${(100 * boundingBox.width) / width}%`,
        height: `${(100 * boundingBox.height) / height}%`,
        transform: `translate(-50%, -50%) rotate(${rotate}deg)`,
      }}
    >
      {url && (
        <img
          src={url}
          alt=""
          draggable={false}
          style={{
            maxWidth: 'none',
            width: `${(100 * image.width) / boundingBox.width}%`,
            height: `${(100 * image.height) / boundingBox.height}%`,
            left: `${(-100 * boundingBox.x) / boundingBox.width}%`,
            top: `${(-100 * boundingBox.y) / boundingBox.height}%`,
          }}
        />
      )}
    </span>
  );
}

interface Hands {
  readonly moved: (by: { x: number; y: number }) => Layout;
  readonly sized: (by: number) => Layout;
  readonly turned: (byDeg: number) => Layout;
}

/** A key that moves steps over the snap, so that it leaves it. */
const step = snap.place + keySteps.place / 2;
const keys: Readonly<Record<string, (hands: Hands) => Layout>> = {
  ArrowLeft: ({ moved }) => moved({ x: -step, y: 0 }),
  ArrowRight: ({ moved }) => moved({ x: step, y: 0 }),
  ArrowUp: ({ moved }) => moved({ x: 0, y: -step }),
  ArrowDown: ({ moved }) => moved({ x: 0, y: step }),
  '+': ({ sized }) => sized(keySteps.size),
  '=': ({ sized }) => sized(keySteps.size),
  '-': ({ sized }) => sized(1 / keySteps.size),
  ',': ({ turned }) => turned(-keySteps.turnDeg),
  '.': ({ turned }) => turned(keySteps.turnDeg),
};

const round = (value: number): number => Math.round(1000 * value) / 1000;

const inPercent = (box: Readonly<Record<'x' | 'y' | 'width' | 'height', number>>) => ({
  left: `${100 * box.x}%`,
  top: `${100 * box.y}%`,
  width: `${100 * box.width}%`,
  height: `${100 * box.height}%`,
});
