/** Values that several examples in the API document share: a design, a scene for that design, a batch, and looks. */

export const id = 'dsg_5rV2kq0ZcT8mXw1LhYb3Na';
const batchId = 'bat_1qTzV7c0LmW4xYb8Kd2RfP';
export const uri =
  'https://packshot.example/v1/illustrations/ill_0123456789abcdef0123456789abcdef.webp?e=1796083200&s=7u3E1pVw0bq2cXn8sYkZ4tRj6mHf5dLa9gQoWiUePxs';
export const previewUri = uri.replace('.webp', '-preview.webp');
export const scene = {
  recipeId: 'Studio001',
  variant: '4:5',
  title: 'White marble podium, palm shadow',
  mutations: { images: { primaryIllustration: { uri, previewUri, source: 'WEB' } } },
};
const photo = {
  format: 'jpeg',
  width: 3024,
  height: 4032,
  bytes: 2_411_724,
  sha256: '5f0d1e7c3b9a48f26de1c07ab4593d8812fe7706c4a9b35d20e8f1c6b7a4d93e',
  colorSpace: 'srgb',
  hasAlpha: false,
};
export const uploaded = {
  id,
  status: 'processing',
  createdAt: '2026-11-22T09:30:00.000Z',
  expiresAt: '2026-11-29T09:30:00.000Z',
  image: photo,
  subject: null,
  productKind: null,
  improving: false,
  cutout: null,
};
export const ready = {
  ...uploaded,
  status: 'ready',
  subject: {
    boundingBox: { x: 812, y: 1040, width: 1380, height: 1874 },
    coverage: 0.19,
    touchesEdges: [],
    confidence: 0.97,
    issues: [],
    doubtful: [
      {
        reason: 'separate_part',
        box: { x: 300, y: 2210, width: 140, height: 96 },
        outline: [
          [300, 2210],
          [440, 2230],
          [410, 2306],
        ],
        part: { mode: 'erase', x: 374, y: 2244 },
      },
    ],
  },
  productKind: {
    kind: 'Home & Garden',
    staging: 'upright-squat',
    confidence: 0.8,
    because: 'the file is named after it',
  },
  cutout: {
    revision: 1,
    undo: null,
    revisions: [{ revision: 1, kind: 'automatic', createdAt: '2026-11-22T09:30:00.000Z' }],
  },
};
export const white = { id, recipeId: 'Solid1_1_0035', variant: '1:1' };
export const batch = {
  id: batchId,
  status: 'queued',
  createdAt: '2026-11-22T09:31:00.000Z',
  endedAt: null,
  expiresAt: '2026-11-29T09:31:00.000Z',
  counts: { total: 2, waiting: 2, done: 0, failed: 0, cancelled: 0 },
};
export const look = {
  id: 'Look_6c1f0a94e27b3d58a9c4e17f',
  title: 'Sage podium',
  kind: 'scene',
  variants: ['4:5', '1:1', '9:16', '16:9', '5:4', '4:3', '3:4', '3:2', '2:3'],
  createdAt: '2026-11-22T09:32:00.000Z',
  previewUri: previewUri.replace(/ill_[0-9a-f]+/, 'Look_6c1f0a94e27b3d58a9c4e17f'),
};
export const plainLook = {
  ...look,
  title: 'White, wide margin',
  kind: 'plain',
  variants: ['1:1', '4:5', '9:16', '16:9', '5:4', '4:3', '3:4', '3:2', '2:3'],
};
