/** All checks of the rig by name, in running order. */
import { checkClock } from './clock.ts';
import { checkContainer } from './container.ts';
import { checkCorpus } from './corpus.ts';
import { checkDamaged } from './damaged.ts';
import { checkDisk } from './disk.ts';
import { checkFleet } from './fleet.ts';
import { checkFuzz } from './fuzz.ts';
import { checkGraceful } from './graceful.ts';
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
  /** Kills processes or corrupts files, so it starts its own service. */
  readonly needsOwn: boolean;
}

export const checks = {
  corpus: { check: checkCorpus, needsOwn: false },
  fuzz: { check: checkFuzz, needsOwn: false },
  ssrf: { check: checkSsrf, needsOwn: false },
  tenants: { check: checkTenants, needsOwn: true },
  neighbours: { check: checkNeighbours, needsOwn: true },
  mixup: { check: checkMixup, needsOwn: false },
  graceful: { check: checkGraceful, needsOwn: true },
  workers: { check: checkWorkers, needsOwn: true },
  damaged: { check: checkDamaged, needsOwn: true },
  disk: { check: checkDisk, needsOwn: true },
  clock: { check: checkClock, needsOwn: true },
  kill9: { check: checkKill9, needsOwn: true },
  fleet: { check: checkFleet, needsOwn: true },
  load: { check: checkLoad, needsOwn: false },
  pace: { check: checkPace, needsOwn: true },
  memory: { check: checkMemory, needsOwn: true },
  container: { check: checkContainer, needsOwn: true },
  soak: { check: checkSoak, needsOwn: false },
} as const satisfies Record<string, Entry>;

export const isCheckName = (name: string): name is keyof typeof checks => Object.hasOwn(checks, name);
