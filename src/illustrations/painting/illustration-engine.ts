/** Interface of illustration engines, which create a scene for one product. The embedded studio is one of several. */
import type { CanvasSize } from '../../pixels.ts';
import type { ScenePlan } from '../../studio/scene-plan.ts';

/**
 * How an engine works, best first.
 *
 * - `scaffold-edit`: takes a finished picture and a mask, and repaints everything but the product.
 * - `instruct-edit`: takes a finished picture and a prompt; it may move the product, which is then located
 *   again.
 * - `plate-only`: creates an empty set from a prompt; the product's shadow is cast onto it afterwards.
 */
export const illustrationModes = ['scaffold-edit', 'instruct-edit', 'plate-only'] as const;
export type IllustrationMode = (typeof illustrationModes)[number];

/** The plan in words, for engines that take a prompt. English; never only the caller's text. */
export interface SceneBrief {
  readonly prompt: string;
  readonly negativePrompt: string;
}

/** Our own composite, and the mask of the area that may be repainted; two PNGs of the same size. */
export interface Scaffold {
  readonly picturePng: Uint8Array;
  /** One gray channel: 255 is repainted, 0 is the product and stays. Adapters convert the mask for their engine. */
  readonly maskPng: Uint8Array;
}

export interface IllustrationRequest {
  /** One of the engine's own modes. */
  readonly mode: IllustrationMode;
  readonly plan: ScenePlan;
  readonly brief: SceneBrief;
  /**
   * Requested size in pixels. An engine with fixed sizes uses the nearest one that the canvas fits into, with the
   * canvas at the bottom center.
   */
  readonly canvas: CanvasSize;
  /** 0 to 2^31-1; the same seed gives the same picture if the engine is deterministic. */
  readonly seed: number;
  /** Set for both edit modes; has the size of `canvas`. */
  readonly scaffold?: Scaffold;
  /** Aborting also cancels the work at the engine, if its protocol allows. */
  readonly signal: AbortSignal;
}

export interface Illustrated {
  /** An image file as received from the engine: untrusted bytes, decoded only in a worker process. */
  readonly bytes: Uint8Array;
  /** Model name as the engine reports it. */
  readonly model: string;
  readonly seed: number | undefined;
  /** US dollars, if the engine reports a price. */
  readonly costUsd: number | undefined;
  /** Parts of the request that the engine could not fulfill, in words. */
  readonly warnings: readonly string[];
}

export interface IllustrationEngine {
  /** `studio`, `ai-sdk`, `comfyui`, `a1111`, `diffusion`. */
  readonly id: string;
  /** Model, workflow and version; part of the cache key of each picture that the engine makes. */
  readonly version: string;
  /** Supported modes, preferred first; at least one. */
  readonly modes: readonly IllustrationMode[];
  /** Maximum number of concurrent pictures; default unlimited. */
  readonly maxConcurrency?: number;
  /** Throws `RemoteFailure`, or the signal's reason. */
  illustrate(request: IllustrationRequest): Promise<Illustrated>;
  close(): Promise<void>;
}
