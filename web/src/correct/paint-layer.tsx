/**
 * The layer above the photo: takes strokes, shapes and picked parts from the pointer and the keyboard, and outlines the
 * doubtful places.
 */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Box } from '../../../clients/typescript/src/packshot-client.ts';
import { type English, translate } from '../shared/words.ts';
import { begin, boxBetween, extend, type Point, type Stroke, toPath } from './marks.ts';
import type { Choice, Tool } from './tools.tsx';

interface Props {
  /** Width of the photo, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly choice: Choice;
  readonly strokes: readonly Stroke[];
  readonly places: readonly Box[];
  readonly onStroke: (stroke: Stroke) => void;
  /** Called with a point in the picked part of the photo. */
  readonly onPick: (x: number, y: number) => void;
  /** Called with the corners of a lasso, or with two opposite corners of a box. */
  readonly onShape: (points: readonly Point[]) => void;
  readonly onApply: () => void;
  readonly onUndo: () => void;
}

/** How the user marks with each tool. */
const gestures = {
  brush: 'paint',
  lasso: 'draw',
  box: 'drag',
  again: 'drag',
  part: 'pick',
  move: 'none',
} as const;

const labels: Readonly<Record<(typeof gestures)[Tool], English>> = {
  paint: 'Brush. Arrows move it, Space paints a dot, Enter applies.',
  draw: 'Lasso. Arrows move the pointer, Space sets a corner, Enter closes the shape.',
  drag: 'Box. Arrows move the pointer, Space sets a corner and then the opposite one.',
  pick: 'Parts. Arrows move the pointer, Space picks the part below it.',
  none: 'Photo',
};

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function PaintLayer(props: Props): JSX.Element {
  const { width, height, choice, strokes, places, onStroke, onPick, onShape, onApply, onUndo } = props;
  const gesture = gestures[choice.tool];
  const isPaint = gesture === 'paint';
  const radius = isPaint ? choice.radius : Math.max(width, height) / 100;
  const moving = gesture === 'none';
  const layer = useRef<SVGSVGElement>(null);
  /** The mark that the user is making: a stroke, the corners of a lasso, or the first corner of a box. */
  const [draft, setDraft] = useState<Stroke | null>(null);
  const [cursor, setCursor] = useState<{ x: number; y: number } | null>(null);
  useEffect(() => setDraft(null), [choice.tool]);

  function toPhoto(event: PointerEvent): { x: number; y: number } {
    const box = layer.current!.getBoundingClientRect();
    return {
      x: ((event.clientX - box.left) / box.width) * width,
      y: ((event.clientY - box.top) / box.height) * height,
    };
  }
  const start = ({ x, y }: { x: number; y: number }): Stroke => {
    const { mode, isExact, hardness } = choice;
    // A lasso is finer than a brush.
    const brush = { mode, radius: isPaint ? radius : 1 };
    return begin(isPaint && isExact ? { ...brush, hardness } : brush, x, y);
  };
  /** Ends a mark at a point, and hands it over if it is large enough to mean something. */
  function finish(mark: Stroke, { x, y }: { x: number; y: number }): void {
    setDraft(null);
    const [[left = 0, top = 0] = []] = mark.points;
    const corner = [Math.round(x), Math.round(y)] as const;
    if (isPaint) onStroke(mark);
    else if (gesture === 'pick') onPick(left, top);
    else if (gesture === 'draw' && mark.points.length > 2)
      onShape(mark.points.map(([x = 0, y = 0]) => [x, y]));
    else if (gesture === 'drag' && left !== corner[0] && top !== corner[1]) onShape([[left, top], corner]);
  }
  function press(event: PointerEvent): void {
    if (moving || event.button !== 0 || !event.isPrimary) return;
    layer.current!.setPointerCapture(event.pointerId);
    setDraft(start(toPhoto(event)));
  }
  function move(event: PointerEvent): void {
    const at = toPhoto(event);
    setCursor(at);
    if (draft && event.buttons > 0 && (isPaint || gesture === 'draw')) setDraft(extend(draft, at.x, at.y));
  }
  function pressKey(event: KeyboardEvent): void {
    if (moving) return;
    const at = cursor ?? { x: width / 2, y: height / 2 };
    const step = arrows[event.key];
    if (step) {
      const within = (value: number, most: number) => Math.min(most, Math.max(0, value));
      setCursor({ x: within(at.x + step[0] * radius, width), y: within(at.y + step[1] * radius, height) });
    } else if (event.key === ' ' && (isPaint || gesture === 'pick')) finish(start(at), at);
    else if (event.key === ' ' && draft && gesture === 'drag') finish(draft, at);
    else if (event.key === ' ') {
      setCursor(at);
      setDraft(draft ? extend(draft, at.x, at.y) : start(at));
    } else if (event.key === 'Enter' && draft) finish(draft, at);
    else if (event.key === 'Enter') onApply();
    else if (event.key === 'Escape' && draft) setDraft(null);
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
      aria-label={translate(labels[gesture])}
      // Lower case, because SVG attributes are case-sensitive.
      tabindex={0}
      {...(!moving && { 'data-own-drag': true })}
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={(event) => draft && finish(draft, toPhoto(event))}
      onPointerCancel={() => setDraft(null)}
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
      {[...strokes, ...(draft && isPaint ? [draft] : [])].map((one, index) => (
        <path key={index} class={`paint-stroke ${one.mode}`} d={toPath(one)} stroke-width={one.radius * 2} />
      ))}
      {draft && gesture === 'draw' && (
        <path class={`paint-shape ${draft.mode}`} d={toPath(draft)} vector-effect="non-scaling-stroke" />
      )}
      {draft && cursor && gesture === 'drag' && (
        <rect
          class={choice.tool === 'again' ? 'paint-shape' : `paint-shape ${draft.mode}`}
          {...boxBetween([draft.points[0]![0]!, draft.points[0]![1]!], [cursor.x, cursor.y])}
          vector-effect="non-scaling-stroke"
        />
      )}
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
