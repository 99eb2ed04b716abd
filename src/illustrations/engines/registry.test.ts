import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openIllustrationEngine } from './registry.ts';

const workflowFile = fileURLToPath(
  new URL('../../../docs/illustration-engines/comfyui-text-to-image.json', import.meta.url),
);
const remote = { url: 'http://127.0.0.1:8188', headers: {}, longSidePx: 1024, timeoutMs: 1000, retries: 0 };

describe('openIllustrationEngine', () => {
  it('opens the configured engine without contacting its server', async () => {
    const model = 'openai-compatible:flux';
    const engines = await Promise.all([
      openIllustrationEngine({ ...remote, engine: 'ai-sdk', model, baseUrl: 'http://127.0.0.1:8000/v1' }),
      openIllustrationEngine({ ...remote, engine: 'comfyui', workflowFile }),
      openIllustrationEngine({ ...remote, engine: 'a1111', steps: 25, cfgScale: 6, denoisingStrength: 0.7 }),
    ]);
    expect(engines.map(({ id }) => id)).toEqual(['ai-sdk', 'comfyui', 'a1111']);
  });
});
