/** Values that several examples in the API document share: a design and its project, a scene, a batch, looks, and a check. */

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
  project: null,
  fileName: 'headphones.jpg',
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
    kind: { name: 'product', probability: 0.94 },
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
export const project = {
  name: 'Autumn shoes',
  designs: 54,
  firstAt: '2026-11-22T09:30:00.000Z',
  lastAt: '2026-11-22T09:34:00.000Z',
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
export const check = {
  passes: false,
  measures: {
    ...{ format: 'jpeg', bytes: 184_220, widthPx: 2000, heightPx: 2000, colorModel: 'rgb', profile: 'none' },
    ...{ bitsPerChannel: 8, hasAlpha: false, frames: 1, provenance: 'none', cornerDarkest: 255 },
    ...{ ringWhiteShare: 1, nearWhiteShare: 0, transparentShare: 0, framed: 0 },
    productBox: { x: 180, y: 340, width: 1640, height: 1320 },
    ...{ fillShare: 0.82, areaShare: 0.43, offCenterShare: 0, blur: 0.42, cutEdges: 0, fragments: 0 },
  },
  checks: [
    {
      marketplace: 'amazon',
      verdict: 'fails',
      summary: 'Amazon, main image: fails our checks (fill).',
      rules: [
        {
          id: 'fill',
          title: 'The product fills the picture',
          level: 'required',
          outcome: 'fails',
          measured: 0.82,
          expected: 'at least 85 %',
          source: {
            url: 'https://help.e-tailize.com',
            page: "copy of Amazon's image requirements",
            checkedOn: '2026-11-22',
            kind: 'secondary',
          },
        },
      ],
      notChecked: ['text, logos, watermarks and seals on the picture'],
      fix: {
        recipeId: 'Listing_amazon_main',
        variant: '1:1',
        path: '/v1/design/generated.jpeg',
        sizePx: 2000,
        margin: 0.06,
        id,
        remains: [],
      },
    },
  ],
} as const;
