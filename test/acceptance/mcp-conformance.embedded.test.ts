/**
 * Runs the protocol's official conformance tests against POST /mcp. Tests that require a purpose-built server
 * are listed as expected failures.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from './service.ts';

const runner = fileURLToPath(new URL('../../node_modules/.bin/conformance', import.meta.url));
const expectedFailures = fileURLToPath(new URL('./mcp-conformance.yml', import.meta.url));

let service: Service;
let folder: string;
/** The test runner sends no API key: this proxy adds one and changes nothing else. */
const proxy = createServer((incoming, outgoing) => {
  const { port } = new URL(service.url);
  const headers = { ...incoming.headers, 'x-api-key': service.key };
  const forwarded = request({ port, method: incoming.method, path: incoming.url, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(outgoing);
  });
  forwarded.on('error', () => outgoing.destroy());
  incoming.pipe(forwarded);
});

beforeAll(async () => {
  service = await startService();
  folder = await mkdtemp(join(tmpdir(), 'packshot-conformance-'));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

it('POST /mcp passes the conformance scenarios of a server with tools', async () => {
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
  const words = [
    runner,
    'server',
    '--url',
    url,
    '--expected-failures',
    expectedFailures,
    '--output-dir',
    folder,
  ];
  const { promise, resolve } = Promise.withResolvers<{ code: unknown; output: string }>();
  execFile(process.execPath, words, { maxBuffer: 64e6 }, (error, stdout, stderr) =>
    resolve({ code: error?.code ?? 0, output: stdout + stderr }),
  );
  const { code, output } = await promise;
  expect(code, output.slice(-8_000)).toBe(0);
  expect(output).toMatch(/server-initialize/);
}, 120_000);
