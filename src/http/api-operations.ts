/**
 * What the API document says about each operation beyond its schemas: possible errors, request and response headers,
 * and an example. `documentOperations` adds these notes; the acceptance tests check every response against the
 * document.
 */
import type { ErrorCode } from 'packshot-errors';
import {
  batch,
  check,
  id,
  look,
  plainLook,
  previewUri,
  project,
  ready,
  scene,
  uploaded,
  uri,
  white,
} from './api-examples.ts';
import { dialectOperationNotes } from './dialects/operation-notes.ts';
import type { OperationNotes } from './operation-notes.ts';

const everywhere = ['internal', 'headers_too_large', 'expectation_failed'] as const;
const keyed = [
  ...['missing_api_key', 'invalid_api_key', 'expired_api_key', 'rate_limited', 'invalid_field'],
  ...['not_ready', 'storage_unavailable'],
  ...everywhere,
] as ErrorCode[];
const scoped = [...keyed, 'scope_denied'] as const;
const jsonBody = [
  ...['malformed_json', 'missing_field', 'unknown_field', 'body_too_large', 'upload_timeout'],
  'unsupported_encoding',
] as ErrorCode[];
const photoBytes = [
  ...['image_too_large', 'image_too_small', 'unsupported_image_format', 'image_undecodable'],
  ...['file_too_large', 'queue_full', 'deadline_exceeded', 'storage_full'],
] as ErrorCode[];
const form = ['missing_file', 'upload_timeout', 'unsupported_encoding', ...photoBytes] as const;
const fetched = ['source_fetch_failed', 'source_url_blocked', ...photoBytes] as const;
const once = ['idempotency_conflict', 'idempotency_mismatch'] as const;
const joins = [
  ...['design_not_found', 'no_subject_found', 'image_undecodable', 'queue_full', 'deadline_exceeded'],
] as ErrorCode[];
const render = [
  ...scoped,
  ...jsonBody,
  ...joins,
  ...(['unknown_recipe', 'unknown_variant', 'invalid_mutation', 'mutation_uri_rejected'] as const),
  'illustration_dropped',
  'scene_outdated',
  ...fetched,
  'insufficient_credits',
] as const;

const contentLocation = {
  'Content-Location':
    'Signed URL of the picture, which needs no key. Absent if no URL can name it: with `metadata`, `dpi` or an illustration from another host.',
};
const renders = {
  answers: 'The picture.',
  errors: render,
  picture: true,
  charged: true,
  headers: contentLocation,
} as const;
const preview = { ...renders, request: { ...white, mutations: { layout: { margin: 0.06 } } } } as const;
const full = { ...renders, request: white } as const;
const cutout = { answers: 'The picture.', errors: [...scoped, ...joins], picture: true } as const;

const picturePath = `/p/key_0123456789ABCDEFGHIJKL.${'A'.repeat(43)}/${id}/Solid1_1_0035/ar_1x1-w_800.jpg`;

/** Notes by `operationId`. */
export const operationNotes: Readonly<Record<string, OperationNotes>> = {
  ...dialectOperationNotes,
  uploadImage: {
    answers: 'The design. Its cutout is being made.',
    errors: [...scoped, ...form, ...once],
    once: true,
    request: { productKind: 'mug', project: 'Autumn' },
    response: uploaded,
  },
  uploadImageFromUrl: {
    answers: 'The design. Its cutout is being made.',
    errors: [...scoped, ...jsonBody, ...fetched, ...once],
    once: true,
    request: { url: 'https://shop.example/photos/mug.jpg', productKind: 'Home & Garden' },
    response: uploaded,
  },
  getDesign: {
    answers: 'The design.',
    errors: [...keyed, 'design_not_found', 'queue_full', 'deadline_exceeded'],
    response: ready,
  },
  deleteDesign: { answers: 'Erased.', errors: [...scoped, ...once, 'design_not_found'], once: true },
  listDesigns: { answers: 'A page of designs.', errors: scoped, response: { designs: [ready], next: null } },
  listProjects: { answers: 'The projects.', errors: scoped, response: { projects: [project] } },
  renameProject: {
    answers: 'The renamed project.',
    errors: [...scoped, ...jsonBody, ...once, 'project_not_found', 'storage_full'],
    once: true,
    request: { name: project.name },
    response: project,
  },
  deleteProject: {
    answers: 'Erased.',
    errors: [...scoped, ...once, 'project_not_found'],
    once: true,
    response: { deleted: project.designs },
  },
  getDesignEvents: { answers: 'The events, in real time.', errors: [...keyed, 'design_not_found'] },
  suggestRecipes: {
    answers: 'The suggestions.',
    errors: [
      ...[...scoped, ...jsonBody, ...joins, ...once],
      ...(['unknown_preset', 'preset_not_allowed', 'unknown_variant', 'storage_full'] as const),
    ],
    once: true,
    request: {
      id,
      recipePreset: 'AI_STUDIO',
      prompt: 'white marble podium, palm shadow',
      filters: { aspectRatio: '4:5' },
    },
    response: { suggestedRecipeLists: [{ id: 'words', title: 'From your words', recipes: [scene] }] },
  },
  correctCutout: {
    answers: 'The design with its corrected cutout.',
    errors: [
      ...[...scoped, ...jsonBody, ...joins, ...form, ...once],
      ...(['invalid_correction', 'revision_conflict'] as const),
    ],
    once: true,
    request: {
      strokes: [
        {
          mode: 'keep',
          radius: 14,
          points: [
            [1150, 600],
            [1215, 450],
            [1190, 690],
          ],
        },
      ],
    },
    response: {
      ...ready,
      cutout: {
        revision: 2,
        undo: 1,
        revisions: [
          ...ready.cutout.revisions,
          { revision: 2, kind: 'corrected', createdAt: '2026-11-22T09:34:00.000Z' },
        ],
      },
    },
  },
  getPhotoJpeg: { ...cutout, errors: [...scoped, 'design_not_found', 'deadline_exceeded'] },
  getCutoutPng: cutout,
  getCutoutWebp: cutout,
  getMattePng: cutout,
  renderPreviewWebp: { ...preview, request: { id, ...scene } },
  renderPreviewPng: preview,
  renderPreviewJpeg: preview,
  renderPreviewAvif: preview,
  renderFullJpeg: full,
  renderFullPng: { ...full, request: { id, recipeId: 'Transp001', variant: '1:1' } },
  renderFullWebp: full,
  renderFullAvif: full,
  checkRender: { answers: 'The check.', errors: render, charged: true, response: check },
  checkPicture: {
    answers: 'The check.',
    errors: [...scoped, ...form],
    request: { marketplace: 'amazon,google' },
    response: { ...check, checks: [{ ...check.checks[0]!, fix: { ...check.checks[0]!.fix, id: null } }] },
  },
  listRecipes: {
    answers: 'The catalog.',
    errors: keyed,
    response: {
      recipes: [
        {
          id: 'Solid1_1_0035',
          title: 'White',
          family: 'solid',
          variants: ['1:1'],
          canvas: { '1:1': { preview: { width: 640, height: 640 }, full: { width: 2000, height: 2000 } } },
          margin: 0.09,
          align: 'center',
          revision: 1,
        },
      ],
    },
  },
  getIllustration: {
    answers: 'The scene without the product.',
    errors: [
      ...everywhere,
      ...(['unknown_path', 'rate_limited', 'queue_full', 'deadline_exceeded', 'not_ready'] as const),
      ...(['storage_unavailable', 'invalid_field'] as const),
    ],
    picture: true,
  },
  getPicture: {
    answers: 'The picture.',
    errors: [
      ...[...everywhere, ...joins, ...fetched],
      ...(['invalid_signature', 'invalid_field', 'unknown_path', 'illustration_not_found'] as const),
      ...(['unknown_recipe', 'unknown_variant', 'invalid_mutation', 'insufficient_credits'] as const),
      ...(['not_ready', 'storage_unavailable'] as const),
    ],
    picture: true,
    headers: {
      'Cache-Control': '`public`, for at most an hour.',
      'Content-Range': 'With 206.',
      Vary: '`Accept`, if the suffix is `auto`.',
    },
  },
  signPictureUrl: {
    answers: 'The URL.',
    errors: [...scoped, ...jsonBody, 'unknown_variant', 'invalid_mutation'],
    request: { ...white, width: 800 },
    response: { url: `https://packshot.example.com${picturePath}`, path: picturePath },
  },
  getPictureSigningKey: {
    answers: 'The signing key.',
    errors: scoped,
    response: {
      keyId: 'key_0123456789ABCDEFGHIJKL',
      signingKey: '4f'.repeat(32),
      base: 'https://packshot.example.com',
    },
  },
  uploadIllustration: {
    answers: 'The image, for use in `mutations`.',
    errors: [...scoped, ...form, ...once],
    once: true,
    response: { uri, previewUri, source: 'UPLOAD' },
  },
  deleteIllustration: {
    answers: 'Erased.',
    errors: [...scoped, ...once, 'illustration_not_found'],
    once: true,
  },
  keepLook: {
    answers: 'The look is saved.',
    errors: [
      ...[...scoped, ...jsonBody, ...once],
      ...(['unknown_recipe', 'unknown_variant', 'invalid_mutation', 'mutation_uri_rejected'] as const),
      ...(['too_many_looks', 'storage_full'] as const),
    ],
    once: true,
    request: { from: { uri }, title: 'Sage podium' },
    response: look,
  },
  listLooks: { answers: 'The looks.', errors: scoped, response: { looks: [look] } },
  getLook: {
    answers: 'The look.',
    errors: [...scoped, 'unknown_look'],
    response: {
      ...plainLook,
      from: { recipeId: 'Solid1_1_0035', variant: '1:1', mutations: { layout: { margin: 0.1 } } },
    },
  },
  deleteLook: { answers: 'Deleted.', errors: [...scoped, ...once, 'unknown_look'], once: true },
  createBatch: {
    answers: 'The batch is stored and will be processed.',
    errors: [
      ...[...scoped, ...jsonBody, ...once],
      ...(['unknown_recipe', 'unknown_variant', 'invalid_mutation'] as const),
      ...form,
    ],
    once: true,
    headers: { Location: 'Path of the batch.' },
    request: {
      items: [
        { id, recipeId: 'Solid1_1_0035', variant: '1:1', name: 'mug' },
        { url: 'https://shop.example/photos/lamp.jpg', recipeId: 'Solid4_5_0035', variant: '4:5' },
      ],
    },
    response: batch,
  },
  getBatch: {
    answers: 'The batch and a page of its items.',
    errors: [...scoped, 'batch_not_found'],
    response: {
      ...batch,
      status: 'running',
      counts: { ...batch.counts, waiting: 1, done: 1 },
      items: [
        { item: 0, status: 'done', file: 'mug.jpeg', designId: id, bytes: 184_220 },
        { item: 1, status: 'waiting', file: '0002.jpeg', designId: null },
      ],
      next: null,
    },
  },
  deleteBatch: {
    answers: 'Cancelled or deleted.',
    errors: [...scoped, ...once, 'batch_not_found'],
    once: true,
  },
  getBatchResults: {
    answers: 'The ZIP.',
    errors: [...scoped, 'batch_not_found', 'batch_not_completed'],
    headers: { 'Content-Disposition': 'A file name for the ZIP.' },
  },
  getLimits: { answers: 'The limits.', errors: keyed },
  getCredits: {
    answers: 'The remaining credits of the key.',
    errors: keyed,
    response: { remaining: 481.25, used: 18.75, perPreview: 0.25, perFull: 1, sandbox: false },
  },
  getHealth: {
    answers: 'The process responds.',
    // `invalid_field` is the response to a malformed HTTP request.
    errors: ['invalid_field', ...everywhere],
    response: { status: 'ok' },
  },
  getReadiness: {
    answers: 'Uploads and renders can be served.',
    errors: ['not_ready', 'invalid_field', ...everywhere],
    response: { status: 'ok' },
  },
};
