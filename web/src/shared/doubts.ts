/** Selects the service's issues that cast doubt on a cutout. */
import type { Design } from '../../../clients/typescript/src/packshot-client.ts';

type Issue = NonNullable<Design['subject']>['issues'][number];

/** Issues that cast no doubt on the outline. */
const harmless: ReadonlySet<string> = new Set<Issue['code']>(['small_subject', 'low_resolution']);

/** Whether the service advises to leave the photo as it is. */
export const isBetterUncut = ({ subject }: Pick<Design, 'subject'>): boolean =>
  subject?.issues.some(({ code }) => code === 'better_uncut') ?? false;

export function doubtsOf({ subject }: Pick<Design, 'subject'>): readonly Issue[] {
  return (subject?.issues ?? []).filter(({ code }) => !harmless.has(code));
}
