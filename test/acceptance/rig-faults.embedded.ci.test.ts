/**
 * Runs those checks of the test rig (`rig/`) that start services of their own, for example to kill processes or damage
 * files. These checks set no time limits, so other tests may run at the same time.
 */
import { describe, it } from 'vitest';
import { checks } from '../../rig/checks.ts';
import { expectBarsHeld } from './run-rig.ts';

const untimed = Object.entries(checks).filter(([, { isTimed, needsOwn }]) => !isTimed && needsOwn);

describe('the rig, beside other tests', { timeout: 300_000 }, () => {
  it.each(untimed.map(([name]) => name))('%s passes', expectBarsHeld);
});
