import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packshotProcess, printedBy, packshot as runPackshot } from './command.ts';
import {
  cratePhoto,
  formWith,
  jsonOf,
  problemOf,
  type Service,
  startOwnService,
  startService,
  white,
} from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startOwnService();
});
afterAll(() => service.stop());

/** Runs the command line on the data folder of the running service. */
const packshot = (...words: string[]) => printedBy(words, { DATA_DIR: service.dataDir });

async function createKey(...input: string[]) {
  return JSON.parse(await packshot('keys', 'create', '--name', 'test', '--json', ...input));
}

const limits = (key: string | null) => service.call('/v1/limits', { key });

describe('X-Api-Key', () => {
  it('is required on every path below /v1', async () => {
    for (const path of ['/v1/limits', '/v1/recipes', '/v1/design/x', '/v1/design/x/cutout.png']) {
      expect(await problemOf(await service.call(path, { key: null })), path).toMatchObject({
        status: 401,
        code: 'missing_api_key',
      });
    }
    const upload = await service.call('/v1/design/image-upload', {
      method: 'POST',
      key: null,
      body: formWith(await cratePhoto()),
    });
    expect(await problemOf(upload)).toMatchObject({ status: 401, code: 'missing_api_key' });
  });

  it('refuses a wrong key, and throttles the address after 20 wrong keys without locking out a valid key', async () => {
    // Use a separate service, because this test uses up limits that later tests need.
    const tried = await startService({ RATE_BURST: '1000' });
    try {
      const ask = (key: string) => tried.call('/v1/limits', { key });
      expect(await problemOf(await ask('psk_live_wrong'))).toMatchObject({
        status: 401,
        code: 'invalid_api_key',
      });
      const codes = new Set<string>();
      // 20 wrong keys are allowed at once, and 20 more in each minute; 45 calls within a minute exceed that.
      for (let i = 0; i < 45; i++) codes.add((await problemOf(await ask(`psk_live_wrong${i}`))).code);
      expect(codes).toEqual(new Set(['invalid_api_key', 'rate_limited']));
      expect((await ask(tried.key)).status).toBe(200);
    } finally {
      await tried.stop();
    }
  });
});

describe('packshot keys', () => {
  it('creates keys that work at once, in the format that secret scanners know', async () => {
    const { key } = await createKey();
    expect(key).toMatch(/^psk_live_[0-9A-Za-z]{36}$/);
    expect((await limits(key)).status).toBe(200);
    const list = await packshot('keys', 'list', '--json');
    expect(list).not.toContain(key);
  });

  it('accepts a unique name instead of a key’s id, and warns if a second key gets the same name', async () => {
    const create = () =>
      runPackshot(['keys', 'create', '--name', 'twice', '--json'], { env: { DATA_DIR: service.dataDir } });
    const one = await create();
    expect(one.stderr).not.toContain('Note');
    const { id } = JSON.parse(one.stdout.toString());
    expect(await packshot('keys', 'credits', 'twice')).toContain(id);
    expect((await create()).stderr).toContain(`the name "twice" is also used by ${id}`);
    await expect(packshot('keys', 'revoke', 'twice')).rejects.toThrow('Several keys are named twice');
  });

  it('lists keys in a table that fits 120 columns', async () => {
    const { id } = await createKey('--scopes', 'upload,suggest,render,admin', '--expires-in-days', '30');
    const lines = (await packshot('keys', 'list')).split('\n');
    expect(lines[0]).toMatch(/^ID +NAME +KEY +ACCOUNT +SCOPES /);
    expect(lines.find((line) => line.startsWith(id))).toMatch(/ psk_live_\S+ +acc_\S+ +all .* active$/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(120);
    expect(await packshot('keys', 'audit')).toMatch(/^AT +ACTION +KEY +BY +DETAILS\n/);
  });

  it('creates keys whose scopes are enforced', async () => {
    const { key } = await createKey('--scopes', 'render');
    const upload = await service.call('/v1/design/image-upload', {
      method: 'POST',
      key,
      body: formWith(await cratePhoto()),
    });
    expect(await problemOf(upload)).toMatchObject({ status: 403, code: 'scope_denied' });
    const { key: uploader } = await createKey('--scopes', 'upload');
    for (const path of ['/v1/looks', '/v1/looks/Look_a', '/v1/jobs/job_a', '/v1/jobs/job_a/results.zip'])
      expect(await problemOf(await service.call(path, { key: uploader })), path).toMatchObject({
        status: 403,
        code: 'scope_denied',
      });
  });

  it('adds a key to the first account, whose designs it sees', async () => {
    const id = await service.upload(await cratePhoto());
    const { key } = await createKey();
    expect((await jsonOf(service.call(`/v1/design/${id}?wait=true`, { key }))).status).toBe('ready');
    expect((await service.call('/v1/design/preview.webp', { key, json: { id, ...white } })).status).toBe(200);
  });

  it("creates keys of different accounts, which cannot see each other's designs", async () => {
    const id = await service.upload(await cratePhoto());
    const { key } = await createKey('--new-account');
    for (const response of [
      await service.call(`/v1/design/${id}`, { key }),
      await service.call(`/v1/design/${id}`, { key, method: 'DELETE' }),
      await service.call(`/v1/design/${id}/cutout.png`, { key }),
      await service.call('/v1/design/preview.webp', { key, json: { id, ...white } }),
    ]) {
      expect(await problemOf(response)).toMatchObject({ status: 404, code: 'design_not_found' });
    }
    expect((await service.call(`/v1/design/${id}`)).status).toBe(200);
  });

  it('rotates a key within its account, and the old key stays valid for the overlap', async () => {
    const old = await createKey();
    const fresh = JSON.parse(await packshot('keys', 'rotate', old.id, '--overlap-hours', '1', '--json'));
    expect(fresh.accountId).toBe(old.accountId);
    expect([(await limits(old.key)).status, (await limits(fresh.key)).status]).toEqual([200, 200]);
    const next = JSON.parse(await packshot('keys', 'rotate', fresh.id, '--overlap-hours', '0', '--json'));
    expect(await problemOf(await limits(fresh.key))).toMatchObject({ status: 401, code: 'expired_api_key' });
    expect((await limits(next.key)).status).toBe(200);
  });

  it('revokes a key at once', async () => {
    const { id, key } = await createKey();
    // By a separate process, as users do: the running service must notice.
    const env = { DATA_DIR: service.dataDir };
    expect(await packshotProcess(['keys', 'revoke', id], { env })).toMatchObject({ code: 0 });
    expect(await problemOf(await limits(key))).toMatchObject({ status: 401, code: 'invalid_api_key' });
  });

  it('exits with a message and code 1 for an unknown id', async () => {
    const env = { DATA_DIR: service.dataDir };
    expect(await packshotProcess(['keys', 'revoke', 'key_nope'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('key_nope'),
    });
  });
});

describe('a key’s own rate', () => {
  const rateOf = async (key: string) => {
    const { headers } = await limits(key);
    return [headers.get('ratelimit-limit'), headers.get('x-ratelimit-limit')];
  };

  it('is set on creation, reported in headers, listed, changed while in use, and inherited by its successor', async () => {
    const { id, key, rate } = await createKey('--rate', '5', '--burst', '7');
    expect(rate).toEqual({ perSecond: 5, burst: 7 });
    expect(await rateOf(key)).toEqual(['7', '7']);
    const next = JSON.parse(await packshot('keys', 'rotate', id, '--json'));
    expect(await rateOf(next.key)).toEqual(['7', '7']);
    expect(await packshot('keys', 'rate', id, '2.5')).toContain('2.5 calls a second, burst 5');
    expect(await rateOf(key)).toEqual(['5', '5']);
    expect(await packshot('keys', 'list')).toContain('2.5/s');
    const listed = JSON.parse(await packshot('keys', 'list', '--json'));
    expect(listed.find((one: { id: string }) => one.id === id).rate).toEqual({ perSecond: 2.5, burst: 5 });
    await packshot('keys', 'rate', id, '--default');
    expect(await rateOf(key)).toEqual(['1000', '1000']);
  });

  it('is refused if it is not a valid rate', async () => {
    await expect(createKey('--rate', '0')).rejects.toMatchObject({ code: 2 });
    await expect(createKey('--burst', '3')).rejects.toMatchObject({ code: 1 });
  });
});

describe('the rate of calls', () => {
  it('is limited per key, with Retry-After', async () => {
    const strict = await startService({ RATE_PER_SECOND: '0.1', RATE_BURST: '3', RATE_PATIENCE_MS: '0' });
    try {
      const answers = await Promise.all(Array.from({ length: 6 }, () => strict.call('/v1/limits')));
      const refused = answers.filter((answer) => answer.status === 429);
      expect(refused.length).toBe(3);
      expect(await problemOf(refused[0]!)).toMatchObject({ code: 'rate_limited' });
      expect(refused[0]!.headers.get('x-ratelimit-remaining')).toBe('0');
    } finally {
      await strict.stop();
    }
  });
});
