/** Seeded solids that stand on a level ground. */
import {
  arc,
  ball,
  block,
  circle,
  group,
  type Maker,
  type Part,
  type Point,
  rod,
  turn,
} from './convex-parts.ts';
import { bicycle, car, chair, device, lamp, laptop, plant, sofa, table } from './large-solids.ts';

const box: Maker = (random) => [
  block([random.between(0.3, 1.3), random.between(0.2, 1)], [0, random.between(0.2, 1.2)]),
];

const bottle: Maker = (random) => {
  const [radius, height] = [random.between(0.12, 0.22), random.between(0.6, 1.2)];
  const neck = radius * random.between(0.25, 0.6);
  const shoulder = random.between(0.5, 0.75);
  return turn([
    [0, radius * random.between(0.85, 1)],
    [0.05 * height, radius],
    [shoulder * height, radius],
    [(shoulder + 0.15) * height, neck],
    [height, neck],
  ]);
};

/** A sole that rises toward the toe, and an upper that is high at the heel. */
const shoe: Maker = (random) => {
  const [width, thick, heel] = [
    random.between(0.3, 0.4),
    random.between(0.03, 0.1),
    random.between(0.3, 0.75),
  ];
  const spring = random.between(0.01, 0.08);
  const stadium = (y: number, grow: number): Point[] => [
    ...circle([-0.5 + width / 2, y, 0], (width / 2) * 0.85 + grow),
    ...circle([0.35 - width / 2, y, 0], width / 2 + grow),
  ];
  return [
    [...stadium(0, 0), ...stadium(thick, 0.015)],
    [
      ...circle([0.25, 0, 0], width / 2),
      ...circle([0.38, spring, 0], width / 2.4),
      ...circle([0.36, 0.16, 0], width / 3),
    ],
    [...stadium(thick, 0.01), ...circle([-0.28, heel, 0], 0.12), ...circle([0.2, 0.18, 0], 0.1)],
  ];
};

/** A shoe on a heel: only its tip and the heel touch the ground. */
const heels: Maker = (random) => {
  const high = random.between(0.15, 0.4);
  const width = random.between(0.2, 0.3);
  const at = random.between(-0.45, -0.35);
  return [
    [
      ...circle([0.25, 0, 0], width / 2),
      ...circle([0.4, 0.02, 0], width / 4),
      ...circle([0.3, 0.15, 0], width / 3),
    ],
    [
      ...circle([0.2, 0.02, 0], width / 2),
      ...circle([0.2, 0.15, 0], width / 3),
      ...circle([-0.4, high, 0], width / 3),
      ...circle([-0.42, high + 0.2, 0], width / 4),
    ],
    [...circle([at, 0, 0], 0.03), ...circle([-0.4, high, 0], width / 4)],
  ];
};

/** A ring that lies flat. */
const ring: Maker = (random) => {
  const tube = random.between(0.03, 0.12);
  const at = (i: number): Part => {
    const angle = (2 * Math.PI * i) / 40;
    return ball([0.4 * Math.cos(angle), tube, 0.4 * Math.sin(angle)], tube);
  };
  return Array.from({ length: 40 }, (_, i) => [...at(i), ...at(i + 1)]);
};

const mug: Maker = (random) => {
  const [foot, rim, height] = [
    random.between(0.2, 0.4),
    random.between(0.3, 0.45),
    random.between(0.5, 0.95),
  ];
  const belly = Math.max(foot, rim) * random.between(0.95, 1.1);
  const side = height * random.between(0.15, 0.45);
  const handle =
    random.next() < 0.8
      ? arc([belly * 0.95, height * 0.5], [0.22, height * random.between(0.2, 0.38)], [-1.57, 1.57], 0.035)
      : [];
  return [
    ...turn([
      [0, foot],
      [side, belly],
      [height, rim],
    ]),
    ...handle,
  ];
};

/** A vase, a bowl or a jar: any turned profile, often on a foot smaller than its belly. */
const turned: Maker = (random) => {
  const rings: [y: number, radius: number][] = [[0, random.between(0.1, 0.5)]];
  const count = 3 + Math.floor(random.next() * 3);
  const step = random.between(0.12, 0.4);
  for (let i = 1; i <= count; i++) rings.push([i * step, random.between(0.12, 0.6)]);
  return turn(rings);
};

const bowl: Maker = (random) => {
  const [foot, wide, high] = [
    random.between(0.15, 0.35),
    random.between(0.4, 0.6),
    random.between(0.15, 0.6),
  ];
  const bend = random.between(0.3, 1);
  return turn(
    Array.from({ length: 7 }, (_, i) => [(high * i) / 6, foot + (wide - foot) * (i / 6) ** bend] as const),
  );
};

/** Rests on one point, such as a bauble, or on a slightly flattened bottom. */
const sphere: Maker = (random) => {
  const radius = random.between(0.8, 1.2);
  const sink = random.between(0, 0.1);
  const body = ball([0, radius - sink, 0], random.between(0.8, 1.2), radius);
  return [body.map(([x, y, z]): Point => [x, Math.max(0, y), z])];
};

/** Soft toys and figures: balls on two feet or on a seat. */
const toy: Maker = (random) => {
  const seat = random.between(0.18, 0.35);
  const foot = random.between(0.07, 0.14);
  const out = random.between(0.1, 0.5);
  const squash = (part: Part): Part => part.map(([x, y, z]): Point => [x, Math.max(0, y), z]);
  const arm = random.between(0.2, 0.45);
  return [
    squash(ball([0, seat * 0.9, 0], seat, seat, seat * 0.8)),
    ball([0, seat * 2.2, 0], seat * random.between(0.6, 0.9)),
    ...[-1, 1].flatMap((side) => [
      squash(ball([side * seat * 0.7, foot * 0.9, out], foot, foot, foot * 1.6)),
      rod(
        [side * seat * 0.8, seat * 1.4, 0],
        [side * (seat + arm * 0.6), seat * random.between(0.5, 2), 0.1],
        0.07,
      ),
    ]),
  ];
};

const bag: Maker = (random) => {
  const [w, d, high] = [random.between(0.5, 1.1), random.between(0.15, 0.4), random.between(0.4, 0.9)];
  const top = block([w * random.between(0.6, 1.05), d * random.between(0.2, 0.7)], [high - 0.01, high]);
  const belly = block([w * random.between(0.98, 1.08), d * 1.1], [0.3 * high, 0.31 * high]);
  const handle = arc(
    [0, high],
    [w * random.between(0.15, 0.35), random.between(0.1, 0.5)],
    [0, Math.PI],
    0.02,
  );
  return [[...block([w, d], [0, 0.01]), ...belly, ...top], ...(random.next() < 0.8 ? handle : [])];
};

/** A book, a frame or a telephone that stands upright. */
const panel: Maker = (random) => [
  block([random.between(0.4, 1.2), random.between(0.03, 0.15)], [0, random.between(0.6, 1.2)]),
];

/** Headphones or an arch on two feet. */
const arch: Maker = (random) => {
  const half = random.between(0.3, 0.5);
  const high = random.between(0.4, 0.8);
  const cup = random.between(0.1, 0.25);
  return [
    ...arc([0, cup], [half, high], [0, Math.PI], random.between(0.02, 0.07)),
    ...[-1, 1].map((side) => ball([side * half, cup, 0], cup * random.between(0.3, 0.8), cup, cup)),
  ];
};

/** Any convex parts on some flat foot. */
const heap: Maker = (random) => {
  const parts = Array.from({ length: 2 + Math.floor(random.next() * 4) }, (_, i): Part => {
    const low = i === 0 ? 0 : random.between(0, 0.5);
    const center = [random.between(-0.3, 0.3), random.between(-0.3, 0.3)] as const;
    const points = Array.from(
      { length: 10 },
      (): Point => [
        center[0] + random.between(-0.3, 0.3),
        low + random.between(0, 0.5),
        center[1] + random.between(-0.3, 0.3),
      ],
    );
    return i === 0
      ? [...points, ...circle([center[0], 0, center[1]], random.between(0.1, 0.35), 5), [0, 0.4, 0]]
      : [...points, [0, 0.4, 0]];
  });
  return parts;
};

/** Any rounded bodies, grown from one that is flattened below, such as figures, bags and fruit. */
const figure: Maker = (random) => {
  const bodies: [Point, number][] = [[[0, random.between(0.15, 0.4), 0], random.between(0.2, 0.45)]];
  for (let i = Math.floor(random.between(1, 7)); i > 0; i--) {
    const [[x, y, z], size] = random.pick(bodies);
    const at: Point = [
      x + random.between(-1, 1) * size,
      y + random.between(-0.6, 1.5) * size,
      z + random.between(-1, 1) * size,
    ];
    bodies.push([at, size * random.between(0.3, 1)]);
  }
  return bodies.map(([[x, y, z], size]) =>
    ball(
      [x, Math.max(0, y), z],
      size * random.between(0.5, 1.2),
      size * random.between(0.5, 1.2),
      size * random.between(0.5, 1.2),
    ).map(([px, py, pz]): Point => [px, Math.max(0, py), pz]),
  );
};

/** Something thin, which shops lay down and photograph from above. */
const flat: Maker = (random) => {
  const count = 1 + Math.floor(random.next() * 5);
  return Array.from({ length: count }, (_, i): Part => {
    const [x, z] = i === 0 ? [0, 0] : [random.between(-0.5, 0.5), random.between(-0.5, 0.5)];
    const [w, d] = [random.between(0.2, 0.8), random.between(0.2, 0.8)];
    const outline =
      random.next() < 0.5
        ? circle([0, 0, 0], 0.5, 24)
        : circle([0, 0, 0], 0.7, 3 + Math.floor(random.next() * 4));
    return [0, 0.04].flatMap((y) => outline.map(([a, , b]): Point => [x + a * w, y, z + b * d]));
  });
};

/** The first five are those by which the rules before the fitted models were judged. */
export const solids: Readonly<Record<string, Maker>> = {
  box,
  bottles: group(bottle, 4, 0.42),
  shoe,
  car,
  ring,
  mugs: group(mug, 2, 1.1),
  turned,
  chair,
  toy,
  bag,
  boxes: group(box, 3, 1.1),
  bowl,
  heels,
  bicycle,
  sphere,
  plant,
  device,
  table,
  arch,
  heap,
  laptop,
  lamp,
  shoes: group(shoe, 2, 0.6),
  sofa,
  panel,
  figure,
  flat,
};
