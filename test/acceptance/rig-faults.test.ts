/** The checks of the rig that kill processes or damage files. Other tests may run beside them. */
import { describe, it } from 'vitest';
import { checks } from '../../rig/checks.ts';
import { expectBarsHeld } from './run-rig.ts';

const untimed = Object.entries(checks).filter(([, { isTimed, needsOwn }]) => !isTimed && needsOwn);

describe('the rig, beside other tests', { timeout: 300_000 }, () => {
  it.each(untimed.map(([name]) => name))('%s passes', expectBarsHeld);
});
