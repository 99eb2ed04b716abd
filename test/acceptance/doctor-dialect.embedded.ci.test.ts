/** `packshot doctor --dialect`: whether clients of another service would work with this one. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packshot } from './command.ts';
import { type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

async function tryDialect(dialect: string, url: string, key?: string) {
  const words = ['doctor', '--json', '--dialect', dialect, '--url', url, ...(key ? ['--key', key] : [])];
  const { code, stdout } = await packshot(words);
  const { findings } = JSON.parse(stdout.toString()) as {
    findings: { check: string; state: string; detail: string; remedy?: string }[];
  };
  return { code, findings, states: findings.map(({ check, state }) => `${check} ${state}`) };
}

describe('packshot doctor --dialect', () => {
  it.each(['removebg', 'photoroom', 'rembg'])('finds that clients of %s would work', async (dialect) => {
    const { code, states, findings } = await tryDialect(dialect, service.url, service.key);
    expect([code, states], JSON.stringify(findings)).toEqual([0, ['reach ok', 'cutout ok', 'errors ok']]);
  });

  it('identifies a missing key, a wrong key, a wrong address and another program', async () => {
    const keyless = await tryDialect('removebg', service.url);
    expect([keyless.code, keyless.states]).toEqual([1, ['reach problem']]);
    expect(keyless.findings[0]!.remedy).toContain('--key');
    const wrong = await tryDialect('photoroom', service.url, 'wrong');
    expect(wrong.findings[0]!.remedy).toContain('scopes');
    const nobody = await tryDialect('rembg', 'http://127.0.0.1:9', 'k');
    expect(nobody.findings[0]!.detail).toContain('does not respond');
    const server = createServer((_, response) => response.end('{"ok":true}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const other = await tryDialect('removebg', `http://127.0.0.1:${port}`, 'k');
    server.close();
    expect(other.findings[0]!.detail).toContain('a response without data.attributes.credits.total');
  });
});
