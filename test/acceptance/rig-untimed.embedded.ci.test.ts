/**
 * Runs those checks of the test rig (`rig/`) that need no access to the service's processes and files. These checks set
 * no time limits, so other tests may run at the same time.
 */
import { describe, expect, it } from 'vitest';
import { checks } from '../../rig/checks.ts';
import { expectBarsHeld, runRig } from './run-rig.ts';

const untimed = Object.entries(checks).filter(([, { isTimed, needsOwn }]) => !isTimed && !needsOwn);

describe('the rig, beside other tests', { timeout: 300_000 }, () => {
  it.each(untimed.map(([name]) => name))('%s passes', expectBarsHeld);

  it('reports an unknown check', async () => {
    const { code, output } = await runRig('no-such-check');
    expect(code).toBe(2);
    expect(output).toContain('kill9');
  });
});
