/** Opens the configured illustration engine. Only the adapter of this engine is loaded. */
import type { IllustrationEngine } from '../painting/illustration-engine.ts';
import type { A1111Settings } from './a1111.ts';
import type { AiSdkSettings } from './ai-sdk.ts';
import type { ComfyuiSettings } from './comfyui.ts';

export type IllustrationEngineConfig =
  | ({ readonly engine: 'ai-sdk' } & Omit<AiSdkSettings, 'wait'>)
  | ({ readonly engine: 'comfyui' } & Omit<ComfyuiSettings, 'wait'>)
  | ({ readonly engine: 'a1111' } & Omit<A1111Settings, 'wait'>);

export async function openIllustrationEngine(config: IllustrationEngineConfig): Promise<IllustrationEngine> {
  switch (config.engine) {
    case 'ai-sdk': {
      const { openAiSdk } = await import('./ai-sdk.ts');
      return openAiSdk(config);
    }
    case 'comfyui': {
      const { openComfyui } = await import('./comfyui.ts');
      return openComfyui(config);
    }
    case 'a1111': {
      const { openA1111 } = await import('./a1111.ts');
      return openA1111(config);
    }
    default:
      return config satisfies never;
  }
}
