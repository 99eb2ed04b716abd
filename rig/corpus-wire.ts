/**
 * Bytes that no HTTP client would send: each gets an error or a closed connection, and the next caller is
 * unaffected.
 */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const post = 'POST /v1/design/suggest HTTP/1.1\r\nhost: x\r\n';

/** Returns the start of the response, or `closed`; an empty text after the timeout. */
async function speak(url: string, bytes: string, patienceMs: number): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port) || 80, hostname);
  let answer = '';
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text;
    if (answer.includes('\r\n')) resolve();
  });
  // A reset is an acceptable answer, too.
  socket.on('error', () => undefined);
  socket.on('close', () => resolve());
  socket.write(bytes, 'latin1');
  await Promise.race([promise, sleep(patienceMs, undefined, { ref: false })]);
  const closed = socket.destroyed;
  socket.destroy();
  return answer === '' && closed ? 'closed' : answer;
}

export async function probeWire(url: string, key: string): Promise<string[]> {
  const keyed = `${post}x-api-key: ${key}\r\n`;
  const shots: Record<string, string> = {
    'no request line': '\r\n\r\n\r\nhello\r\n\r\n',
    'a TLS hello': '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',
    'HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'HTTP/9.9': 'GET /healthz HTTP/9.9\r\nhost: x\r\n\r\n',
    'unknown method': 'BREW /pot HTTP/1.1\r\nhost: x\r\n\r\n',
    'no host': 'GET /v1/limits HTTP/1.1\r\n\r\n',
    'head of 100 kB': `${post}x-long: ${'y'.repeat(100_000)}\r\n\r\n`,
    'three thousand headers': `${post}${'a: b\r\n'.repeat(3_000)}\r\n`,
    'path of 100 kB': `GET /${'y'.repeat(100_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
    'NUL in a header': `${post}x-api-key: a\0b\r\n\r\n`,
    'LF in a header name': `${post}x\n-api-key: a\r\n\r\n`,
    'negative length': `${keyed}content-length: -1\r\n\r\n{}`,
    'length that is no number': `${keyed}content-length: two\r\n\r\n{}`,
    'two lengths': `${keyed}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
    'length and chunks': `${keyed}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    'chunks twice': `${keyed}transfer-encoding: chunked, chunked\r\n\r\n0\r\n\r\n`,
    'unknown transfer encoding': `${keyed}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n`,
    'a chunk size that is no number': `${keyed}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
    'an endless chunk size': `${keyed}transfer-encoding: chunked\r\n\r\n${'f'.repeat(40)}\r\n`,
    'an absolute address': 'GET http://127.0.0.1:1/v1/limits HTTP/1.1\r\nhost: x\r\n\r\n',
    CONNECT: 'CONNECT 127.0.0.1:80 HTTP/1.1\r\nhost: x\r\n\r\n',
  };
  const faults: string[] = [];
  for (const [name, bytes] of Object.entries(shots)) {
    const answer = await speak(url, bytes, 15_000);
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
    if (answer !== 'closed' && !(status >= 400 && status < 500)) {
      faults.push(`${name}: ${answer.slice(0, 60).replaceAll('\r\n', ' ') || 'no answer'}`);
    }
    const probe = await fetch(`${url}/healthz`);
    if (probe.status !== 200) faults.push(`${name}: the probe says ${probe.status}`);
  }
  return faults;
}
