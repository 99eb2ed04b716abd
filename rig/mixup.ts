/** Many concurrent photos, each with a unique color: no caller may get another's picture. */
import { isPutOff } from './answers.ts';
import { distance, makePhoto, type Rgb, readMiddle, spreadColors, toHex } from './photos.ts';
import type { Run } from './run.ts';
import { type Client, transparent, unhurried, white } from './service.ts';

const sideBySide = 16;
const targets = [
  ['/v1/design/preview.webp', white],
  ['/v1/design/preview.png', transparent],
  ['/v1/design/preview.jpeg', { recipeId: 'Solid1_1_0042', variant: '1:1' }],
  ['/v1/design/generated.jpeg', white],
] as const;

export async function checkMixup(run: Run): Promise<void> {
  const service = await run.start(unhurried);
  const colors = spreadColors(sideBySide);
  const seen = { pictures: 0, wrong: 0, failed: 0 };
  const rounds = run.full ? 12 : 1;
  for (let round = 0; round < rounds; round++) {
    await Promise.all(
      colors.map(async (color) => {
        const id = await service.upload(await makePhoto({ color: toHex(color) }));
        for (const [path, recipe] of targets.slice(0, run.full ? 4 : 3)) {
          const picture = await renderPatiently(service, path, { id, ...recipe });
          if (!picture) seen.failed++;
          else if (findNearest(colors, await readMiddle(picture)) !== color) seen.wrong++;
          else seen.pictures++;
        }
      }),
    );
  }
  run.bar('correct pictures, 16 at a time', 'all', seen.pictures, seen.pictures > 0);
  run.bar('wrong pictures', '0', seen.wrong, seen.wrong === 0);
  run.bar('pictures not made', '0', seen.failed, seen.failed === 0);
}

const findNearest = (colors: readonly Rgb[], color: Rgb): Rgb | undefined =>
  colors.toSorted((a, b) => distance(a, color) - distance(b, color))[0];

async function renderPatiently(service: Client, path: string, body: object): Promise<Uint8Array | undefined> {
  for (let tries = 0; tries < 30; tries++) {
    const response = await service.call(path, { json: body });
    if (response.status === 200) return new Uint8Array(await response.arrayBuffer());
    await response.arrayBuffer();
    if (!isPutOff(response)) return undefined;
    await new Promise((resolve) => setTimeout(resolve, 1_000 * Number(response.headers.get('retry-after'))));
  }
  return undefined;
}
