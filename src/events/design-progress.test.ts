import { describe, expect, it } from 'vitest';
import { createDesignProgress, type ProgressNews } from './design-progress.ts';

const drawn = (illustrationId: string): ProgressNews => ({ illustrationId, state: 'drawn' });

describe('the progress of a design', () => {
  it('is told to those who listen, and to nobody of another design', () => {
    const progress = createDesignProgress();
    const heard: unknown[] = [];
    const stop = progress.listen('dsg_a', (news) => heard.push(news));
    progress.listen('dsg_b', () => heard.push('b'));
    progress.expect('dsg_a');
    progress.settle('dsg_a', drawn('ill_1'));
    progress.tell('dsg_a', { illustrationId: 'ill_2', state: 'painted' });
    stop();
    progress.tell('dsg_a', drawn('ill_3'));
    expect(heard).toEqual([drawn('ill_1'), { illustrationId: 'ill_2', state: 'painted' }]);
  });

  it('is expected until the last picture is over, drawn or not', () => {
    const progress = createDesignProgress();
    const expecting: boolean[] = [];
    // Whoever hears of the last one finds that nothing more is to come.
    progress.listen('dsg_a', () => expecting.push(progress.isExpecting('dsg_a')));
    progress.expect('dsg_a');
    progress.expect('dsg_a');
    expect(progress.isExpecting('dsg_a')).toBe(true);
    progress.settle('dsg_a', drawn('ill_1'));
    progress.settle('dsg_a', undefined);
    expect(expecting).toEqual([true, false]);
    expect(progress.isExpecting('dsg_b')).toBe(false);
  });
});
