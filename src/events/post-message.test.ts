import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPoster, type PosterConfig } from './post-message.ts';
import { openReceiver, type Receiver } from './testing/receiver.ts';

const never = new AbortController().signal;
const headers = { 'webhook-id': 'msg_1' };
let receiver: Receiver;
let answer: number | string | undefined;
beforeEach(async () => {
  answer = 200;
  receiver = await openReceiver(() => answer);
});
afterEach(() => receiver.close());

const post = (config: Partial<PosterConfig> = {}, url = receiver.url, signal = never) =>
  createPoster({ allow: ['127.0.0.1'], timeoutMs: 2_000, ...config })(
    { url, headers, body: '{"a":"ü"}' },
    signal,
  );

describe('a post', () => {
  it('sends body and headers, and returns the status', async () => {
    answer = 418;
    expect(await post({}, `${receiver.url}?token=1`)).toEqual({ status: 418 });
    expect(receiver.received).toMatchObject([
      {
        path: '/hook?token=1',
        body: '{"a":"ü"}',
        headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' },
      },
    ]);
  });

  it('does not follow redirects', async () => {
    const inside = await openReceiver();
    try {
      answer = inside.url;
      expect(await post()).toEqual({ status: 307 });
      expect(inside.received).toEqual([]);
    } finally {
      await inside.close();
    }
  });

  it('times out if the response head or the name lookup takes too long', async () => {
    answer = undefined;
    const tooLate = { failure: 'there was no response within 0.2 s', hung: true };
    expect(await post({ timeoutMs: 200 })).toEqual(tooLate);
    const hanging = { timeoutMs: 200, lookup: () => new Promise<never>(() => undefined) };
    expect(await post(hanging, 'https://shop.example/')).toEqual(tooLate);
  });

  it('reports a refused connection, invalid HTTP, and an unresolved name in words', async () => {
    const noAnswer = { failure: 'there was no connection, or no valid HTTP response' };
    const other = createServer((socket) => void socket.resume().end('SSH-2.0-OpenSSH\r\n'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    expect(await post({}, `http://127.0.0.1:${port}/`)).toEqual(noAnswer);
    await new Promise((resolve) => other.close(resolve));
    expect(await post({}, `http://127.0.0.1:${port}/`)).toEqual(noAnswer);
    const lookup = async () => Promise.reject(new Error('ENOTFOUND'));
    expect(await post({ lookup }, 'https://shop.example/')).toEqual({
      failure: 'the name of its host does not resolve',
    });
  });

  it('rejects with the reason of its abort signal', async () => {
    answer = undefined;
    const stop = new AbortController();
    const posting = post({}, receiver.url, stop.signal);
    stop.abort(new Error('stopping'));
    await expect(posting).rejects.toThrow('stopping');
  });
});

describe('a host', () => {
  const refused = { failure: 'calls to its host are not allowed' };

  it.each([
    ['loopback', 'https://127.0.0.1/'],
    ['a private address', 'https://192.168.1.1/'],
    ["a cloud's metadata", 'https://169.254.169.254/'],
    ['loopback, numbered', 'https://2130706433/'],
    ['loopback of IPv6', 'https://[::1]/'],
    ['an IPv4 address in IPv6', 'https://[::ffff:10.0.0.1]/'],
    ['a public address on another port', 'https://93.184.216.34:8443/'],
  ])('given as %s is not called', async (_, url) => {
    expect(await post({ allow: [] }, url)).toEqual(refused);
  });

  it('whose name resolves to a public and an internal address is not called', async () => {
    const lookup = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    expect(await post({ allow: [], lookup }, 'https://shop.example/')).toEqual(refused);
  });

  it("on the operator's allowlist is called, at the address that was resolved", async () => {
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
    const url = `http://shop.internal:${receiver.port}/`;
    expect(await post({ allow: [`shop.internal:${receiver.port}`], lookup }, url)).toEqual({ status: 200 });
    expect(receiver.received[0]?.headers.host).toBe(`shop.internal:${receiver.port}`);
    expect(await post({ allow: ['shop.internal:1'], lookup }, url)).toEqual(refused);
  });
});
