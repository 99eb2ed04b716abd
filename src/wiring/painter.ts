/** Opens the illustration engine of the configuration: a model folder in a process of its own, all others by adapters in this one. */
import type { Config } from '../config.ts';
import { type DiffusionChild, openDiffusion } from '../illustrations/engines/diffusion/diffusion-engine.ts';
import { openIllustrationEngine } from '../illustrations/engines/registry.ts';
import type { IllustrationEngine } from '../illustrations/painting/illustration-engine.ts';
import { openDiffusionPool } from '../workers/pools.ts';

const never = new AbortController().signal;

/** Undefined where the embedded studio makes all scenes. Throws `internal` for settings that cannot work. */
export async function openPainter(
  engine: Config['scenes']['painting']['engine'],
): Promise<IllustrationEngine | undefined> {
  if (engine?.engine !== 'diffusion') return engine && openIllustrationEngine(engine);
  const pool = openDiffusionPool(engine);
  const child: DiffusionChild = {
    run: (task, input, { signal }) => pool.run(task, input, { signal, priority: 0, account: undefined }),
    close: () => pool.close(),
  };
  return openDiffusion(child, { signal: never }).catch(async (error: unknown) => {
    await pool.close();
    throw error;
  });
}
