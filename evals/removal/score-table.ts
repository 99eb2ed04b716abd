/** Formats the scores of an evaluation as the tables of lab/cutouts.md. */
import { DOUBTFUL } from '../../packages/cutout/src/steps/doubtful-cutout.ts';
import { FAILED_IOU } from './compare-rows.ts';
import type { Score } from './metrics.ts';
import type { Rim } from './rim.ts';

export interface Row {
  /** Name of the remover, such as `packshot quality`. */
  readonly remover: string;
  readonly id: string;
  readonly product: string;
  readonly group: string;
  readonly tags: readonly string[];
  readonly score: Score;
  readonly rim: Rim;
  /** 0 to 1; `null` if the remover reports none, or found no subject. */
  readonly confidence: number | null;
  readonly issues: readonly string[];
}

const keys = ['mae', 'iou', 'bf2', 'bf5', 'edge', 'halo', 'fgerr', 'comp'] as const;
const digits: Record<(typeof keys)[number], number> = {
  mae: 4,
  iou: 4,
  bf2: 3,
  bf5: 3,
  edge: 4,
  halo: 2,
  fgerr: 2,
  comp: 3,
};

export function describeEvaluation(rows: readonly Row[]): string {
  const removers = [...new Set(rows.map((row) => row.remover))];
  const groups = [...new Set(rows.map((row) => row.group))];
  const tags = [...new Set(rows.flatMap((row) => row.tags))].toSorted();
  const judging = removers.filter((remover) =>
    rows.some((row) => row.remover === remover && row.confidence !== null),
  );
  return [
    ...groups.map((group) => `## ${group}\n\n${describeGroup(rows, removers, group)}`),
    `## By tag: bf2 / halo\n\n${describeTags(rows, removers, tags)}`,
    ...judging.map((remover) => {
      const own = rows.filter((row) => row.remover === remover);
      return `## Confidence, ${remover}\n\n${describeConfidence(own)}`;
    }),
  ].join('\n\n');
}

function describeGroup(rows: readonly Row[], removers: readonly string[], group: string): string {
  const lines = removers.map((remover) => {
    const own = rows.filter((row) => row.remover === remover && row.group === group);
    const cells = keys.map((key) => format(averageOf(own, key), digits[key]));
    const failed = own.filter((row) => row.score.iou < FAILED_IOU).length;
    return `| ${remover} | ${cells.join(' | ')} | ${failed} of ${own.length} | ${format(100 * averageRim(own), 2)} % |`;
  });
  return [
    `| remover | ${keys.join(' | ')} | IoU < .90 | rim |`,
    `| --- | ${keys.map(() => '---').join(' | ')} | --- | --- |`,
    ...lines,
  ].join('\n');
}

function describeTags(rows: readonly Row[], removers: readonly string[], tags: readonly string[]): string {
  const lines = tags.map((tag) => {
    const tagged = rows.filter((row) => row.tags.includes(tag));
    const cells = removers.map((remover) => {
      const own = tagged.filter((row) => row.remover === remover);
      return `${format(averageOf(own, 'bf2'), 3)} / ${format(averageOf(own, 'halo'), 2)}`;
    });
    return `| ${tag} (${tagged.length / removers.length}) | ${cells.join(' | ')} |`;
  });
  return [
    `| tag (photos) | ${removers.join(' | ')} |`,
    `| --- | ${removers.map(() => '---').join(' | ')} |`,
    ...lines,
  ].join('\n');
}

function describeConfidence(rows: readonly Row[]): string {
  // This remover reports a confidence, so a row without one has no cutout: the caller got `no_subject_found`, which
  // also flags the photo.
  const isFlagged = (row: Row): boolean => (row.confidence ?? 0) < DOUBTFUL;
  const failed = rows.filter((row) => row.score.iou < FAILED_IOU);
  const flagged = rows.filter(isFlagged);
  const list = (some: readonly Row[]): string => some.map((row) => row.id).join(', ') || 'none';
  return [
    `${flagged.length} of ${rows.length} cutouts are flagged (confidence below ${DOUBTFUL}), including ${failed.filter(isFlagged).length} of the ${failed.length} cutouts with an IoU below ${FAILED_IOU}.`,
    `Flagged: ${list(flagged)}.`,
    `Failed but not flagged: ${list(failed.filter((row) => !isFlagged(row)))}.`,
  ].join('\n');
}

function averageOf(rows: readonly Row[], key: keyof Score): number {
  const known = rows.map((row) => row.score[key]).filter((value) => value !== undefined);
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

/**
 * The fraction of rim pixels that are outliers, averaged over the photos. Each photo has the same weight, regardless of
 * the length of its rim.
 */
function averageRim(rows: readonly Row[]): number {
  return rows.reduce((sum, { rim }) => sum + rim.outliers / Math.max(1, rim.pixels), 0) / rows.length;
}

function format(value: number, decimals: number): string {
  return Number.isFinite(value) ? value.toFixed(decimals) : '–';
}
