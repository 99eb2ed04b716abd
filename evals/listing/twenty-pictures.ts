/**
 * `node evals/listing/twenty-pictures.ts OUT`: draws twenty pictures of the sample products, sound ones and ones with the
 * faults that sellers upload, and prints what the listing check says of each for Amazon beside what a careful person said
 * who saw the pictures alone (`careful-person.json`: submit, look or refuse). Exits with 1 if a picture that the person
 * refuses passes, unless the check names the reason as one that it does not check.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { judgeAll } from '../../src/listing/check-listing.ts';
import { measurePicture } from '../../src/listing/measure-picture.ts';
import { type Drawn, drawPictures } from './draw-pictures.ts';

interface Opinion {
  readonly says: 'submit' | 'look' | 'refuse';
  readonly why: string;
  /** The reason is text, a logo or a prop, which the check says it does not check. */
  readonly unchecked?: true;
}

const limits = {
  maxBytes: 100e6,
  maxPixels: 50e6,
  maxAvifPixels: 25e6,
  minSidePx: 16,
  maxSidePx: 20_000,
};
const agrees: Readonly<Record<Opinion['says'], readonly string[]>> = {
  submit: ['passes'],
  look: ['unclear', 'passes'],
  refuse: ['fails', 'unclear'],
};

const [out] = process.argv.slice(2);
if (out === undefined) {
  console.error('Usage: node evals/listing/twenty-pictures.ts OUT');
  process.exit(2);
}
await mkdir(out, { recursive: true });
const opinions: Record<string, Opinion> = JSON.parse(
  await readFile(fileURLToPath(new URL('careful-person.json', import.meta.url)), 'utf8'),
);
let agreed = 0;
let missed = 0;
for await (const { name, bytes } of drawPictures() as AsyncIterable<Drawn>) {
  await writeFile(path.join(out, name), bytes);
  const { checks } = judgeAll(await measurePicture({ bytes, limits }), ['amazon'], null);
  const { verdict, summary } = checks[0]!;
  const opinion = opinions[name];
  const isAgreed = opinion !== undefined && agrees[opinion.says].includes(verdict);
  if (isAgreed) agreed++;
  if (opinion?.says === 'refuse' && verdict === 'passes' && !opinion.unchecked) missed++;
  console.log(`${isAgreed ? 'agree ' : 'differ'} ${name}: ${summary}`);
  if (opinion) console.log(`       person: ${opinion.says}, ${opinion.why}`);
}
console.log(`${agreed} of ${Object.keys(opinions).length} agree; ${missed} faults pass unseen`);
process.exitCode = missed > 0 ? 1 : 0;
