/** Reports which words of a prompt changed the scenes and how, by planning the scenes without each of them. */

import type { ScenePlan } from '../studio/scene-plan.ts';
import { type InterpretedPrompt, interpretUnits } from './parse-prompt.ts';
import { planScenes, planSpokenScenes, type SceneList, type SceneRequest } from './plan-scenes.ts';
import type { ProductKind } from './product-kind.ts';
import type { Aim } from './prompt/prompt-reading.ts';
import type { PromptUnit } from './prompt/read-units.ts';
import { compositionNames, isGroundHidden, showAim } from './prompt/show-aim.ts';
import { type Cluster, type IsSame, joinWords, listUnused, type UnusedWords } from './unused-words.ts';

export interface WordReport {
  readonly used: readonly { readonly words: readonly string[]; readonly effect: string }[];
  readonly notShown: readonly UnusedWords[];
}

export interface ReportedRequest extends Omit<SceneRequest, 'words'> {
  /** The prompt's words; undefined without a prompt. */
  readonly units: readonly PromptUnit[] | undefined;
  /** The units that name the product, and the kind that the product would have without them. */
  readonly stated:
    | { readonly units: readonly number[]; readonly otherwise: Pick<ProductKind, 'kind' | 'staging'> }
    | undefined;
}

export interface PlannedWithReport {
  readonly lists: readonly SceneList[];
  readonly report: WordReport | undefined;
}

type PromptedRequest = ReportedRequest & { readonly units: readonly PromptUnit[] };

interface Trial {
  readonly plans: readonly ScenePlan[];
  /** Equal strings mean visually equal plans. */
  readonly looks: string;
}

type TryWithout = (units: Iterable<number>) => Trial;

interface Finding {
  readonly units: readonly number[];
  readonly effect: string;
}

/** Plans the lists of scenes, with a report if there is a prompt. */
export function planWithReport({ units, ...request }: ReportedRequest): PlannedWithReport {
  if (!units) return { lists: planScenes({ ...request, words: undefined }), report: undefined };
  const interpreted = interpretUnits(units);
  const lists = planScenes({ ...request, words: interpreted.reading });
  return { lists, report: reportWords({ ...request, units }, interpreted) };
}

function reportWords(request: PromptedRequest, { sources }: InterpretedPrompt): WordReport {
  const { units } = request;
  const clusters = clusterUnits(units, sources);
  const tryWithout = createTrials(request);
  const base = tryWithout([]);
  const isSame: IsSame = (without) => tryWithout(without).looks === base.looks;
  const findings = findWorking({ units, clusters, base, tryWithout, isSame });
  const staging = describeStaging(request);
  const all = [...findings, ...(staging ? [staging] : [])].sort(
    (one, other) => one.units[0]! - other.units[0]!,
  );
  const used = new Set(all.flatMap((finding) => finding.units));
  return {
    used: all.map(({ units: from, effect }) => ({ words: joinWords(units, from), effect })),
    notShown: listUnused(request, { clusters, used, isSame }),
  };
}

interface Search {
  readonly units: readonly PromptUnit[];
  readonly clusters: readonly Cluster[];
  readonly base: Trial;
  readonly tryWithout: TryWithout;
  readonly isSame: IsSame;
}

/**
 * Repeats until the words not yet reported can all be removed without changing the scenes. A word may seem to
 * have no effect only because another word requests the same thing: "spa" and "garden" next to "palm".
 */
function findWorking({ units, clusters, base, tryWithout, isSame }: Search): Finding[] {
  const findings: Finding[] = [];
  for (;;) {
    const found = new Set(findings.flatMap((finding) => finding.units));
    const unexplained = clusters.filter((cluster) => !cluster.units.some((unit) => found.has(unit)));
    if (isSame(unexplained.flatMap((cluster) => cluster.units))) return findings;
    const { idle, working } = sortClusters(unexplained, isSame);
    const needed = interpretUnits(units, idle).sources;
    const synonyms = unexplained.filter((other) => other.units.every((unit) => idle.has(unit)));
    for (const cluster of working) {
      const aims = needed.flatMap(({ aim, units: [first] }) =>
        aim && cluster.units.includes(first!) ? [aim] : [],
      );
      const without = tryWithout([...idle, ...cluster.units]);
      const evidence = { typed: units, base, without, synonyms, tryWithout };
      findings.push(...describeCluster({ units: cluster.units, aims }, evidence));
    }
  }
}

/** With this many clusters or more, first tries to remove several at once, because long prompts repeat themselves. */
const longFrom = 24;
const triedAtOnce = 8;

/** Finds units that can be removed together without an effect, and the clusters that are then still needed. */
function sortClusters(clusters: readonly Cluster[], isSame: IsSame) {
  const idle = new Set<number>();
  const working: Cluster[] = [];
  const leaveOut = (some: readonly Cluster[]): boolean => {
    const more = some.flatMap(({ units }) => units);
    if (!isSame([...idle, ...more])) return false;
    for (const unit of more) idle.add(unit);
    return true;
  };
  // If two words ask for the same thing, the first counts as working, and the second as its synonym.
  const order = clusters.toReversed();
  const size = clusters.length < longFrom ? 1 : triedAtOnce;
  for (let at = 0; at < order.length; at += size) {
    const some = order.slice(at, at + size);
    if (size > 1 && leaveOut(some)) continue;
    for (const cluster of some) if (!leaveOut([cluster])) working.unshift(cluster);
  }
  return { idle, working };
}

/** Memoized: most subsets of a prompt's words give one of a few readings, and each reading is planned once. */
function createTrials(request: PromptedRequest): TryWithout {
  const tried = new Map<string, Trial>();
  return (without) => {
    const { reading } = interpretUnits(request.units, new Set(without));
    const key = JSON.stringify(reading);
    const known = tried.get(key);
    if (known) return known;
    const plans = planSpokenScenes({ ...request, words: reading });
    const trial = { plans, looks: JSON.stringify(plans.map(keepVisible)) };
    tried.set(key, trial);
    return trial;
  };
}

function keepVisible(plan: ScenePlan): unknown {
  const { palette: _, ...seen } = plan;
  return isGroundHidden(plan) ? { ...seen, surface: undefined } : seen;
}

function clusterUnits(units: readonly PromptUnit[], sources: InterpretedPrompt['sources']): Cluster[] {
  const leaders = units.map((_, index) => index);
  const leaderOf = (unit: number): number => (leaders[unit] === unit ? unit : leaderOf(leaders[unit]!));
  for (const { units: joined } of sources) {
    const [first, ...others] = joined;
    for (const other of others) {
      const [one, two] = [leaderOf(first!), leaderOf(other)];
      leaders[Math.max(one, two)] = Math.min(one, two);
    }
  }
  const groups = Map.groupBy(leaders.keys(), leaderOf);
  return [...groups.values()].map((members) => ({
    units: members,
    aims: sources.flatMap(({ aim, units: [first] }) => (aim && members.includes(first!) ? [aim] : [])),
  }));
}

interface Evidence {
  readonly typed: readonly PromptUnit[];
  readonly base: Trial;
  readonly without: Trial;
  /** Clusters that have no effect because other clusters request the same thing. */
  readonly synonyms: readonly Cluster[];
  readonly tryWithout: TryWithout;
}

function describeCluster(cluster: Cluster, evidence: Evidence): Finding[] {
  const { typed, base, without, synonyms, tryWithout } = evidence;
  const shown = cluster.aims.flatMap((aim) => {
    const [now, before] = [countShown(aim, base.plans), countShown(aim, without.plans)];
    return now.effect === undefined ? [] : [{ aim, effect: now.effect, isGained: now.share > before.share }];
  });
  const gained = shown.filter(({ isGained }) => isGained);
  const found = (gained.length > 0 ? gained : shown).map(({ aim, effect }) => ({
    effect,
    units: [
      ...cluster.units,
      ...synonyms.filter((other) => hasAim(other, aim)).flatMap((other) => other.units),
    ],
  }));
  if (found.length === 0) {
    const effect = describeDifference(base.plans, without.plans);
    return [withStandIns({ units: cluster.units, effect }, evidence)];
  }
  const all = withStandIns(mergeFindings(found), evidence);
  const byUnits = [...Map.groupBy(found, ({ units }) => units.join()).values()].map(mergeFindings);
  const isEachTrue = byUnits.every(({ units }) => tryWithout(units).looks !== base.looks);
  // "Wooden table" is one finding, although the table alone determines the composition.
  const isOnePhrase = joinWords(typed, all.units).length === 1;
  return isEachTrue && !isOnePhrase ? byUnits : [all];
}

/** Adds the synonyms that must be removed together with the finding's words before the effect disappears. */
function withStandIns(finding: Finding, { base, synonyms, tryWithout }: Evidence): Finding {
  const isGone = (units: readonly number[]): boolean => tryWithout(units).looks !== base.looks;
  let standIns = [...synonyms];
  const join = (): number[] => [...new Set([...finding.units, ...standIns.flatMap(({ units }) => units)])];
  if (isGone(finding.units)) return finding;
  for (const other of synonyms) {
    const rest = standIns.filter((kept) => kept !== other);
    if (isGone([...finding.units, ...rest.flatMap(({ units }) => units)])) standIns = rest;
  }
  return { ...finding, units: join().sort((one, two) => one - two) };
}

function mergeFindings(findings: readonly Finding[]): Finding {
  const units = [...new Set(findings.flatMap((finding) => finding.units))].sort((one, other) => one - other);
  const effects = [...new Set(findings.map(({ effect }) => effect))];
  // Omits the plain effect "level surface …" if another effect, such as "marble surface", already says it.
  const isPlain = (effect: string): boolean =>
    effect === compositionNames.table && effects.some((other) => other.endsWith(' surface'));
  return { units, effect: effects.filter((effect) => !isPlain(effect)).join(', ') };
}

const hasAim = ({ aims }: Cluster, aim: Aim): boolean =>
  aims.some((other) => JSON.stringify(other) === JSON.stringify(aim));

function countShown(aim: Aim, plans: readonly ScenePlan[]): { effect: string | undefined; share: number } {
  const seen = plans.flatMap((plan) => showAim(aim, plan) ?? []);
  const counts = [...Map.groupBy(seen, (effect) => effect)].sort(
    ([, one], [, other]) => other.length - one.length,
  );
  const most = counts[0]?.[0];
  const share = seen.length / Math.max(1, plans.length);
  const effect =
    most !== undefined && share < 1 ? `${most} (in ${seen.length} of ${plans.length} scenes)` : most;
  return { effect, share };
}

/** Fallback for words that change the scenes although no scene shows their aim: lists the plans' differing parts. */
function describeDifference(plans: readonly ScenePlan[], others: readonly ScenePlan[]): string {
  const parts: readonly (readonly [string, (plan: ScenePlan) => unknown])[] = [
    ['sets', ({ composition }) => composition],
    ['colors', ({ backdrop, surface }) => [backdrop.colors, surface.colors]],
    [
      'materials',
      ({ backdrop, surface, pedestal }) =>
        [backdrop, surface, ...(pedestal?.levels ?? [])].map(({ material }) => material),
    ],
    ['light', ({ key, gobo }) => [key.color, gobo.kind]],
    ['props', ({ backProps, sideProps }) => [...backProps, ...sideProps].map(({ shape }) => shape)],
  ];
  const differing = parts.filter(
    ([, pick]) => JSON.stringify(plans.map(pick)) !== JSON.stringify(others.map(pick)),
  );
  return `changed ${differing.map(([name]) => name).join(', ') || 'details'}`;
}

/** The effect of naming the product in the prompt, if the scenes would differ without it. */
function describeStaging({ stated, ...request }: PromptedRequest): Finding | undefined {
  if (!stated) return undefined;
  const { kind, staging } = request.product;
  const { otherwise } = stated;
  if (kind === otherwise.kind && staging === otherwise.staging) return undefined;
  const words = interpretUnits(request.units).reading;
  const looks = (product: SceneRequest['product']): string =>
    JSON.stringify(
      planScenes({ ...request, words, product }).map(({ scenes }) =>
        scenes.map(({ plan }) => keepVisible(plan)),
      ),
    );
  if (looks(request.product) === looks(otherwise)) return undefined;
  const instead =
    otherwise.kind === 'Unknown' || otherwise.kind === kind ? '' : ` instead of ${otherwise.kind}`;
  return { units: stated.units, effect: `set up as ${kind}${instead}` };
}
