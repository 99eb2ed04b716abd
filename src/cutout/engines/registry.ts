/** Opens the removal engine that the configuration names; only the one that is chosen is ever loaded. */
import type { RemovalEngine } from '../removal-engine.ts';
import type { SessionSettings } from './isnet-session.ts';

export type RemovalEngineConfig =
  | ({ readonly engine: 'isnet' } & SessionSettings)
  | { readonly engine: 'keyer' };

export async function openRemovalEngine(config: RemovalEngineConfig): Promise<RemovalEngine> {
  switch (config.engine) {
    case 'isnet': {
      const { openIsnet } = await import('./isnet.ts');
      return openIsnet(config);
    }
    case 'keyer': {
      const { openKeyer } = await import('./keyer.ts');
      return openKeyer();
    }
    default:
      return config satisfies never;
  }
}
