import { describe, expect, it } from 'vitest';
import { openMemoryBlobStore } from '../storage/testing/memory-blobs.ts';
import { keepFiles } from './keep-files.ts';
import { nameOf } from './make-picture.ts';
import type { PictureOrder } from './order.ts';

const behind = Buffer.from('a background');
const order: PictureOrder = {
  size: 'full',
  format: 'png',
  channels: 'rgba',
  background: { picture: { bytes: behind, fileName: 'sky.jpg' } },
  masks: { keep: Buffer.from('a mask'), remove: undefined },
};

describe('the files of a call', () => {
  it('are in the blob store while its cutout is made, and the order holds no bytes', async () => {
    const blobs = openMemoryBlobStore(Date.now);
    const kept = await keepFiles(blobs, 'dsg_a', order, behind);
    expect(JSON.stringify(kept)).not.toContain('"data"');
    expect(String(await blobs.get('designs/dsg_a/call/background'))).toBe('a background');
    expect(String(await blobs.get('designs/dsg_a/call/keep-mask'))).toBe('a mask');
    expect(kept).toMatchObject({
      background: { picture: { key: 'designs/dsg_a/call/background' } },
      masks: { keep: { key: 'designs/dsg_a/call/keep-mask' }, remove: undefined },
    });
  });

  it('name the same picture as before, so that a repeated call is not charged again', async () => {
    const kept = await keepFiles(openMemoryBlobStore(Date.now), 'dsg_a', order, behind);
    expect(nameOf('photo', kept)).toBe(nameOf('photo', order));
    expect(nameOf('photo', { ...order, masks: undefined })).not.toBe(nameOf('photo', order));
  });
});
