/** The letters of the SAMPLE mark, as strokes. */

export type Point = readonly [x: number, y: number];

/** S, A, M, P, L and E, one unit high, y downward. No font is used, so that every machine draws the same pixels. */
export const letters: readonly { readonly width: number; readonly strokes: readonly (readonly Point[])[] }[] =
  [
    { width: 0.56, strokes: [[...arc(0.28, 0.25, 0.25, -30, -270), ...arc(0.28, 0.75, 0.25, -90, 150)]] },
    { width: 0.72, strokes: [line('0,1 0.36,0 0.72,1'), line('0.13,0.66 0.59,0.66')] },
    { width: 0.8, strokes: [line('0,1 0,0 0.4,0.7 0.8,0 0.8,1')] },
    { width: 0.56, strokes: [[...line('0,1 0,0 0.28,0'), ...arc(0.28, 0.28, 0.28, -90, 90), [0, 0.56]]] },
    { width: 0.5, strokes: [line('0,0 0,1 0.5,1')] },
    { width: 0.52, strokes: [line('0.52,0 0,0 0,1 0.52,1'), line('0,0.48 0.44,0.48')] },
  ];

/** Reads points that are written as in an SVG polyline. */
function line(points: string): Point[] {
  return points.split(' ').map((point) => point.split(',').map(Number) as [number, number]);
}

/** Points on a circle in steps of 15 degrees; an angle of 0 is to the right of the center, 90 is below it. */
function arc(centerX: number, centerY: number, radius: number, fromDeg: number, toDeg: number): Point[] {
  const steps = Math.abs(toDeg - fromDeg) / 15;
  return Array.from({ length: steps + 1 }, (_, i) => {
    const angle = ((fromDeg + ((toDeg - fromDeg) * i) / steps) * Math.PI) / 180;
    return [centerX + radius * Math.cos(angle), centerY + radius * Math.sin(angle)];
  });
}
