import { expect, it } from 'vitest';
import { renderInTime } from './render-in-time.ts';

const never = new AbortController().signal;

/** A renderer that takes `msPerPixel`, notes its sizes, and can be aborted. */
function makeRenderer(msPerPixel: () => number) {
  const sizes: number[] = [];
  return {
    sizes,
    render: async (px: number, signal: AbortSignal) => {
      sizes.push(px);
      const until = performance.now() + msPerPixel() * px ** 2;
      while (performance.now() < until) {
        await new Promise(setImmediate);
        signal.throwIfAborted();
      }
      return px;
    },
  };
}

it('renders once, at full size, without a deadline', async () => {
  const { sizes, render } = makeRenderer(() => 0);
  const traced = await renderInTime({ longEdgePx: 512, deadlineAt: undefined, signal: never }, render);
  expect(traced).toEqual({ picture: 512, tracedPx: 512, isDraft: false });
  expect(sizes).toEqual([512]);
});

it('is of full size, and rendered once, if there is time', async () => {
  const { sizes, render } = makeRenderer(() => 0);
  const call = () =>
    renderInTime({ longEdgePx: 512, deadlineAt: performance.now() + 60_000, signal: never }, render);
  expect(await call()).toMatchObject({ tracedPx: 512, isDraft: false });
  expect(sizes).toEqual([512]);
});

it('returns the smallest picture, marked as a draft, if the time is already up', async () => {
  const { sizes, render } = makeRenderer(() => 0);
  const traced = await renderInTime({ longEdgePx: 512, deadlineAt: 0, signal: never }, render);
  expect(traced).toMatchObject({ tracedPx: 128, isDraft: true });
  expect(sizes).toEqual([128]);
});

it('gives up a picture that runs late, and returns a smaller one', async () => {
  let isBusy = false;
  const { sizes, render } = makeRenderer(() => (isBusy ? 2e-3 : 0));
  const call = (ms: number) =>
    renderInTime({ longEdgePx: 512, deadlineAt: performance.now() + ms, signal: never }, render);
  expect(await call(60_000)).toMatchObject({ tracedPx: 512 });
  isBusy = true;
  const traced = await call(100);
  expect(sizes.slice(-2)).toEqual([512, 128]);
  expect(traced).toMatchObject({ picture: 128, isDraft: true });
});

it('finds out that it is no longer slow', async () => {
  let isBusy = true;
  const { render } = makeRenderer(() => (isBusy ? 2e-3 : 0));
  const call = () =>
    renderInTime({ longEdgePx: 640, deadlineAt: performance.now() + 200, signal: never }, render);
  expect(await call()).toMatchObject({ isDraft: true });
  isBusy = false;
  for (let calls = 0; calls < 12; calls++) await call();
  expect(await call()).toMatchObject({ tracedPx: 640, isDraft: false });
});

it('rejects if the caller gives up, and with the error of the renderer', async () => {
  const stop = new AbortController();
  stop.abort(new Error('gone'));
  const request = { longEdgePx: 512, deadlineAt: performance.now() + 1000, signal: stop.signal };
  await expect(renderInTime(request, async (_px, signal) => signal.throwIfAborted())).rejects.toThrow('gone');
  const fails = () => Promise.reject(new Error('broken'));
  await expect(renderInTime({ ...request, signal: never }, fails)).rejects.toThrow('broken');
});
