/** All checks of the rig by name, in running order. */
import { checkAtOnce } from './at-once.ts';
import { checkCorpus } from './corpus.ts';
import { checkDamaged } from './damaged.ts';
import { checkDisk } from './disk.ts';
import { checkFleet } from './fleet.ts';
import { checkFuzz } from './fuzz.ts';
import { checkGraceful } from './graceful.ts';
import { checkIdle } from './idle.ts';
import { checkKill9 } from './kill9.ts';
import { checkLoad } from './load.ts';
import { checkMemory } from './memory.ts';
import { checkMixup } from './mixup.ts';
import { checkNeighbours } from './neighbours.ts';
import { checkPace } from './pace.ts';
import type { Run } from './run.ts';
import { checkSoak } from './soak.ts';
import { checkSsrf } from './ssrf.ts';
import { checkTenants } from './tenants.ts';
import { checkWorkers } from './workers.ts';

interface Entry {
  readonly check: (run: Run) => Promise<void>;
  /** Whether the check starts its own service, for example because it kills processes or corrupts files. */
  readonly needsOwn: boolean;
  /**
   * Whether even the short version of the check fails if the service misses its deadlines, as it may on a busy machine.
   * So the tests run such a check while no other test runs.
   */
  readonly isTimed: boolean;
}

export const checks = {
  corpus: { check: checkCorpus, needsOwn: false, isTimed: false },
  fuzz: { check: checkFuzz, needsOwn: false, isTimed: false },
  ssrf: { check: checkSsrf, needsOwn: false, isTimed: false },
  tenants: { check: checkTenants, needsOwn: true, isTimed: false },
  neighbours: { check: checkNeighbours, needsOwn: true, isTimed: false },
  'at-once': { check: checkAtOnce, needsOwn: true, isTimed: true },
  mixup: { check: checkMixup, needsOwn: false, isTimed: false },
  graceful: { check: checkGraceful, needsOwn: true, isTimed: false },
  workers: { check: checkWorkers, needsOwn: true, isTimed: false },
  damaged: { check: checkDamaged, needsOwn: true, isTimed: false },
  disk: { check: checkDisk, needsOwn: true, isTimed: false },
  kill9: { check: checkKill9, needsOwn: true, isTimed: false },
  fleet: { check: checkFleet, needsOwn: true, isTimed: false },
  load: { check: checkLoad, needsOwn: false, isTimed: false },
  pace: { check: checkPace, needsOwn: true, isTimed: true },
  memory: { check: checkMemory, needsOwn: true, isTimed: false },
  idle: { check: checkIdle, needsOwn: true, isTimed: false },
  soak: { check: checkSoak, needsOwn: false, isTimed: false },
} as const satisfies Record<string, Entry>;

export const isCheckName = (name: string): name is keyof typeof checks => Object.hasOwn(checks, name);
