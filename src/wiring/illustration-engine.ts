import type { Config } from '../config.ts';
import { openDiffusion } from '../illustrations/engines/diffusion/diffusion-engine.ts';
import { openIllustrationEngine } from '../illustrations/engines/registry.ts';
import type { IllustrationEngine } from '../illustrations/painting/illustration-engine.ts';
import { openDiffusionPool } from '../workers/pools.ts';

const never = new AbortController().signal;

/**
 * Undefined if the embedded studio renders all scenes. A model folder is loaded in a process of its own; all other
 * engines are adapters in this process. Throws `internal` for settings that cannot work.
 */
export async function openEngine(
  engine: Config['scenes']['painting']['engine'],
): Promise<IllustrationEngine | undefined> {
  if (engine?.engine !== 'diffusion') return engine && openIllustrationEngine(engine);
  const pool = openDiffusionPool(engine);
  return openDiffusion(pool, { signal: never }).catch(async (error: unknown) => {
    await pool.close();
    throw error;
  });
}
