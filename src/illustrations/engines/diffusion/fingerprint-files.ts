/** Fingerprints a model's folder: models that may paint different pictures have different fingerprints. */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { PackshotError } from '../../../errors.ts';

export function decidesPictures(name: string): boolean {
  return /^(text_encoder|unet|vae_decoder)([./]|$)|^(tokenizer|scheduler)\/|^[^/]+\.(json|txt)$/.test(name);
}

/** Samples hashed per large file, which can have gigabytes. Training changes weights everywhere, so samples suffice. */
const SAMPLES = 64;
const SAMPLE_BYTES = 65_536;

export async function fingerprintFiles(folder: string, names: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const name of names) {
    let file: FileHandle | undefined;
    try {
      file = await open(join(folder, name), 'r');
      const stat = await file.stat();
      if (!stat.isFile()) continue;
      hash.update(`${name} ${stat.size}\n`);
      const stride = Math.max(SAMPLE_BYTES, Math.floor(stat.size / SAMPLES));
      const buffer = Buffer.alloc(SAMPLE_BYTES);
      for (let at = 0; at < stat.size; at += stride) {
        const { bytesRead } = await file.read(buffer, 0, SAMPLE_BYTES, at);
        hash.update(buffer.subarray(0, bytesRead));
      }
    } catch (error) {
      throw new PackshotError('internal', `The diffusion model's ${name} is not readable.`, { cause: error });
    } finally {
      await file?.close();
    }
  }
  return hash.digest('hex').slice(0, 12);
}
