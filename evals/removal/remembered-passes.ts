/** Caches an engine's mattes in a folder, so that evaluations of the steps after the engine need not run it again. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import type { RemovalEngine } from '../../packages/cutout/src/removal-engine.ts';

/** Results are keyed by the engine's version, the resolution and the pixels. */
export async function rememberPasses(engine: RemovalEngine, folder: string): Promise<RemovalEngine> {
  await mkdir(folder, { recursive: true });
  return {
    ...engine,
    async predictMatte(source, options) {
      const name = createHash('sha256')
        .update(`${engine.version} ${options.resolution ?? 'full'} ${source.width} ${source.height}`)
        .update(source.data)
        .digest('hex')
        .slice(0, 32);
      const file = path.join(folder, `${name}.png`);
      const kept = await readFile(file).catch(() => null);
      if (kept !== null) {
        const { data, info } = await sharp(kept)
          .extractChannel(0)
          .raw()
          .toBuffer({ resolveWithObject: true });
        return { width: info.width, height: info.height, data: new Uint8Array(data) };
      }
      const matte = await engine.predictMatte(source, options);
      const { width, height } = matte;
      const png = await sharp(matte.data, { raw: { width, height, channels: 1 } })
        .png()
        .toBuffer();
      await writeFile(`${file}.part`, png);
      await rename(`${file}.part`, file);
      return matte;
    },
  };
}
