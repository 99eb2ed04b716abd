/**
 * Twenty pictures of sample products as sellers upload them, with and without a fault, and the verdict of a careful
 * person who judged only the pictures (`evals/listing/careful-person.json`): `submit`, `refuse`, or `look`, which means
 * that a detail needs a closer look first.
 */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { judgeAll } from './check-listing.ts';
import { measurePicture } from './measure-picture.ts';

interface Opinion {
  readonly says: 'submit' | 'look' | 'refuse';
  readonly why: string;
  /** Set if the person objects to text or a watermark on the product. The check ignores both, and says so. */
  readonly unchecked?: true;
}

const limits = { maxBytes: 1e9, maxPixels: 1e9, maxAvifPixels: 1e9, minSidePx: 1, maxSidePx: 16_383 };
const folder = new URL('../../evals/listing/', import.meta.url);
const opinions: Record<string, Opinion> = JSON.parse(
  await readFile(new URL('careful-person.json', folder), 'utf8'),
);
/** Verdicts that agree with an opinion. `unclear` agrees with `refuse`: the person looks, and then refuses. */
const agreeing = { submit: ['passes'], look: ['unclear', 'remarks'], refuse: ['fails', 'unclear'] } as const;
/**
 * Pictures on which the check disagrees with the person, because it takes a fault of the cutout for a part of the
 * product.
 */
const unseen = ['01.jpg', '07.jpg', '12.jpg', '15.jpg', '18.jpg', '19.jpg'];

describe("the check for Amazon, compared with a careful person's opinion", () => {
  it.each(Object.entries(opinions))('%s', async (name, { says, unchecked }) => {
    const bytes = await readFile(new URL(`pictures/${name}`, folder));
    const { verdict, summary } = judgeAll(await measurePicture({ bytes, limits }), ['amazon'], null)
      .checks[0]!;
    const said = verdict === 'passes' && /with \d+ remark.*center/.test(summary) ? 'remarks' : verdict;
    if (unchecked) {
      expect(summary).toContain('text, logos and props are not checked');
    } else {
      expect((agreeing[says] as readonly string[]).includes(said), `${says}: ${summary}`).toBe(
        !unseen.includes(name),
      );
    }
  });
});
