import { describeBlobStore } from '../blob-store.contract.ts';
import { openMemoryBlobStore } from './memory-blobs.ts';

describeBlobStore('memory', async () => ({ blobs: openMemoryBlobStore(), close: async () => undefined }));
