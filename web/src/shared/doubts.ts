/** What of the service's words about a photo casts doubt on its cutout. */
import type { Design } from '../../../clients/typescript/src/packshot-client.ts';

type Issue = NonNullable<Design['subject']>['issues'][number];

/** Worth a word, and no doubt about the outline: a small product; clear glass, whose look the recipe decides. */
const harmless: ReadonlySet<string> = new Set<Issue['code']>(['small_subject', 'see_through']);

export function doubtsOf({ subject }: Pick<Design, 'subject'>): readonly Issue[] {
  return (subject?.issues ?? []).filter(({ code }) => !harmless.has(code));
}
