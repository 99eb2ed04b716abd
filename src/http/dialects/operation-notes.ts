/** What the API document says about the drop-in interfaces beyond their schemas. */
import type { OperationNotes } from '../operation-notes.ts';

const common = {
  404: 'Unknown path.',
  405: 'Method not allowed on this path.',
  408: 'The upload took too long to arrive.',
  415: 'The body is compressed.',
  417: 'The Expect header is not supported.',
  429: 'Too many calls; `Retry-After` says how long to wait.',
  431: 'The headers are too large.',
  500: 'Internal error.',
  503: 'Too much work is waiting, or the service is starting or stopping.',
  504: 'The cutout was not finished in time.',
  507: 'The storage is full.',
} as const;
const keyed = { 403: 'The key is missing, invalid, or lacks the scope.', ...common } as const;
/** rembg's server, made with FastAPI, defines no errors for API keys, so ours keep their own statuses. */
const rembgFailures = {
  400: 'The photo cannot be read or is too large, or its URL is not allowed.',
  401: 'The key is missing or invalid.',
  402: 'The key has too few credits left.',
  403: 'The key lacks the scope.',
  422: 'Invalid fields; the list names them.',
  ...common,
} as const;

const corsHeader = { 'Access-Control-Allow-Origin': '`*`' } as const;
const removebg = {
  failure: {
    errors: [{ title: 'File too large', code: 'file_too_large', detail: 'File exceeds limit of 25MB' }],
  },
  failures: keyed,
  headers: { ...corsHeader, 'X-RateLimit-Reset': 'Unix time at which all calls are available again.' },
} as const;
const segment = {
  failure: { detail: 'Please provide an image.', status_code: 400, type: 'missing_image' },
  failures: keyed,
  headers: corsHeader,
} as const;
const noImage = 'Please provide an image.';
const image = {
  ...segment,
  failure: { error: { message: noImage, detail: noImage }, ...segment.failure },
} as const;
const rembg = {
  failure: { detail: [{ type: 'missing', loc: ['body', 'file'], msg: 'Field required', input: null }] },
  failures: rembgFailures,
  headers: corsHeader,
} as const;

const timing = { 'Server-Timing': 'Milliseconds of each step that this call waited for.' } as const;
const rembgRemove: OperationNotes = {
  ...rembg,
  answers: 'A PNG at the size of the photo.',
  headers: { ...corsHeader, ...timing, 'X-Packshot-Engine': 'The removal engine that made the cutout.' },
};
const edited: OperationNotes = {
  ...image,
  answers: 'The picture.',
  failures: {
    400: '`error.message` says which field or picture is invalid.',
    402: 'Insufficient credits.',
    ...keyed,
  },
  headers: {
    ...corsHeader,
    ...timing,
    'X-Uncertainty-Score': 'Uncertainty of the cutout, 0 (certain) to 1 (a guess).',
  },
};
const photo = 'data:image/jpeg;base64,/9j/4AAQSkZJRg==';

export const dialectOperationNotes: Readonly<Record<string, OperationNotes>> = {
  removebg: {
    ...removebg,
    answers: 'The picture.',
    failures: {
      400: '`errors[0].code` says which field, source or picture is invalid.',
      402: 'Insufficient credits.',
      ...keyed,
    },
    headers: {
      ...corsHeader,
      ...timing,
      'X-Width': 'Width of the picture, in pixels.',
      'X-Height': 'Height of the picture, in pixels.',
      'X-Max-Width': 'Width with `size=full`, in pixels.',
      'X-Max-Height': 'Height with `size=full`, in pixels.',
      'X-Type': 'Recognized class of the subject; omitted with `type_level=none`.',
      'X-Credits-Charged': '0.25 for `preview`, else 1; 0 for a key without a limit.',
      'X-Foreground-Top': 'Top edge of the subject in the picture, in pixels.',
      'X-Foreground-Left': 'Left edge of the subject in the picture, in pixels.',
      'X-Foreground-Width': 'Width of the subject, in pixels.',
      'X-Foreground-Height': 'Height of the subject, in pixels.',
    },
    request: {
      image_url: 'https://shop.example/photos/mug.jpg',
      size: 'auto',
      bg_color: 'ffffff',
      crop: true,
    },
    response: {
      data: {
        result_b64: 'iVBORw0KGgo=',
        foreground_top: 1040,
        foreground_left: 812,
        foreground_width: 1380,
        foreground_height: 1874,
      },
    },
  },
  removebgAccount: {
    ...removebg,
    answers: 'The credits.',
    response: {
      data: {
        attributes: {
          credits: { total: 481.25, subscription: 0, payg: 481.25, enterprise: 0 },
          api: { free_calls: 0, sizes: 'all' },
        },
      },
    },
  },
  removebgImprove: {
    ...removebg,
    answers: 'Accepted and discarded.',
    failures: { 400: 'No picture, or more than one.', ...keyed },
    request: { image_file_b64: photo, tag: 'mugs' },
    response: { id: '5b3d2a64-0f6e-4c39-9a51-0c6d1e7f2b80' },
  },
  segment: {
    ...segment,
    answers: 'The picture.',
    failures: {
      400: '`type` says which field or picture is invalid.',
      402: 'Insufficient credits.',
      ...keyed,
    },
    headers: {
      ...corsHeader,
      ...timing,
      'X-Uncertainty-Score': 'Uncertainty of the cutout, 0 (certain) to 1 (a guess).',
    },
    request: { image_file_b64: photo, format: 'png', size: 'full' },
    response: { base64img: 'iVBORw0KGgo=' },
  },
  segmentAccount: {
    ...image,
    answers: 'The credits.',
    response: { credits: { available: 481.25, subscription: 481.25 } },
  },
  edit: { ...edited, request: { 'background.color': 'ffffff', outputSize: '1000x1000', padding: '0.1' } },
  editFromUrl: edited,
  imageAccount: {
    ...image,
    answers: 'The credits.',
    response: { images: { available: 481.25, subscription: 481.25 }, plan: 'Packshot' },
  },
  withoutbg: { ...rembg, answers: 'A PNG at the size of the photo.', headers: { ...corsHeader, ...timing } },
  rembg: rembgRemove,
  rembgFromUrl: rembgRemove,
  rembgPage: { ...rembg, answers: 'An HTML page.' },
};
