import { describe, expect, it } from 'vitest';
import { createLocalNotices } from '../storage/notices.ts';
import { createDesignProgress, type ProgressNews } from './design-progress.ts';

const drawn = (illustrationId: string): ProgressNews => ({ illustrationId, state: 'drawn' });

describe('the progress of a design', () => {
  it('reaches the listeners of that design, and of no other', () => {
    const progress = createDesignProgress(createLocalNotices());
    const heard: unknown[] = [];
    const stop = progress.listen('dsg_a', (news) => heard.push(news));
    progress.listen('dsg_b', () => heard.push('b'));
    progress.tell('dsg_a', drawn('ill_1'));
    progress.tell('dsg_a');
    progress.tell('dsg_a', { illustrationId: 'ill_2', state: 'painted' });
    stop();
    progress.tell('dsg_a', drawn('ill_3'));
    expect(heard).toEqual([drawn('ill_1'), undefined, { illustrationId: 'ill_2', state: 'painted' }]);
  });

  it('calls every listener without news if notices may have been missed, so that each reads the state again', () => {
    const notices = createLocalNotices();
    const progress = createDesignProgress({
      ...notices,
      listen: (topic, listener) => notices.listen(topic, () => listener(undefined, undefined)),
    });
    const heard: unknown[] = [];
    progress.listen('dsg_a', (news) => heard.push(news));
    progress.tell('dsg_other', drawn('ill_1'));
    expect(heard).toEqual([undefined]);
  });
});
