/** What the conductors are wired from. */
import type { CreditStore } from '../accounts/credit-store.ts';
import type { SigningSecrets } from '../illustrations/illustration-uri.ts';
import type { EngineCall } from '../illustrations/painting/ask-engine.ts';
import type { IllustrationEngine } from '../illustrations/painting/illustration-engine.ts';
import type { Queue } from '../jobs/queue.ts';
import type { UnansweredQuestion } from '../scenes/language-model.ts';
import type { StepTiming } from '../step-clock.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Database } from '../storage/database.ts';
import type { Notices } from '../storage/notices.ts';
import type { StoredBytes } from '../storage/stored-bytes.ts';
import type { CountListener } from '../storage/sweep-blobs.ts';
import type { CutoutTasks } from '../workers/cutout-worker.ts';
import type { HeicConverter } from '../workers/heic-converter.ts';
import type { WorkerPool } from '../workers/worker-pool.ts';
import type { Elsewhere } from './errands.ts';
import type { Events } from './events.ts';
import type { ImagingPool } from './imaging.ts';

export interface Parts {
  /** Paints scenes; undefined where the embedded studio makes them all. */
  readonly illustrationEngine: IllustrationEngine | undefined;
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly queue: Queue;
  readonly notices: Notices;
  readonly credits: Pick<CreditStore, 'listPayers'>;
  /** Throws where the storage has no room for uploads, or the account has used up its share. */
  readonly admitUpload: (accountId: string) => Promise<void>;
  readonly storedBytes: StoredBytes;
  /** Called with what each sweep counted. */
  readonly onCounted: CountListener;
  /** An api process holds no model. */
  readonly pools: {
    readonly imaging: ImagingPool;
    /** Undefined where the operator has switched HEIC off. */
    readonly heic: HeicConverter | undefined;
    readonly cutting: WorkerPool<CutoutTasks> | undefined;
  };
  /** Does the heavy work of an api process; undefined where it is done here. */
  readonly elsewhere: Elsewhere | undefined;
  /** Signs the URIs of illustrations. */
  readonly secrets: SigningSecrets;
  readonly reportError: (error: unknown, where: string) => void;
  readonly reportCut: (design: string, steps: readonly StepTiming[]) => void;
  readonly reportPainting: (facts: object) => void;
  readonly reportUnanswered: (question: UnansweredQuestion) => void;
  readonly onEngineCall: (call: EngineCall) => void;
  readonly events: Pick<Events, 'teller' | 'progress'>;
}
