import { describe, expect, it } from 'vitest';
import { namePictures, type Photo } from './find-photos.ts';

const photo = (name: string, path = name): Photo => ({
  kind: 'file',
  name,
  path,
  version: { bytes: 1, changedMs: 1 },
  identity: name,
});
const namesOf = (...photos: Photo[]) => {
  const named = namePictures(photos);
  return photos.map((one) => named.get(one));
};

describe('names of pictures', () => {
  it('are the photos’ names without extension, in the same folders', () => {
    expect(namesOf(photo('in/mug.jpg', 'mug.jpg'), photo('in/red/mug.jpg', 'red/mug.jpg'))).toEqual([
      'mug',
      'red/mug',
    ]);
  });

  it('differ for photos of the same name, even on case-insensitive disks', () => {
    expect(namesOf(photo('mug.jpg'), photo('MUG.png'), photo('cup.png'))).toEqual([
      'mug.jpg',
      'MUG.png',
      'cup',
    ]);
  });

  it('include the host and query of a photo’s URL if nothing else distinguishes the photo', () => {
    const urls = [
      photo('https://a.example/x.jpg?v=1', 'x.jpg'),
      photo('https://b.example/x.jpg?v=1', 'x.jpg'),
    ];
    expect(namesOf(...urls)).toEqual(['a.example-x.jpg-v-1', 'b.example-x.jpg-v-1']);
  });

  it('stay unique if the full name of one photo is the name of another without its extension', () => {
    expect(
      namesOf(photo('a/mug.jpg', 'mug.jpg'), photo('a/mug.png', 'mug.png'), photo('mug.jpg.gif')),
    ).toEqual(['a-mug.jpg', 'mug.png', 'mug.jpg']);
  });
});
