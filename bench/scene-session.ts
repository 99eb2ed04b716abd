/** A child process that only renders the scene it receives, so that its CPU time and memory are those of the render. */
import { frameProduct } from '../packages/studio/src/camera.ts';
import { renderStudio, type StudioRequest } from '../packages/studio/src/render-studio.ts';
import type { StudioScene } from '../packages/studio/src/studio-scene.ts';
import { drawBottle } from './draw-bottle.ts';

export interface SceneTask {
  readonly scene: StudioScene;
  readonly longEdgePx: number;
  readonly quality: StudioRequest['quality'];
  readonly threads: number;
}

export interface SceneCost {
  readonly cpuS: number;
  readonly wallMs: number;
  /** Peak resident memory of the process so far, minus its memory before the first render. */
  readonly peakMb: number;
}

const idleBytes = process.memoryUsage.rss();

process.on('message', async ({ scene, longEdgePx, quality, threads }: SceneTask) => {
  const canvas = { width: longEdgePx, height: longEdgePx };
  const product = drawBottle(frameProduct(scene, canvas, 0.4));
  const startedAt = performance.now();
  const before = process.cpuUsage();
  await renderStudio(scene, { ...canvas, quality, product, threads, signal: new AbortController().signal });
  const { user, system } = process.cpuUsage(before);
  const cost: SceneCost = {
    cpuS: (user + system) / 1e6,
    wallMs: performance.now() - startedAt,
    peakMb: (process.resourceUsage().maxRSS * 1024 - idleBytes) / 2 ** 20,
  };
  process.send!(cost);
});
process.send!('ready');
