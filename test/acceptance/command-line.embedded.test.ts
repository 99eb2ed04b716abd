import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packshot, packshotProcess } from './command.ts';

const said = async (...words: string[]) => (await packshot(words)).stdout.toString();

describe('packshot recipes', () => {
  it('prints an overview of the families, and how to list one', async () => {
    const overview = await said('recipes');
    expect(overview).toMatch(/^FAMILY +RECIPES .*\nsolid +540 [\s\S]*\nsurface +6 /);
    expect(overview).toContain('packshot recipes --family solid');
    expect(overview.split('\n').length).toBeLessThan(20);
  });

  it('lists the recipes of a family or of one of its ratios, and all recipes as JSON', async () => {
    expect((await said('recipes', '--family', 'gradient')).trim().split('\n')).toHaveLength(9);
    expect(await said('recipes', '--family', 'solid', '--ratio', '4:5')).toMatch(
      /^ID +TITLE +RATIOS\nSolid4_5_0001 +Black +4:5\n/,
    );
    expect(JSON.parse(await said('recipes', '--json'))).toHaveLength(564);
  });

  it('reports the known families if the requested one is unknown', async () => {
    expect(await packshotProcess(['recipes', '--family', 'wood'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('solid, listing, transparent, gradient, surface'),
    });
  });
});

describe('packshot serve', () => {
  it('reports an occupied port and how to choose another', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'packshot-port-'));
    const other = createServer().listen(0, '127.0.0.1');
    try {
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      expect(
        await packshotProcess(['serve'], { env: { DATA_DIR: folder, PORT: String(port) } }),
      ).toMatchObject({
        code: 1,
        stderr: `Port ${port} is used by another program. Stop it, or choose another port: PORT=8090 npm start\n`,
      });
    } finally {
      other.close();
      await rm(folder, { recursive: true, force: true });
    }
  }, 60_000);
});
