/** What an illustration engine is: something that makes a scene for one product. The embedded studio is one of several. */
import type { CanvasSize } from '../../pixels.ts';
import type { ScenePlan } from '../../studio/scene-plan.ts';

/**
 * How an engine works, the best way first.
 *
 * - `scaffold-edit`: it is given a finished picture and a mask, and repaints everything but the product.
 * - `instruct-edit`: it is given a finished picture and words; it may move the product, which is then looked for.
 * - `plate-only`: it makes an empty set from words; the product's shadow is cast onto it afterwards.
 */
export const illustrationModes = ['scaffold-edit', 'instruct-edit', 'plate-only'] as const;
export type IllustrationMode = (typeof illustrationModes)[number];

/** The plan in words, for engines that read words. English; never a caller's text alone. */
export interface SceneBrief {
  readonly prompt: string;
  readonly negativePrompt: string;
}

/** Our own composite and what of it may be repainted; both PNG of the same size. */
export interface Scaffold {
  readonly picturePng: Uint8Array;
  /** One grey channel: 255 is repainted, 0 is the product and stays. Adapters turn it into what their engine expects. */
  readonly maskPng: Uint8Array;
}

export interface IllustrationRequest {
  /** One of the engine's own. */
  readonly mode: IllustrationMode;
  readonly plan: ScenePlan;
  readonly brief: SceneBrief;
  /** Wanted size in pixels. An engine with shapes of its own answers the nearest that holds it, with the canvas in its lower middle. */
  readonly canvas: CanvasSize;
  /** 0 to 2^31-1; the same seed gives the same picture where the engine can promise it. */
  readonly seed: number;
  /** For both edit modes; of the size of `canvas`. */
  readonly scaffold?: Scaffold;
  /** Aborting ends the work at the engine as well, where it can be told. */
  readonly signal: AbortSignal;
}

export interface Illustrated {
  /** An image file as the engine answered it: a stranger's bytes, decoded only in a worker process. */
  readonly bytes: Uint8Array;
  /** As the engine calls it. */
  readonly model: string;
  readonly seed: number | undefined;
  /** US dollars, where the engine tells. */
  readonly costUsd: number | undefined;
  /** What the engine could not honour, in words. */
  readonly warnings: readonly string[];
}

export interface IllustrationEngine {
  /** `studio`, `ai-sdk`, `comfyui`, `a1111`, `diffusion`. */
  readonly id: string;
  /** Part of the key of everything that it makes: model, workflow, version. */
  readonly version: string;
  /** What it can do, preferred first; at least one. */
  readonly modes: readonly IllustrationMode[];
  /** Pictures that it can make side by side; any number unless told. */
  readonly mostAtOnce?: number;
  /** Throws `RemoteFailure`, or the signal's reason. */
  illustrate(request: IllustrationRequest): Promise<Illustrated>;
  close(): Promise<void>;
}
