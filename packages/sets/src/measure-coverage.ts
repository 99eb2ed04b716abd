/** How much of a picture each part of a scene covers, by rays through a coarse grid; what the product hides is left out. */

import {
  buildSet,
  frameProduct,
  look,
  makeCamera,
  makeSight,
  measureFrame,
  NOTHING,
  type Prop,
  type ScenePlan,
  type Shape,
  stageScene,
} from 'packshot-studio';

export interface Coverage {
  readonly wall: number;
  readonly floor: number;
  readonly stand: number;
  /** The photographed place. */
  readonly place: number;
  readonly shapes: ReadonlyMap<Shape, number>;
}

/** Rows of the grid: one part in a hundred of the picture is about 20 of its cells. */
const gridRows = 44;

export function measureCoverage(plan: ScenePlan): Coverage {
  const { aspect } = measureFrame(plan);
  const canvas = { width: Math.max(24, Math.round(gridRows * aspect)), height: gridRows };
  const staged = stageScene(simplify(plan));
  const props = [...plan.backProps, ...plan.sideProps];
  const stands = (plan.pedestal?.levels ?? []).map(() => (plan.place === undefined ? 'stand' : 'floor'));
  const ground = plan.composition === 'flatlay' ? 'wall' : 'floor';
  const groundCount = staged.objects.length - stands.length - props.length;
  // One material for each kind of part, so that the surface hit by a ray tells what it belongs to.
  const parts = [
    ...new Array<string>(groundCount).fill(ground),
    ...stands,
    ...props.map(({ shape }) => `shape ${shape}`),
  ];
  const plain = { ...Object.values(staged.materials)[0]!, kind: 'matte' as const };
  const names = [...new Set([...parts, 'backdrop', 'surface'])];
  const scene = {
    ...staged,
    materials: Object.fromEntries(names.map((name) => [name, plain])),
    objects: staged.objects.map((object, index) => ({ ...object, material: parts[index]! })),
  };
  const camera = makeCamera(scene, canvas);
  const built = buildSet(scene, camera);
  const product = frameProduct(scene, canvas, plan.subject.width / plan.subject.height);
  const counts = new Map<string, number>();
  const sight = makeSight();
  for (let row = 0; row < canvas.height; row++) {
    for (let column = 0; column < canvas.width; column++) {
      const [x, y] = [column + 0.5 - product.x, row + 0.5 - product.y];
      if (x >= 0 && y >= 0 && x < product.width && y < product.height) continue;
      look(built, column + 0.5, row + 0.5, sight);
      const isFloor = sight.ny > 0.5;
      const name = sight.material === NOTHING ? 'place' : sweepPart(names[sight.material]!, isFloor);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const shareOf = (name: string): number => (counts.get(name) ?? 0) / (canvas.width * canvas.height);
  return {
    wall: shareOf('wall') + (plan.place === undefined ? shareOf('place') : 0),
    floor: shareOf('floor'),
    stand: shareOf('stand'),
    place: plan.place === undefined ? 0 : shareOf('place'),
    shapes: new Map(props.map(({ shape }) => [shape, shareOf(`shape ${shape}`)])),
  };
}

/** A sweep is floor where it is level, and wall where it stands up. */
const sweepPart = (name: string, isFloor: boolean): string =>
  name === 'backdrop' || name === 'surface' ? (isFloor ? 'floor' : 'wall') : name;

/** Folds and dunes have so many triangles that their tree takes seconds; what they cover is the same without relief. */
function simplify(plan: ScenePlan): ScenePlan {
  const flatten = (prop: Prop): Prop => (prop.shape === 'curtain' ? { ...prop, shape: 'box' } : prop);
  return {
    ...plan,
    surface: { ...plan.surface, relief: 'flat', amplitude: 0 },
    backProps: plan.backProps.map(flatten),
    sideProps: plan.sideProps.map(flatten),
  };
}
