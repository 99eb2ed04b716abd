/**
 * The layer above the photo: takes strokes and picked parts from the pointer and dots from the keyboard, and
 * outlines the doubtful places.
 */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Box } from '../../../clients/typescript/src/packshot-client.ts';
import { begin, extend, type Mode, type Stroke, toPath } from './marks.ts';

interface Props {
  /** Width of the photo, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Whether the brush keeps or erases; null while the photo is being moved, or parts are picked. */
  readonly mode: Mode | null;
  /** If set, the user picks parts instead of painting; called with a point in the picked part of the photo. */
  readonly onPick: ((x: number, y: number) => void) | null;
  /** Radius of the brush, in pixels of the photo. */
  readonly radius: number;
  readonly strokes: readonly Stroke[];
  readonly places: readonly Box[];
  readonly onStroke: (stroke: Stroke) => void;
  readonly onApply: () => void;
  readonly onUndo: () => void;
}

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function PaintLayer(props: Props): JSX.Element {
  const { width, height, mode, strokes, places, onPick, onStroke, onApply, onUndo } = props;
  const radius = onPick ? Math.max(width, height) / 100 : props.radius;
  const moving = mode === null && onPick === null;
  const layer = useRef<SVGSVGElement>(null);
  const [stroke, setStroke] = useState<Stroke | null>(null);
  const [cursor, setCursor] = useState<{ x: number; y: number } | null>(null);

  function toPhoto(event: PointerEvent): { x: number; y: number } {
    const box = layer.current!.getBoundingClientRect();
    return {
      x: ((event.clientX - box.left) / box.width) * width,
      y: ((event.clientY - box.top) / box.height) * height,
    };
  }
  function press(event: PointerEvent): void {
    if (moving || event.button !== 0 || !event.isPrimary) return;
    layer.current!.setPointerCapture(event.pointerId);
    const { x, y } = toPhoto(event);
    setStroke(begin(mode ?? 'keep', radius, x, y));
  }
  function move(event: PointerEvent): void {
    const at = toPhoto(event);
    setCursor(at);
    if (stroke && !onPick) setStroke(extend(stroke, at.x, at.y));
  }
  function release(): void {
    const [x = 0, y = 0] = stroke?.points[0] ?? [];
    if (stroke && onPick) onPick(x, y);
    else if (stroke) onStroke(stroke);
    setStroke(null);
  }
  function pressKey(event: KeyboardEvent): void {
    if (moving) return;
    const at = cursor ?? { x: width / 2, y: height / 2 };
    const step = arrows[event.key];
    if (step) {
      const within = (value: number, most: number) => Math.min(most, Math.max(0, value));
      setCursor({ x: within(at.x + step[0] * radius, width), y: within(at.y + step[1] * radius, height) });
    } else if (event.key === ' ' && onPick) onPick(Math.round(at.x), Math.round(at.y));
    else if (event.key === ' ' && mode) onStroke(begin(mode, radius, at.x, at.y));
    else if (event.key === 'Enter') onApply();
    else if (event.key === 'z' && (event.ctrlKey || event.metaKey)) onUndo();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing is not a form.
    <svg
      ref={layer}
      class={moving ? 'paint moving' : 'paint'}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="group"
      aria-label={
        onPick
          ? 'Parts. Arrows move the pointer, Space picks the part below it.'
          : 'Brush. Arrows move it, Space paints a dot, Enter applies.'
      }
      // Lower case, because SVG attributes are case-sensitive.
      tabindex={0}
      {...(!moving && { 'data-own-drag': true })}
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={() => setStroke(null)}
      onPointerLeave={() => setCursor(null)}
      onKeyDown={pressKey}
    >
      {places.map((box) => (
        <rect
          key={`${box.x} ${box.y} ${box.width}`}
          class="paint-place"
          x={box.x}
          y={box.y}
          width={box.width}
          height={box.height}
          vector-effect="non-scaling-stroke"
        />
      ))}
      {[...strokes, ...(stroke && !onPick ? [stroke] : [])].map((one, index) => (
        <path key={index} class={`paint-stroke ${one.mode}`} d={toPath(one)} stroke-width={one.radius * 2} />
      ))}
      {!moving && cursor && (
        <circle
          class="paint-cursor"
          cx={cursor.x}
          cy={cursor.y}
          r={radius}
          vector-effect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}
