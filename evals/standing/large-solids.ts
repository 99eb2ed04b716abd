/** Seeded furniture, vehicles, plants and devices. */
import { ball, block, circle, type Maker, type Part, type Point, rod, turn, wheel } from './convex-parts.ts';

export const car: Maker = (random) => {
  const [length, width, high] = [
    random.between(1.2, 1.6),
    random.between(0.5, 0.65),
    random.between(0.05, 0.14),
  ];
  const radius = random.between(0.12, 0.17);
  const cabin = [random.between(0.4, 0.8), random.between(0.3, 0.6)] as const;
  return [
    block([length, width], [high, high + 0.22]),
    [
      ...block([length * cabin[0], width], [high + 0.2, high + 0.21]),
      ...block([length * cabin[0] * 0.8, width * 0.8], [high + 0.42, high + 0.43]),
    ],
    ...[-1, 1].flatMap((side) =>
      [-0.32, 0.3].map((end) => wheel([end * length, (side * (width - 0.12)) / 2], radius, 0.12)),
    ),
  ];
};

export const bicycle: Maker = (random) => {
  const [radius, half] = [random.between(0.25, 0.36), random.between(0.45, 0.55)];
  const rim = (x: number): Part[] =>
    circle([0, 0, 0], radius).map(([a, , b], i, all) => {
      const [c, , d] = all[(i + 1) % all.length]!;
      return rod([x + a, radius + b + 0.012, 0], [x + c, radius + d + 0.012, 0], 0.012);
    });
  const frame: readonly Point[] = [
    [-half, radius, 0],
    [0, radius, 0],
    [-0.15, 2 * radius + 0.1, 0],
    [0.35, 2 * radius, 0],
    [half, radius, 0],
  ];
  return [
    ...rim(-half),
    ...rim(half),
    ...frame.slice(1).map((to, i) => rod(frame[i]!, to, 0.02)),
    rod(frame[1]!, frame[3]!, 0.02),
    rod([0.3, 2 * radius + 0.15, -0.2], [0.3, 2 * radius + 0.15, 0.2], 0.02),
  ];
};

const legsOf = ([w, d]: readonly [number, number], high: number, thick: number, splay: number): Part[] =>
  [-1, 1].flatMap((a) =>
    [-1, 1].map((b) => [
      ...circle([(a * w * splay) / 2, 0, (b * d * splay) / 2], thick, 8),
      ...circle([(a * w) / 2, high, (b * d) / 2], thick * 1.3, 8),
    ]),
  );

export const chair: Maker = (random) => {
  const [w, d, high] = [random.between(0.4, 0.6), random.between(0.4, 0.6), random.between(0.35, 0.5)];
  const legs = legsOf([w * 0.9, d * 0.9], high, random.between(0.015, 0.04), random.between(0.95, 1.2));
  const back = block([w, 0.05], [high, high + random.between(0.3, 0.6)], [0, -d / 2]);
  return [
    block([w, d], [high, high + random.between(0.03, 0.15)]),
    ...legs,
    ...(random.next() < 0.75 ? [back] : []),
  ];
};

export const table: Maker = (random) => {
  const [w, d, high] = [random.between(0.6, 1.6), random.between(0.4, 0.9), random.between(0.3, 0.8)];
  const shelf = random.next() < 0.4 ? [block([w * 0.9, d * 0.9], [high * 0.3, high * 0.34])] : [];
  return [
    block([w, d], [high, high + 0.05]),
    ...legsOf([w * 0.9, d * 0.9], high, random.between(0.015, 0.05), 1),
    ...shelf,
  ];
};

export const sofa: Maker = (random) => {
  const [w, d, foot] = [random.between(0.7, 2), random.between(0.6, 0.8), random.between(0.04, 0.18)];
  return [
    block([w, d], [foot, foot + 0.3]),
    block([w, 0.2], [foot, foot + random.between(0.5, 0.7)], [0, -d / 2 + 0.1]),
    ...[-1, 1].map((side) => block([0.15, d], [foot, foot + 0.45], [(side * w) / 2, 0])),
    ...legsOf([w * 0.9, d * 0.8], foot, random.between(0.02, 0.05), 1),
  ];
};

export const lamp: Maker = (random) => {
  const [foot, high, shade] = [
    random.between(0.12, 0.3),
    random.between(0.6, 1.2),
    random.between(0.15, 0.4),
  ];
  const reach = random.next() < 0.5 ? 0 : random.between(0.1, 0.5);
  return [
    ...turn([
      [0, foot],
      [random.between(0.02, 0.08), foot * random.between(0.5, 1)],
    ]),
    rod([0, 0.03, 0], [0, high * 0.7, 0], 0.02),
    rod([0, high * 0.7, 0], [reach, high, 0], 0.02),
    ...turn(
      [
        [high - 0.2, shade],
        [high + 0.1, shade * random.between(0.4, 0.9)],
      ],
      [reach, 0],
    ),
  ];
};

export const laptop: Maker = (random) => {
  const [w, d, lean] = [random.between(0.9, 1.1), random.between(0.6, 0.75), random.between(0.05, 0.35)];
  return [
    block([w, d], [0, 0.05]),
    [...block([w, 0.02], [0.04, 0.05], [0, -d / 2]), ...block([w, 0.02], [0.6, 0.61], [0, -d / 2 - lean])],
  ];
};

/** A camera, a speaker or a console: a block with something in front or on top. */
export const device: Maker = (random) => {
  const [w, h, d] = [random.between(0.5, 1.2), random.between(0.15, 0.8), random.between(0.2, 0.7)];
  const radius = h * random.between(0.2, 0.5);
  const lens = [d / 2, d / 2 + random.between(0.05, 0.4)].flatMap((z) =>
    circle([0, 0, 0], radius).map(([a, , b]): Point => [a, h / 2 + b, z]),
  );
  return [
    block([w, d], [0, h]),
    ...(random.next() < 0.6 ? [lens] : []),
    ...(random.next() < 0.6 ? [block([w * 0.3, d * 0.6], [h, h * 1.3], [random.between(-0.2, 0.2), 0])] : []),
  ];
};

export const plant: Maker = (random) => {
  const [pot, high] = [random.between(0.12, 0.3), random.between(0.2, 0.5)];
  const leaves = Array.from({ length: 6 + Math.floor(random.next() * 10) }, (): Part => {
    const [angle, out, up] = [random.between(0, 6.3), random.between(0.1, 0.6), random.between(-0.1, 0.8)];
    const tip: Point = [out * Math.cos(angle), Math.max(0.1, high + up), out * Math.sin(angle)];
    return [...ball([0, high, 0], 0.02), ...ball(tip, random.between(0.02, 0.12), 0.03)];
  });
  return [
    ...turn([
      [0, pot * random.between(0.65, 1)],
      [high, pot],
    ]),
    ...leaves,
  ];
};
