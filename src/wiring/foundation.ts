/** Dependencies that the services have in common. */
import type { AccountStore } from '../accounts/account-store.ts';
import type { RenderCharger } from '../accounts/charge-render.ts';
import type { CreditStore } from '../accounts/credit-store.ts';
import type { DesignStore } from '../designs/design-store.ts';
import type { SigningSecrets } from '../illustrations/illustration-uri.ts';
import type { IllustrationEngine } from '../illustrations/painting/illustration-engine.ts';
import type { CountListener } from '../storage/sweep-blobs.ts';
import type { Events } from './events.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Monitoring } from './monitoring.ts';
import type { Elsewhere } from './remote-tasks.ts';
import type { Reports } from './reports.ts';

export interface Foundation {
  readonly infrastructure: Infrastructure;
  readonly reports: Reports;
  readonly events: Events;
  readonly metrics: Monitoring['metrics'];
  readonly designs: DesignStore;
  readonly accounts: AccountStore;
  readonly credits: CreditStore;
  readonly chargeRender: RenderCharger;
  /** Counts one upload of the key; never rejects. */
  readonly noteUpload: (keyId: string) => Promise<void>;
  /** Throws if the storage has no room for uploads, or the account has used up its share. */
  readonly admitUpload: (accountId: string) => Promise<void>;
  /** Called by each sweep with the number of bytes that each design, backdrop or batch has stored. */
  readonly onCounted: CountListener;
  readonly secrets: SigningSecrets;
  readonly pictureSecrets: SigningSecrets;
  /** Paints scenes; undefined if the embedded studio renders them all. */
  readonly illustrationEngine: IllustrationEngine | undefined;
  /** Delegates the heavy work of an api process to workers; undefined if this process does its own. */
  readonly elsewhere: Elsewhere | undefined;
}
