import { describe, expect, it } from 'vitest';
import { formatTable, showBytes, showNumberOf } from './format-table.ts';

describe('a table', () => {
  it('has a header, aligned columns and right-aligned numbers, but no quotes or frames', () => {
    const rows = [
      { name: 'shop', calls: 7, state: 'active' },
      { name: 'a longer name', calls: 1200, state: 'revoked' },
    ];
    expect(formatTable(rows)).toBe(
      ['NAME           CALLS  STATE', 'shop               7  active', 'a longer name   1200  revoked'].join(
        '\n',
      ),
    );
  });

  it('omits columns that are empty in every row', () => {
    expect(formatTable([{ id: 'key_1', presets: '', expires: 'never' }])).toBe(
      'ID     EXPIRES\nkey_1  never',
    );
  });

  it('wraps words so that it is at most 120 columns wide, and never splits ids', () => {
    const id = `key_${'x'.repeat(22)}`;
    const rows = [
      {
        id,
        account: id,
        scopes: 'upload suggest render admin',
        error: 'The photo could not be read. '.repeat(5),
      },
    ];
    const lines = formatTable(rows).split('\n');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(120);
    expect(lines[1]).toMatch(new RegExp(`^${id} {2}${id} {2}upload`));
    expect(lines.join(' ').match(/photo/g)).toHaveLength(5);
  });

  it('truncates long text without spaces', () => {
    const rows = [{ id: 'whe_1', url: `https://shop.example/${'x'.repeat(300)}`, state: 'active' }];
    const [, line] = formatTable(rows).split('\n');
    expect(line!.length).toBeLessThanOrEqual(120);
    expect(line).toMatch(/^whe_1 {2}https:\/\/shop\.example\/x+… {2}active$/);
  });
});

it('numbers are formatted for people', () => {
  expect([0, 999, 1_000, 25_400_000, 7.2e15].map(showBytes)).toEqual([
    '0 bytes',
    '999 bytes',
    '1.0 kB',
    '25.4 MB',
    '7200.0 TB',
  ]);
  expect([showNumberOf(1, 'row'), showNumberOf(1_204, 'row')]).toEqual(['1 row', '1,204 rows']);
});
