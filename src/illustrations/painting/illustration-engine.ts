/** Interface of illustration engines, which create a scene for one product in place of the built-in studio. */
import type { CanvasSize } from 'packshot-pixels';
import type { ScenePlan } from 'packshot-studio';

/**
 * How an engine works, best first.
 *
 * - `scaffold-edit`: takes a finished picture and a mask, and repaints everything but the product.
 * - `instruct-edit`: takes a finished picture and a prompt. The engine may move the product, which is then located
 *   again.
 * - `plate-only`: creates an empty set from a prompt; the product's shadow is cast onto it afterwards.
 */
export const illustrationModes = ['scaffold-edit', 'instruct-edit', 'plate-only'] as const;
export type IllustrationMode = (typeof illustrationModes)[number];

/** The plan in words, for engines that take a prompt. English; never consists of the caller's text alone. */
export interface SceneBrief {
  readonly prompt: string;
  readonly negativePrompt: string;
}

/** Our own composite, and the mask of the area that the engine may repaint; two PNGs of the same size. */
export interface Scaffold {
  readonly picturePng: Uint8Array;
  /** One gray channel: 255 is repainted, 0 is the product and stays. Each adapter converts the mask for its engine. */
  readonly maskPng: Uint8Array;
}

export interface IllustrationRequest {
  /** One of the modes that the engine has. */
  readonly mode: IllustrationMode;
  readonly plan: ScenePlan;
  readonly brief: SceneBrief;
  /**
   * In pixels. An engine with fixed sizes uses the size whose aspect ratio is nearest. The canvas then lies at the
   * bottom center of the engine's picture.
   */
  readonly canvas: CanvasSize;
  /** 0 to 2^31-1. If the engine is deterministic, the same seed gives the same picture. */
  readonly seed: number;
  /** Required in both edit modes; has the size of `canvas`. */
  readonly scaffold?: Scaffold;
  /** An abort also cancels the work at the engine, if the engine's protocol has a way to do so. */
  readonly signal: AbortSignal;
}

export interface Illustrated {
  /** An image file as the engine sent it: untrusted bytes, which only a worker process decodes. */
  readonly bytes: Uint8Array;
  /** Name of the model, as the engine reports it. */
  readonly model: string;
  readonly seed: number | undefined;
  /** Price in US dollars; undefined if the engine reports none. */
  readonly costUsd: number | undefined;
  /** Descriptions of the parts of the request that the engine could not fulfill. */
  readonly warnings: readonly string[];
}

export interface IllustrationEngine {
  /** The engine's name: `ai-sdk`, `comfyui`, `a1111`. */
  readonly id: string;
  /** Model, workflow and version; part of the cache key of each picture that the engine makes. */
  readonly version: string;
  /** The modes that the engine supports, preferred first; at least one. */
  readonly modes: readonly IllustrationMode[];
  /** Throws `RemoteFailure`, or the signal's reason. */
  illustrate(request: IllustrationRequest): Promise<Illustrated>;
  close(): Promise<void>;
}
