/** One call of an illustration engine: within its budget and its time, and nothing that it cost is let go of. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PackshotError } from '../../errors.ts';
import { RemoteFailure } from '../../remote/remote-failure.ts';
import { canvasSize } from '../../rendering/render-target.ts';
import type { SceneIllustration } from '../illustration.ts';
import type { Illustrated, IllustrationEngine, IllustrationMode, Scaffold } from './illustration-engine.ts';
import type { Painting, PaintingStore } from './painting-store.ts';
import { describeScene, writeBrief } from './write-brief.ts';

/** What image models are trained at; the product is never enlarged with it. */
export const PAINTED_EDGE_PX = 1024;
/** How often a full disk is tried again. */
const KEEP_AGAIN_MS = 500;

/** One call of the engine, for the log. */
export interface EngineCall {
  readonly illustrationId: string;
  readonly engine: string;
  readonly mode: IllustrationMode;
  readonly model: string | undefined;
  readonly seed: number;
  readonly durationMs: number;
  readonly costUsd: number | undefined;
  /** `answered`, or why there was no answer. */
  readonly outcome: string;
  readonly warnings: readonly string[];
}

export interface AskingLimits {
  /** For one call of the engine, with its own retries. */
  readonly timeoutMs: number;
  /** US dollars a key may spend in 30 days; null for no limit. */
  readonly budgetUsd: number | null;
  /** Of one picture, where the engine does not tell; null where it is free or unknown. */
  readonly priceUsd: number | null;
}

/** Why there is no painting. */
export interface Setback {
  /** For callers: an engine's own words may name hosts and models that are no business of theirs. */
  readonly why: string;
  /** See `markFailed`. */
  readonly retryAfterMs: number | null;
}

interface Needs {
  readonly engine: IllustrationEngine;
  readonly paintings: Pick<PaintingStore, 'sumCosts' | 'noteAsk' | 'noteCall' | 'noteAnswer'>;
  /** Keeps the bytes of an answer. */
  readonly keepAnswer: (illustration: SceneIllustration, bytes: Uint8Array) => Promise<void>;
  readonly limits: AskingLimits;
  readonly clock: () => number;
  readonly onCall: (call: EngineCall) => void;
  /** The service stops. */
  readonly closing: AbortSignal;
}

interface Asking {
  readonly illustration: SceneIllustration;
  readonly painting: Painting;
  readonly scaffold: Scaffold | undefined;
  readonly seed: number;
}

/** Undefined once an answer is kept and noted; else why there is none. Rejects where the service stops. */
export type EngineAsker = (asking: Asking) => Promise<Setback | undefined>;

export function createEngineAsker(needs: Needs): EngineAsker {
  const { engine, paintings, keepAnswer, limits, closing } = needs;
  const mode = engine.modes[0]!;
  return async function askEngine(asking) {
    const { illustration, painting } = asking;
    const { id } = illustration;
    closing.throwIfAborted();
    if (await isSpent(painting.keyId, needs)) {
      return { why: "the key's budget for pictures is spent", retryAfterMs: 0 };
    }
    await paintings.noteAsk(id);
    const answer = await callEngine(asking, needs);
    if ('why' in answer) return answer;
    const { bytes, model, seed } = answer;
    const costUsd = findCost(answer, limits) ?? 0;
    await holdUntilDone(
      () => paintings.noteCall({ keyId: painting.keyId, engine: engine.id, costUsd }),
      closing,
    );
    await holdUntilDone(() => keepAnswer(illustration, bytes), closing);
    await holdUntilDone(() => paintings.noteAnswer(id, { mode, model, seed }), closing);
    return undefined;
  };
}

async function isSpent(keyId: string, { limits, paintings }: Needs): Promise<boolean> {
  return limits.budgetUsd !== null && (await paintings.sumCosts(keyId)) >= limits.budgetUsd;
}

const findCost = ({ costUsd }: Illustrated, { priceUsd }: AskingLimits) => costUsd ?? priceUsd ?? undefined;

async function callEngine(
  { illustration: { id, plan, brief }, scaffold, seed }: Asking,
  { engine, limits, clock, onCall, closing }: Needs,
): Promise<Illustrated | Setback> {
  const mode = engine.modes[0]!;
  const began = clock();
  const signal = AbortSignal.any([closing, AbortSignal.timeout(limits.timeoutMs)]);
  const tell = (outcome: string, answer?: Illustrated) =>
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
    tell('answered', answer);
    return answer;
  } catch (error) {
    // The service stops: the job stays, and is done by the next process.
    closing.throwIfAborted();
    if (!(error instanceof RemoteFailure) && !signal.aborted) throw error;
    const setback = error instanceof RemoteFailure ? explain(error) : tooLong;
    tell(error instanceof Error ? `${setback.why}: ${error.message}` : setback.why);
    return setback;
  }
}

const tooLong: Setback = { why: 'the engine took too long', retryAfterMs: 0 };

/** The engine's adapter has tried again itself where that could help at once. */
function explain({ reason, retryAfterS = 0 }: RemoteFailure): Setback {
  switch (reason) {
    case 'unreachable':
      return { why: 'the engine does not answer', retryAfterMs: 0 };
    case 'busy':
      return { why: 'the engine is busy', retryAfterMs: retryAfterS * 1000 };
    case 'refused':
      return { why: 'the engine refused', retryAfterMs: null };
    case 'broken':
      return { why: 'the engine answered no picture', retryAfterMs: null };
    default:
      return reason satisfies never;
  }
}

/** What is paid for is not let go of while a disk is full: it is held, and with it a place among those that paint. */
async function holdUntilDone(keep: () => Promise<void>, closing: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await keep();
    } catch (error) {
      if (!(error instanceof PackshotError && error.retryable)) throw error;
      await sleep(KEEP_AGAIN_MS, undefined, { signal: closing });
    }
  }
}
