/** Position and zoom of a picture in its pane. */
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Box } from '../../../clients/typescript/src/packshot-client.ts';

interface View {
  /** Zoom, relative to the size at which the picture fits the pane. */
  readonly scale: number;
  /** Offset of the picture's center from the pane's center, in CSS pixels. */
  readonly x: number;
  readonly y: number;
}

const fitting: View = { scale: 1, x: 0, y: 0 };
/** Maximum CSS pixels per picture pixel: enough to count pixels at an edge. */
const closest = 6;

interface Frame {
  /** Size of the picture, in its own pixels. */
  readonly width: number;
  readonly height: number;
  /** Margin around a picture that is not zoomed, in CSS pixels. */
  readonly inset: number;
}

export interface Zoom {
  readonly view: View;
  /** Current CSS pixels per picture pixel. */
  readonly density: number;
  /** Sizes of the pane and of the picture in it, in CSS pixels. */
  readonly pane: { readonly width: number; readonly height: number };
  readonly shown: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  /** The point `about`, relative to the pane's center, stays where it is. */
  zoomTo(scale: number, about?: Point): void;
  moveBy(x: number, y: number): void;
  showAll(): void;
  /**
   * Centers a part of the picture, given in pixels of the picture, and enlarges it until it fills half of the pane's
   * width or height, or another share of it.
   */
  showBox(box: Box, share?: number): void;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export function useZoom(element: RefObject<HTMLElement | null>, { width, height, inset }: Frame): Zoom {
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [view, setView] = useState(fitting);

  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    watch.observe(element.current!);
    return () => watch.disconnect();
  }, []);

  // A place in a picture of another shape is another place.
  useEffect(() => setView(fitting), [width, height]);

  const fit = Math.max(
    0.0001,
    Math.min((size.width - 2 * inset) / width, (size.height - 2 * inset) / height),
  );
  const most = Math.max(2, closest / fit);
  const shown = { width: width * fit * view.scale, height: height * fit * view.scale };

  function zoomTo(scale: number, about: Point = { x: 0, y: 0 }): void {
    setView((old) => {
      const next = Math.min(most, Math.max(1, scale));
      const ratio = next / old.scale;
      return hold({
        scale: next,
        x: about.x - (about.x - old.x) * ratio,
        y: about.y - (about.y - old.y) * ratio,
      });
    });
  }
  function moveBy(x: number, y: number): void {
    setView((old) => hold({ ...old, x: old.x + x, y: old.y + y }));
  }
  function showBox(box: Box, share = 0.5): void {
    const closeness = (share * Math.min(size.width / box.width, size.height / box.height)) / fit;
    const scale = Math.min(most, Math.max(1, closeness));
    const fromMiddle = (start: number, length: number, whole: number) => start + length / 2 - whole / 2;
    const x = -fromMiddle(box.x, box.width, width) * fit * scale;
    setView(hold({ scale, x, y: -fromMiddle(box.y, box.height, height) * fit * scale }));
  }
  /** Limits the offset: an edge of the picture may move at most to the pane's middle third. */
  function hold(next: View): View {
    if (next.scale <= 1.001) return fitting;
    const reach = (picture: number, room: number) => Math.max(0, (picture * next.scale - room / 3) / 2);
    const within = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value));
    return {
      scale: next.scale,
      x: within(next.x, reach(width * fit, size.width)),
      y: within(next.y, reach(height * fit, size.height)),
    };
  }
  return {
    view,
    density: fit * view.scale,
    pane: size,
    shown: {
      ...shown,
      left: (size.width - shown.width) / 2 + view.x,
      top: (size.height - shown.height) / 2 + view.y,
    },
    zoomTo,
    moveBy,
    showAll: () => setView(fitting),
    showBox,
  };
}
