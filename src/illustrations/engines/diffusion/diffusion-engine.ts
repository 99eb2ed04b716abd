/** The parent's side of an illustration engine that paints in a dedicated child process. */
import { PackshotError } from '../../../errors.ts';
import { RemoteFailure } from '../../../remote/remote-failure.ts';
import type { Tasks } from '../../../tasks.ts';
import type { IllustrationEngine } from '../../painting/illustration-engine.ts';
import type { Painted, PaintRequest } from './diffusion-model.ts';

export type DiffusionTasks = {
  /** Resolves when the model's files have been read and validated. */
  warmUp(input: null): Promise<{ readonly version: string }>;
  paint(input: PaintRequest): Promise<Painted>;
};

/** `Tasks` requires these; they have no effect, because the child runs nothing else. */
const itsOwn = { urgency: 'generated', account: undefined } as const;

export interface DiffusionChild {
  /** Aborting a task kills the child, because a running network cannot be interrupted. */
  readonly tasks: Tasks<DiffusionTasks>;
  close(): Promise<void>;
}

/** If the child cannot use the model's folder, rejects with the child's error. */
export async function openDiffusion(
  child: DiffusionChild,
  { signal }: { readonly signal: AbortSignal },
): Promise<IllustrationEngine> {
  const { version } = await child.tasks.warmUp(null, { ...itsOwn, signal });
  return {
    id: 'diffusion',
    version,
    modes: ['plate-only'],
    // One picture uses all threads of the child. Further pictures would wait inside the child while their timeouts run.
    maxConcurrency: 1,
    async illustrate({ brief, canvas, seed, signal: stop }) {
      const { prompt } = brief;
      const { png, isPromptCut } = await paint(child, { prompt, canvas, seed }, stop);
      return {
        bytes: png,
        model: version,
        seed,
        costUsd: undefined,
        warnings: isPromptCut ? ["the prompt was truncated: it is longer than the model's limit"] : [],
      };
    },
    close: () => child.close(),
  };
}

async function paint(child: DiffusionChild, request: PaintRequest, signal: AbortSignal): Promise<Painted> {
  signal.throwIfAborted();
  try {
    return await child.tasks.paint(request, { ...itsOwn, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof PackshotError))
      throw new RemoteFailure('unreachable', 'The diffusion process ended while it painted.', {
        cause: error,
      });
    if (error.retryable)
      throw new RemoteFailure('busy', error.message, { cause: error, retryAfterS: error.retryAfterS });
    throw new RemoteFailure('broken', error.message, { cause: error });
  }
}
