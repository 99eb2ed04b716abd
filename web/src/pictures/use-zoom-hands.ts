/** Handlers that zoom and pan a picture in its pane: mouse wheel with Ctrl, one or two pointers, keys. */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Point, Zoom } from './use-zoom.ts';

/** Pan per key press, in CSS pixels. */
const keyStepPx = 60;
export const keyZoom = 1.5;

/** Returns the pane's listeners. A child with `data-own-drag` handles its own dragging. */
export function useZoomHands(pane: RefObject<HTMLElement | null>, zoom: Zoom) {
  const pointers = useRef(new Map<number, Point>());
  const { scale } = zoom.view;

  function fromCentre(event: { clientX: number; clientY: number }): Point {
    const box = pane.current!.getBoundingClientRect();
    return { x: event.clientX - box.left - box.width / 2, y: event.clientY - box.top - box.height / 2 };
  }
  // Not added by Preact, whose wheel listeners are passive and so cannot prevent the zoom of the whole page.
  useEffect(() => {
    const element = pane.current!;
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom.zoomTo(scale * Math.exp(-event.deltaY / 180), fromCentre(event));
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => element.removeEventListener('wheel', wheel);
  });
  const release = (event: PointerEvent) => pointers.current.delete(event.pointerId);

  return {
    onPointerDown(event: PointerEvent): void {
      if (event.target instanceof Element && event.target.closest('[data-own-drag]')) return;
      pointers.current.set(event.pointerId, fromCentre(event));
      if (scale > 1 || pointers.current.size > 1) pane.current!.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent): void {
      const before = pointers.current.get(event.pointerId);
      if (!before) return;
      const now = fromCentre(event);
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
      pointers.current.set(event.pointerId, now);
      if (other) {
        const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
        zoom.zoomTo((scale * distance(now, other)) / distance(before, other), middle);
      } else if (scale > 1) zoom.moveBy(now.x - before.x, now.y - before.y);
    },
    onPointerUp: release,
    onPointerCancel: release,
    onKeyDown(event: KeyboardEvent): void {
      const act = keys[event.key];
      const idle = scale === 1 && event.key.startsWith('Arrow');
      if (!act || idle || event.target !== pane.current || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      act(zoom);
    },
    onDblClick(event: MouseEvent): void {
      zoom.zoomTo(scale > 1 ? 1 : Math.max(2, 1 / zoom.density), fromCentre(event));
    },
  };
}

const keys: Readonly<Record<string, (zoom: Zoom) => void>> = {
  '+': ({ zoomTo, view }) => zoomTo(view.scale * keyZoom),
  '=': ({ zoomTo, view }) => zoomTo(view.scale * keyZoom),
  '-': ({ zoomTo, view }) => zoomTo(view.scale / keyZoom),
  '0': ({ showAll }) => showAll(),
  ArrowLeft: ({ moveBy }) => moveBy(keyStepPx, 0),
  ArrowRight: ({ moveBy }) => moveBy(-keyStepPx, 0),
  ArrowUp: ({ moveBy }) => moveBy(0, keyStepPx),
  ArrowDown: ({ moveBy }) => moveBy(0, -keyStepPx),
};

function distance(a: Point, b: Point): number {
  return Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
}
