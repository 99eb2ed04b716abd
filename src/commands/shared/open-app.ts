/** Opens the service in this process. */
import type { App } from '../../app.ts';
import type { Config } from '../../config.ts';
import { closePools, openPools } from '../../workers/pools.ts';

/** Starts the child processes first, so that they load while this process loads the rest of the program. */
export async function openApp(config: Config): Promise<App> {
  const pools = openPools(config);
  try {
    const { buildApp } = await import('../../app.ts');
    return await buildApp(config, pools);
  } catch (error) {
    await closePools(pools);
    throw error;
  }
}
