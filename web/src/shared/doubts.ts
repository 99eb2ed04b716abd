/** Selects the service's issues that cast doubt on a cutout. */
import type { Design } from '../../../clients/typescript/src/packshot-client.ts';

type Issue = NonNullable<Design['subject']>['issues'][number];

/**
 * Worth reporting, but no doubt about the outline: a small product; clear glass, whose appearance the recipe
 * decides.
 */
const harmless: ReadonlySet<string> = new Set<Issue['code']>(['small_subject', 'see_through']);

export function doubtsOf({ subject }: Pick<Design, 'subject'>): readonly Issue[] {
  return (subject?.issues ?? []).filter(({ code }) => !harmless.has(code));
}
