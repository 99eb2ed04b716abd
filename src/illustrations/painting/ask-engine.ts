/** One call of an illustration engine, within budget and timeout. A paid response is held until it is stored. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PackshotError } from 'packshot-errors';
import { RemoteFailure } from '../../remote/remote-failure.ts';
import { canvasSize } from '../../rendering/render-target.ts';
import type { SceneIllustration } from '../illustration.ts';
import type { Illustrated, IllustrationEngine, IllustrationMode, Scaffold } from './illustration-engine.ts';
import type { Painting } from './painting.ts';
import type { PaintingStore } from './painting-store.ts';
import { describeScene, writeBrief } from './write-brief.ts';

/**
 * Longer side of a painting, in pixels: image models' training resolution. The product is composited later, at the size
 * of the render.
 */
export const PAINTED_EDGE_PX = 1024;
/** Milliseconds between attempts to store a response while the disk is full. */
const STORE_RETRY_MS = 500;

/** One call of the engine, for the log. */
export interface EngineCall {
  readonly illustrationId: string;
  readonly engine: string;
  readonly mode: IllustrationMode;
  readonly model: string | undefined;
  readonly seed: number;
  readonly durationMs: number;
  readonly costUsd: number | undefined;
  /** `answered`, or the reason why there is no response. */
  readonly outcome: string;
  readonly warnings: readonly string[];
}

export interface AskingLimits {
  /** Timeout of one engine call, in milliseconds, including its retries. */
  readonly timeoutMs: number;
  /** Maximum US dollars that a key may spend in 30 days; null for no limit. */
  readonly budgetUsd: number | null;
  /** US dollars per picture, if the engine reports no price; null if pictures are free or the price is unknown. */
  readonly priceUsd: number | null;
}

export interface PaintFailure {
  /** For callers, in our own words. An engine's message may name hosts and models, which callers must not see. */
  readonly why: string;
  /** Minimum delay before a retry; less than a minute counts as a minute. Null if a retry cannot succeed. */
  readonly retryAfterMs: number | null;
}

interface Dependencies {
  readonly engine: IllustrationEngine;
  readonly paintings: Pick<PaintingStore, 'reserveCall' | 'settleCall' | 'noteAsk' | 'noteAnswer'>;
  readonly keepAnswer: (illustration: SceneIllustration, bytes: Uint8Array) => Promise<void>;
  readonly limits: AskingLimits;
  readonly clock: () => number;
  readonly onCall: (call: EngineCall) => void;
  /** Aborts when the service is stopping. */
  readonly closing: AbortSignal;
}

interface Asking {
  readonly illustration: SceneIllustration;
  readonly painting: Painting;
  readonly scaffold: Scaffold | undefined;
  readonly seed: number;
}

/**
 * Resolves to undefined once a response is stored, or to the failure. Rejects with unexpected errors, and if the
 * service is stopping.
 */
export type EngineCaller = (asking: Asking) => Promise<PaintFailure | undefined>;

export function createEngineCaller(needs: Dependencies): EngineCaller {
  const { engine, paintings, keepAnswer, limits, closing } = needs;
  const mode = engine.modes[0]!;
  return async function askEngine(asking) {
    const { illustration, painting } = asking;
    const { id } = illustration;
    closing.throwIfAborted();
    const call = await paintings.reserveCall({ keyId: painting.keyId, engine: engine.id, ...limits });
    if (call === undefined) return { why: "the key's budget for pictures is spent", retryAfterMs: 0 };
    await paintings.noteAsk(id);
    const answer = await callEngine(asking, needs);
    if ('why' in answer) {
      // An engine that did not answer in time may have billed the call.
      if (answer !== tooLong) await paintings.settleCall(call, 0);
      return answer;
    }
    const { bytes, model, seed } = answer;
    await holdUntilDone(() => paintings.settleCall(call, findCost(answer, limits) ?? 0), closing);
    await holdUntilDone(() => keepAnswer(illustration, bytes), closing);
    await holdUntilDone(() => paintings.noteAnswer(id, { mode, model, seed }), closing);
    return undefined;
  };
}

const findCost = ({ costUsd }: Illustrated, { priceUsd }: AskingLimits) => costUsd ?? priceUsd ?? undefined;

async function callEngine(
  { illustration: { id, plan, brief }, scaffold, seed }: Asking,
  { engine, limits, clock, onCall, closing }: Dependencies,
): Promise<Illustrated | PaintFailure> {
  const mode = engine.modes[0]!;
  const began = clock();
  const signal = AbortSignal.any([closing, AbortSignal.timeout(limits.timeoutMs)]);
  const report = (outcome: string, answer?: Illustrated) =>
    onCall({
      illustrationId: id,
      engine: engine.id,
      mode,
      model: answer?.model,
      seed,
      durationMs: clock() - began,
      costUsd: answer && findCost(answer, limits),
      outcome,
      warnings: answer?.warnings ?? [],
    });
  try {
    const answer = await engine.illustrate({
      mode,
      plan,
      brief: writeBrief(brief ?? describeScene({ plan, kind: 'Unknown', wish: undefined }), mode),
      canvas: canvasSize(plan.ratio, PAINTED_EDGE_PX),
      seed,
      ...(scaffold && { scaffold }),
      signal,
    });
    report('answered', answer);
    return answer;
  } catch (error) {
    // If the service is stopping, rethrow: the job stays for the next process.
    closing.throwIfAborted();
    if (!(error instanceof RemoteFailure) && !signal.aborted) throw error;
    const failure = error instanceof RemoteFailure ? explain(error) : tooLong;
    report(error instanceof Error ? `${failure.why}: ${error.message}` : failure.why);
    return failure;
  }
}

const tooLong: PaintFailure = { why: 'the engine took too long', retryAfterMs: 0 };

/** Describes a failure for callers. The engine's adapter has already made all retries of the call. */
function explain({ reason, retryAfterS = 0 }: RemoteFailure): PaintFailure {
  switch (reason) {
    case 'unreachable':
      return { why: 'the engine does not respond', retryAfterMs: 0 };
    case 'busy':
      return { why: 'the engine is busy', retryAfterMs: retryAfterS * 1000 };
    case 'refused':
      return { why: 'the engine refused', retryAfterMs: null };
    case 'broken':
      return { why: 'the engine returned no picture', retryAfterMs: null };
    default:
      return reason satisfies never;
  }
}

/** Keeps a paid response in memory, together with its concurrency slot, until the disk has room. */
async function holdUntilDone(keep: () => Promise<void>, closing: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await keep();
    } catch (error) {
      if (!(error instanceof PackshotError && error.retryable)) throw error;
      await sleep(STORE_RETRY_MS, undefined, { signal: closing });
    }
  }
}
