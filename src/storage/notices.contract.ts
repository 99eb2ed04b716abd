import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Notices } from './notices.ts';

export interface NoticesBench {
  /** Notices of two processes on one database. Both are the same object if only one process can use the database. */
  readonly here: Notices;
  readonly there: Notices;
  close(): Promise<void>;
}

interface Heard {
  readonly key: string | undefined;
  readonly news: unknown;
}

/** Waits until a notice of `teller` reaches `listener`, then collects the listener's notices of this topic. */
export async function hearAll(listener: Notices, teller: Notices, topic: string): Promise<Heard[]> {
  const heard: Heard[] = [];
  listener.listen(topic, (key, news) => void heard.push({ key, news }));
  await until(() => {
    if (keysOf(heard, 'probe').length === 0) teller.tell(topic, 'probe');
    return keysOf(heard, 'probe').length > 0;
  });
  return heard;
}

/** Returns the received keys with this prefix, in order of arrival. */
export const keysOf = (heard: readonly Heard[], start: string) =>
  heard.map(({ key }) => key).filter((key) => key?.startsWith(start));

export async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { timeout: 20_000, interval: 20 }).toBe(true);
}

export function describeNotices(name: string, open: () => Promise<NoticesBench>): void {
  describe(`notices ${name}`, () => {
    let bench: NoticesBench;
    beforeEach(async () => {
      bench = await open();
    });
    afterEach(() => bench.close());

    it('reach listeners of both processes, once and in order', async () => {
      const { here, there } = bench;
      const own = await hearAll(here, there, 'design');
      const others = await hearAll(there, here, 'design');
      for (const key of ['key_1', 'key_2', 'key_3']) here.tell('design', key);
      for (const heard of [own, others]) {
        await until(() => keysOf(heard, 'key_').length >= 3);
      }
      here.tell('design', 'last');
      for (const heard of [own, others]) {
        await until(() => keysOf(heard, 'last').length > 0);
        expect(keysOf(heard, 'key_')).toEqual(['key_1', 'key_2', 'key_3']);
      }
    });

    it('carry a payload, and any text as a key', async () => {
      const { here, there } = bench;
      const others = await hearAll(there, here, 'design');
      const news = { state: 'ready', n: 1, of: ['a', null], name: 'Täß’n 🎁 \\ " \n' };
      const key = 'dsg_\'a"b; 🎁';
      here.tell('design', key, news);
      await until(() => keysOf(others, key).length > 0);
      expect(others.find((one) => one.key === key)).toEqual({ key, news });
    });

    it('reach neither listeners of another topic nor removed listeners', async () => {
      const { here, there } = bench;
      const heard = await hearAll(there, here, 'design');
      const other: unknown[] = [];
      there.listen('batch', (key) => void (key !== undefined && other.push(key)));
      const stopped: unknown[] = [];
      there.listen('design', (key) => void (key !== undefined && stopped.push(key)))();
      here.tell('design', 'key_1');
      await until(() => keysOf(heard, 'key_1').length > 0);
      expect(other).toEqual([]);
      expect(stopped).toEqual([]);
    });
  });
}
