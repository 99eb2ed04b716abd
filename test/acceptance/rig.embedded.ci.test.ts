/** Runs the check of the test rig (`rig/`) that sets time limits for the service. No other test runs meanwhile. */
import { describe, it } from 'vitest';
import { checks } from '../../rig/checks.ts';
import { expectBarsHeld } from './run-rig.ts';

const timed = Object.entries(checks).filter(([, { isTimed }]) => isTimed);

describe('the rig, alone', { timeout: 300_000 }, () => {
  it.each(timed.map(([name]) => name))('%s passes', expectBarsHeld);
});
