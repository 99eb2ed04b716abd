/** The quality criteria of studio scenes as data: what is measured, and the threshold. */

/** By how much a value misses its threshold: a positive result fails, and a larger result is worse. */
type Excess = (value: number) => number;

export interface Criterion {
  readonly title: string;
  readonly threshold: string;
  /** Whether a single failing case fails the evaluation. */
  readonly must: boolean;
  readonly excess: Excess;
  readonly digits: number;
}

const atMost =
  (limit: number): Excess =>
  (value) =>
    value - limit;
const atLeast =
  (limit: number): Excess =>
  (value) =>
    limit - value;
const within =
  (low: number, high: number): Excess =>
  (value) =>
    Math.max(low - value, value - high);

const criterion = (
  title: string,
  threshold: string,
  excess: Excess,
  { must = false, digits = 2 }: { readonly must?: boolean; readonly digits?: number } = {},
): Criterion => ({ title, threshold, must, excess, digits });

const must = { must: true } as const;

/** The thresholds come from measurements of a prototype's hand-tuned sets, unless a comment says otherwise. */
export const criteria = {
  productChange: criterion('Product unchanged: largest ΔE76 inside', '0', atMost(0), {
    must: true,
    digits: 3,
  }),
  productChangeJpeg: criterion('Product after JPEG: mean ΔE76 inside', '< 1', atMost(1)),
  // The planner lets most products fill at most 0.79 of the picture's height and 0.8 of its width.
  size: criterion('Size: larger of the shares of height and width', '0.45 to 0.81', within(0.45, 0.81)),
  flatSize: criterion('Size in a flat lay', '0.45 to 0.76', within(0.45, 0.76)),
  width: criterion('Size: share of the width', '<= 0.81', atMost(0.81)),
  border: criterion('Margin: on every side', '>= 5 %', atLeast(0.05), { must: true, digits: 3 }),
  freeAbove: criterion('Margin: above the product in 9:16', '>= 20 %', atLeast(0.2), {
    must: true,
    digits: 3,
  }),
  offCenter: criterion('Centroid: distance from the middle', '< 3 % of the width', atMost(0.03), {
    digits: 3,
  }),
  contact1: criterion('Contact: light 1 px below the foot', '<= 0.60 of the empty set', atMost(0.6), must),
  contact3: criterion('Contact: light 3 px below the foot', '<= 0.75 of the empty set', atMost(0.75), must),
  // The tolerance of 0.05 is the rounding error of two rows of 8-bit values in a dark set.
  contactRise: criterion(
    'Contact: largest drop in light between 1, 3, 8 and 20 px',
    '<= 0.05',
    atMost(0.05),
    must,
  ),
  shadowSide: criterion(
    'Shadow: distance away from the key, in product widths',
    '> 0',
    (value) => 1e-9 - value,
    must,
  ),
  softness: criterion("Shadow: edge width relative to the key's size", '0.5 to 2', within(0.5, 2)),
  footLit: criterion('Foot: share of the key light that reaches it', '>= 0.5', atLeast(0.5)),
  // A horizon below the foot line would cut through the product's stand. Judges remarked that a product seen from 22
  // degrees or more above seems to tip forward if a wall's lower edge is right behind it. The second range is for such
  // products: in the picture, the edge is then above the product.
  horizon: criterion('Horizon: height above the foot, in product heights', '0 to 0.6, or 1.1 to 2', (value) =>
    Math.min(within(0, 0.6)(value), within(1.1, 2)(value)),
  ),
  halo: criterion('Rim: share that is brighter than both sides by 8 L*', '< 1 % of the rim', atMost(0.01), {
    digits: 3,
  }),
  separation: criterion('Product against set: OKLab across the outline', '>= 0.08', atLeast(0.08), {
    digits: 3,
  }),
  clash: criterion(
    'Hue difference between a strongly colored product and wall',
    'not 20° to 60°',
    (hue) => Math.min(hue - 20, 60 - hue),
    {
      digits: 0,
    },
  ),
  clutter: criterion('Clutter: mean gradient of the set', '2.5 to 6', within(2.5, 6)),
  noise: criterion('Noise: sigma (Immerkaer), out of 255', '0.8 to 1.6', within(0.8, 1.6)),
  banding: criterion('Banding: equal neighbors in smooth areas', '< 30 %', atMost(0.3)),
  clippedWhite: criterion('Clipping: white', '< 0.5 %', atMost(0.005), { must: true, digits: 4 }),
  clippedBlack: criterion('Clipping: black', '< 1 %', atMost(0.01), { must: true, digits: 4 }),
  wallSharpness: criterion('Depth of field: sharpness of the wall relative to the product', '< 1', atMost(1)),
  reflection: criterion('Reflection on glossy ground: correlation', '> 0.2', atLeast(0.2)),
  hashDistance: criterion('List: pHash distance of two backgrounds, out of 64', '>= 14', atLeast(14), {
    digits: 0,
  }),
  // Only plates of the same composition are compared.
  meanDistance: criterion(
    'List: mean color distance of equal compositions, OKLab',
    '>= 0.05',
    atLeast(0.05),
    {
      digits: 3,
    },
  ),
  promptMaterial: criterion('Prompt: requested material is in the plan', 'yes', (value) => 0.5 - value, {
    digits: 0,
  }),
  promptHue: criterion('Prompt: hue difference between wall and requested color', '<= 15°', atMost(15), {
    digits: 0,
  }),
  promptPaint: criterion(
    'Prompt: hue difference between stand or accent and requested color (in the plan)',
    '<= 15°',
    atMost(15),
    {
      digits: 0,
    },
  ),
  // Below this lightness a wall looks dark in the context of the whole picture.
  promptDark: criterion("Prompt: wall's lightness if a dark one was requested", '< 0.5', atMost(0.5)),
  promptParts: criterion(
    'Prompt: share of requested composition, light and props in the plan',
    'all',
    atLeast(1),
  ),
} as const satisfies Record<string, Criterion>;

export type CriterionName = keyof typeof criteria;
export const criterionNames = Object.keys(criteria) as CriterionName[];

/** Measured values by criterion; criteria that do not apply are omitted. */
export type Findings = Partial<Record<CriterionName, number>>;

export interface MeasuredCase {
  /** Identifies the scene, so that it can be drawn again. */
  readonly name: string;
  readonly findings: Findings;
}

export interface Verdict {
  readonly name: CriterionName;
  readonly cases: number;
  readonly passed: number;
  /** Failing cases with their values, worst first. */
  readonly failures: readonly { readonly name: string; readonly value: number }[];
  /** The case with the worst value, passing or failing; undefined if the criterion applied to no case. */
  readonly worst: { readonly name: string; readonly value: number } | undefined;
}

export function judgeCases(cases: readonly MeasuredCase[]): Verdict[] {
  return criterionNames.map((name) => {
    const { excess } = criteria[name];
    const found = cases
      .flatMap((measured) => {
        const value = measured.findings[name];
        return value === undefined ? [] : [{ name: measured.name, value }];
      })
      .toSorted((one, other) => excess(other.value) - excess(one.value));
    const failures = found.filter(({ value }) => excess(value) > 0);
    return { name, cases: found.length, passed: found.length - failures.length, failures, worst: found[0] };
  });
}

export function isAcceptable(verdicts: readonly Verdict[]): boolean {
  // A must-criterion without measurements has not been met.
  return verdicts.every(({ name, cases, passed }) => !criteria[name].must || (cases > 0 && passed === cases));
}

export function describeVerdicts(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ name, cases, passed, worst }) => {
    const { title, threshold, must, digits } = criteria[name];
    const share = cases === 0 ? '–' : `${Math.floor((100 * passed) / cases)} % of ${cases}`;
    const cells = [
      must ? `**${title}**` : title,
      threshold,
      share,
      worst?.value.toFixed(digits) ?? '–',
      worst?.name ?? '–',
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return ['| Criterion | Threshold | Passed | Worst | Where |', '|---|---|---|---|---|', ...rows].join('\n');
}
