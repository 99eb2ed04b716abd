/** Opens the removal engine that the configuration names; only the one that is chosen is ever loaded. */
import type { RemovalEngine } from '../removal-engine.ts';

export type RemovalEngineConfig =
  | { readonly engine: 'isnet'; readonly threads: number; readonly cacheDir: string }
  | { readonly engine: 'keyer' };

export async function openRemovalEngine(config: RemovalEngineConfig): Promise<RemovalEngine> {
  switch (config.engine) {
    case 'isnet': {
      const { openIsnet } = await import('./isnet.ts');
      return openIsnet({ threads: config.threads, cacheDir: config.cacheDir });
    }
    case 'keyer': {
      const { openKeyer } = await import('./keyer.ts');
      return openKeyer();
    }
    default:
      return config satisfies never;
  }
}
