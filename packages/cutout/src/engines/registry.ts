/** Opens the removal engine named in the configuration; only that engine's module is loaded. */
import type { RemovalEngine } from '../removal-engine.ts';
import type { HttpSettings } from './http.ts';
import type { ModuleSettings } from './module.ts';
import type { OnnxSettings } from './onnx.ts';
import type { OnnxSessionSettings } from './onnx-session.ts';

export type RemovalEngineConfig =
  | ({ readonly engine: 'isnet' } & OnnxSessionSettings)
  | { readonly engine: 'keyer' }
  | ({ readonly engine: 'onnx' } & OnnxSettings)
  | ({ readonly engine: 'http' } & Omit<HttpSettings, 'wait'>)
  | ({ readonly engine: 'module' } & ModuleSettings);

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
    case 'onnx': {
      const { openOnnx } = await import('./onnx.ts');
      return openOnnx(config);
    }
    case 'http': {
      const { openHttp } = await import('./http.ts');
      return openHttp(config);
    }
    case 'module': {
      const { openModule } = await import('./module.ts');
      return openModule(config);
    }
    default:
      return config satisfies never;
  }
}
