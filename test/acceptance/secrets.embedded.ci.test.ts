import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packshot, packshotProcess } from './command.ts';
import { endProcess, type ServiceProcess, spawnService } from './process.ts';
import { cratePhoto, jsonOf } from './service.ts';

let dataDir: string;
let service: ServiceProcess;
let id: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'packshot-secrets-'));
  service = await spawnService(dataDir, { DRAW_AHEAD: 'off' });
  id = await service.upload(await cratePhoto());
});
afterAll(async () => {
  await endProcess(service.child, 'SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

/** Returns the URI of a scene, which is the same scene in every call, signed with the current secret. */
async function suggestUri(): Promise<string> {
  const json = { id, recipePreset: 'AI_STUDIO' };
  const answer = await jsonOf(service.call('/v1/design/suggest', { json }));
  return answer.suggestedRecipeLists[0].recipes[0].mutations.images.primaryIllustration.previewUri;
}

const statusOf = async (uri: string): Promise<number> => (await fetch(uri)).status;
const words = ['secrets', 'rotate', 'illustration-uris'];
/** Requests the URI with another signature, which makes the service re-read its secrets. */
async function forge(uri: string): Promise<void> {
  expect(await statusOf(uri.replace(/.{8}$/, 'AAAAAAAA'))).toBe(404);
}
const signatureOf = (uri: string) => new URL(uri).searchParams.get('s');

it('after a rotation, the running service signs with the new secret, and still accepts older signatures', async () => {
  const before = await suggestUri();
  expect(await statusOf(before)).toBe(200);
  const { code, stdout } = await packshotProcess(words, { env: { DATA_DIR: dataDir } });
  expect(code).toBe(0);
  expect(String(stdout)).not.toMatch(/[0-9a-f]{64}/);
  await forge(before);
  const after = await suggestUri();
  expect(new URL(after).pathname).toBe(new URL(before).pathname);
  expect(signatureOf(after)).not.toBe(signatureOf(before));
  expect([await statusOf(before), await statusOf(after)]).toEqual([200, 200]);
});

it('after a rotation without overlap, the service accepts no earlier signature', async () => {
  const before = await suggestUri();
  await packshot([...words, '--overlap-days', '0'], { env: { DATA_DIR: dataDir } });
  // Secrets are re-read at most once a second.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  await forge(before);
  expect(await statusOf(before)).toBe(404);
  expect(await statusOf(await suggestUri())).toBe(200);
});
