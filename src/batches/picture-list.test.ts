import { expect, it } from 'vitest';
import { readPictureList } from './picture-list.ts';

it('each row names a photo, how its picture is made, and the name of the picture', () => {
  const list =
    'sku,photo,recipe,look,ratio,name\r\nA1,"red, front.jpg",Solid1_1_0035,,,\nA1,red.jpg,,Look_1,4:5,\nB2,https://x.example/b.jpg,,,,b-{n}-{sku}\n';
  expect(readPictureList(list)).toEqual([
    { photo: 'red, front.jpg', recipe: 'Solid1_1_0035', ratio: undefined, name: 'A1_1' },
    { photo: 'red.jpg', recipe: 'Look_1', ratio: '4:5', name: 'A1_2' },
    { photo: 'https://x.example/b.jpg', recipe: undefined, ratio: undefined, name: 'b-1-B2' },
  ]);
});

it('a list from a spreadsheet is read whatever separates its cells', () => {
  for (const separator of [';', '\t']) {
    const list = `\uFEFFPhoto${separator} SKU \na.jpg${separator}A\n${separator}\nb.jpg${separator}\n`;
    expect(readPictureList(list).map(({ photo, name }) => [photo, name])).toEqual([
      ['a.jpg', 'A_1'],
      ['b.jpg', undefined],
    ]);
  }
});

it('a list with a single column needs no separator', () => {
  expect(readPictureList('photo\na.jpg\nb.jpg')).toHaveLength(2);
});

it.each([
  ['sku,name\nA,b', 'no column "photo"'],
  ['photo,colour\na.jpg,red', 'the column "colour"'],
  ['photo,sku\n,A', 'Row 2 of the list has no photo'],
  ['photo,recipe,look\na.jpg,Solid1_1_0035,\na.jpg,Solid1_1_0035,Look_1', 'Row 3 of the list has both'],
  ['photo,sku\n', 'no rows'],
  ['', 'no column "photo"'],
])('the list %j is refused, and the reason is said', (list, reason) => {
  expect(() => readPictureList(list)).toThrow(reason);
});

it('a list with a long name of a column is refused in few words', () => {
  expect(() => readPictureList(`photo,${'x'.repeat(9_000)}\na.jpg,red`)).toThrow(/the column "x{50}"/);
});
