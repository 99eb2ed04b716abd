/** The checks of the rig that pass on a machine that is busy with other tests. */
import { describe, expect, it } from 'vitest';
import { checks } from '../../rig/checks.ts';
import { expectBarsHeld, runRig } from './run-rig.ts';

const untimed = Object.entries(checks).filter(([, { isTimed }]) => !isTimed);

describe('the rig, beside other tests', { timeout: 300_000 }, () => {
  it.each(untimed.map(([name]) => name))('%s passes', expectBarsHeld);

  it('reports an unknown check', async () => {
    const { code, output } = await runRig('no-such-check');
    expect(code).toBe(2);
    expect(output).toContain('kill9');
  });
});
