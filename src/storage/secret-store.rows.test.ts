import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listSecrets, type OpenSecrets, openSecrets, rotateSecret } from './secret-store.ts';
import { openTemporaryDatabase, type TemporaryDatabase } from './testing/temporary-database.ts';

let rows: TemporaryDatabase;
let now: number;
let opened: OpenSecrets[];
let errors: unknown[];
beforeEach(async () => {
  rows = await openTemporaryDatabase();
  now = 1_000_000;
  opened = [];
  errors = [];
});
afterEach(async () => {
  for (const secrets of opened) secrets.close();
  await rows.close();
});

const clock = () => now;

/** Opens the secrets as another process would open them. */
async function open(name = 'uris'): Promise<OpenSecrets> {
  const secrets = await openSecrets(rows.database, name, { clock, onError: (error) => errors.push(error) });
  opened.push(secrets);
  return secrets;
}

async function look(secrets: OpenSecrets): Promise<readonly string[]> {
  now += 1_000;
  await secrets.refresh();
  return secrets.all();
}

const rotate = (overlapMs: number) => rotateSecret(rows.database, 'uris', { clock, overlapMs });

describe('a secret', () => {
  it('is created once, has 256 bits, and differs from that of another name', async () => {
    const [first] = (await open()).all();
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect((await open()).all()).toEqual([first]);
    expect((await open('uris-of-others')).all()).not.toContain(first);
  });

  it('that was rotated no longer signs, but verifies until the overlap ends', async () => {
    const secrets = await open();
    const [old] = secrets.all();
    await rotate(60_000);
    const both = await look(secrets);
    expect(both).toHaveLength(2);
    expect(both[0]).not.toBe(old);
    expect(both[1]).toBe(old);
    expect((await open()).all()).toEqual(both);
    // The old secret expires even if the secrets are not read again.
    now += 60_000;
    expect(secrets.all()).toEqual([both[0]]);
  });

  it('stops verifying at once if it is rotated without overlap, and so do all earlier secrets', async () => {
    const secrets = await open();
    for (let i = 0; i < 2; i++) await rotate(60_000);
    expect(await look(secrets)).toHaveLength(3);
    await rotate(0);
    expect(await look(secrets)).toHaveLength(1);
    expect(await rows.database.selectFrom('secrets').select('name').execute()).toEqual([{ name: 'uris' }]);
  });

  it('verifies for no longer than the latest rotation allows', async () => {
    await rotate(1_000_000);
    await rotate(5_000);
    expect(
      (await listSecrets(rows.database, 'uris', clock)).map(({ verifiesUntil }) => verifiesUntil?.getTime()),
    ).toEqual([undefined, now + 5_000, now + 5_000]);
  });

  it('is listed without its value', async () => {
    const [value] = (await open()).all();
    await rotate(60_000);
    const facts = await listSecrets(rows.database, 'uris', clock);
    expect(facts.map(({ verifiesUntil }) => verifiesUntil)).toEqual([null, new Date(now + 60_000)]);
    expect(JSON.stringify(facts)).not.toContain(value);
  });

  it('is read again at most once per second, however often a refresh is requested', async () => {
    const secrets = await open();
    await rotate(60_000);
    await Promise.all(Array.from({ length: 50 }, () => secrets.refresh()));
    expect(secrets.all()).toHaveLength(1);
    expect(await look(secrets)).toHaveLength(2);
  });

  it('stays in use while the rows cannot be read', async () => {
    const secrets = await open();
    const [value] = secrets.all();
    await rows.database.schema.alterTable('secrets').renameTo('elsewhere').execute();
    expect(await look(secrets)).toEqual([value]);
    expect(errors).toHaveLength(1);
    await rows.database.schema.alterTable('elsewhere').renameTo('secrets').execute();
  });

  it('is not lost in concurrent rotations, each of which creates a secret', async () => {
    await open();
    await Promise.all([rotate(60_000), rotate(60_000)]);
    const all = (await open()).all();
    expect(new Set(all).size).toBe(3);
  });
});
