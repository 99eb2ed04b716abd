/** What the API document says of the interfaces of other services beside their schemas. */
import type { OperationNotes } from '../operation-notes.ts';

const common = {
  404: 'There is nothing at this path.',
  405: 'The path accepts another method.',
  408: 'The upload took too long to arrive.',
  415: 'The body is compressed.',
  417: 'The Expect header is not supported.',
  429: 'Too many calls; `Retry-After` says for how long to wait.',
  431: 'The headers are too large.',
  500: 'Something went wrong here.',
  503: 'Too much work is waiting, or the service is starting or stopping.',
  504: 'The cutout was not done in time.',
  507: 'The storage is full.',
} as const;
const keyed = { 403: 'There is no key, it is not valid, or it may not do this.', ...common } as const;
/** FastAPI has no word for keys: these keep our statuses. */
const rembgFailures = {
  400: 'The photo cannot be read, is too large, or its URL is not fetched.',
  401: 'There is no key, or it is not valid.',
  402: 'The key has too few credits left.',
  403: 'The key may not do this.',
  422: 'Fields do not fit; the list names them.',
  ...common,
} as const;

const removebgFailure = {
  errors: [{ title: 'File too large', code: 'file_too_large', detail: 'File exceeds limit of 25MB' }],
} as const;
const segmentFailure = {
  detail: 'Please provide an image.',
  status_code: 400,
  type: 'missing_image',
} as const;
const rembgFailure = {
  detail: [{ type: 'missing', loc: ['body', 'file'], msg: 'Field required', input: null }],
} as const;

const corsHeader = { 'Access-Control-Allow-Origin': '`*`' } as const;
const timing = { 'Server-Timing': 'Milliseconds of each step that this call waited for.' } as const;
const photo = 'data:image/jpeg;base64,/9j/4AAQSkZJRg==';

export const dialectOperationNotes: Readonly<Record<string, OperationNotes>> = {
  removebg: {
    answers: 'The picture.',
    errors: [],
    failure: removebgFailure,
    failures: {
      400: '`errors[0].code` says which field, source or picture does not fit.',
      402: 'Insufficient credits.',
      ...keyed,
    },
    headers: {
      ...corsHeader,
      ...timing,
      'X-Width': 'Of the picture, in pixels.',
      'X-Height': 'Of the picture, in pixels.',
      'X-Max-Width': 'What `size=full` would give.',
      'X-Max-Height': 'What `size=full` would give.',
      'X-Type': 'What the photo was taken for; left out with `type_level=none`.',
      'X-Credits-Charged': '0.25 for `preview`, else 1; 0 for a key without a limit.',
      'X-Foreground-Top': 'Of the subject in the picture, in pixels.',
      'X-Foreground-Left': 'Of the subject in the picture, in pixels.',
      'X-Foreground-Width': 'Of the subject, in pixels.',
      'X-Foreground-Height': 'Of the subject, in pixels.',
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
    answers: 'The credits.',
    errors: [],
    failure: removebgFailure,
    failures: keyed,
    headers: corsHeader,
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
    answers: 'Dropped.',
    errors: [],
    failure: removebgFailure,
    failures: { 400: 'There is no picture, or more than one.', ...keyed },
    headers: corsHeader,
    request: { image_file_b64: photo, tag: 'mugs' },
    response: { id: '5b3d2a64-0f6e-4c39-9a51-0c6d1e7f2b80' },
  },
  segment: {
    answers: 'The picture.',
    errors: [],
    failure: segmentFailure,
    failures: {
      400: '`type` says which field or picture does not fit.',
      402: 'Too few credits left.',
      ...keyed,
    },
    headers: {
      ...corsHeader,
      ...timing,
      'X-Uncertainty-Score': '0 where the cutout is sure, 1 where it is a guess.',
    },
    request: { image_file_b64: photo, format: 'png', size: 'full' },
    response: { base64img: 'iVBORw0KGgo=' },
  },
  segmentAccount: {
    answers: 'The credits.',
    errors: [],
    failure: segmentFailure,
    failures: keyed,
    headers: corsHeader,
    response: { credits: { available: 481.25, subscription: 481.25 } },
  },
  rembg: {
    answers: 'A PNG of the size of the photo.',
    errors: [],
    failure: rembgFailure,
    failures: rembgFailures,
    headers: { ...corsHeader, ...timing, 'X-Packshot-Engine': 'The removal engine that made the cutout.' },
  },
  rembgFromUrl: {
    answers: 'A PNG of the size of the photo.',
    errors: [],
    failure: rembgFailure,
    failures: rembgFailures,
    headers: { ...corsHeader, ...timing, 'X-Packshot-Engine': 'The removal engine that made the cutout.' },
  },
  rembgPage: {
    answers: 'A page for people.',
    errors: [],
    failure: rembgFailure,
    failures: rembgFailures,
    headers: corsHeader,
  },
};
