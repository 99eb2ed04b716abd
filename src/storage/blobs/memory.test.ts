import { describeBlobStore } from '../blob-store.contract.ts';
import { openMemoryBlobStore } from './memory.ts';

describeBlobStore('memory', async () => ({ blobs: openMemoryBlobStore(), close: async () => undefined }));
