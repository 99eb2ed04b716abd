/**
 * The message for each failure: what happened, what to do, and whether another key, another photo or another attempt
 * would help.
 */
import { type ErrorCode, PackshotError } from '../../../clients/typescript/src/packshot-client.ts';
import { t, translate } from './words.ts';

export interface Failure {
  readonly title: string;
  readonly help: string;
  readonly remedy: 'retry' | 'key' | 'photo' | 'none';
  readonly code: string;
  readonly requestId: string | undefined;
}

type Remedy = Failure['remedy'];
type Words = readonly [title: string, help: string];
type Group = Readonly<Partial<Record<ErrorCode, Words>>>;

/** If the help is empty, the service's own message is shown, because it names the field or the limit. */
const wordsByRemedy: Readonly<Record<Remedy, Group>> = {
  retry: {
    upload_timeout: [
      'The upload took too long',
      'The connection is slow. Try again, or use a smaller photo.',
    ],
    rate_limited: ['Too many requests', 'Wait a moment, then continue.'],
    queue_full: ['The service is very busy', 'Too much work is waiting already. Try again in a moment.'],
    not_ready: ['The service is starting or stopping', 'Wait a few seconds, then try again.'],
    storage_unavailable: [
      'The service cannot reach its storage',
      'Its operator has to fix this. Your photo is not lost.',
    ],
    storage_full: [
      'The service has no space left',
      'Its operator has to free some space. Deleting old designs helps.',
    ],
    deadline_exceeded: [
      'This took longer than allowed',
      'The work continues in the background. Try again: it may be done by then.',
    ],
    internal: [
      'Something went wrong in the service',
      'The failure was logged. If it happens again, send the request number to the operator.',
    ],
    network_error: [
      'The service cannot be reached',
      'Check that it is running and that you are online, then try again.',
    ],
    unexpected_answer: [
      'The answer did not come from Packshot',
      'A proxy responded instead. Try again shortly.',
    ],
  },
  key: {
    missing_api_key: ['A key is needed', 'Enter the API key of this service to continue.'],
    invalid_api_key: [
      'This key is not valid here',
      'Check that you copied all of it. The operator of the service can make a new one with “packshot keys create”.',
    ],
    expired_api_key: ['This key has expired', 'Ask the operator of the service for a new one.'],
    scope_denied: [
      'This key may not do that',
      'The key lacks a permission for this step. Another key may have this permission.',
    ],
  },
  photo: {
    design_not_found: [
      'This design is gone',
      'It has expired or was deleted. Upload the photo again to continue.',
    ],
    file_too_large: ['The file is too large', ''],
    image_too_large: ['The photo has too many pixels', ''],
    unsupported_image_format: [
      'This kind of file cannot be read',
      'Use JPEG, PNG, WebP, AVIF, TIFF, GIF or HEIC. Where HEIC is switched off, share the photo as JPEG.',
    ],
    image_undecodable: ['The photo is damaged', 'It cannot be read completely. Export or save it again.'],
    image_too_small: ['The photo is too small', ''],
    no_subject_found: [
      'No product was found in this photo',
      'Photos work best with a single product, whole and in focus, on a background of another color.',
    ],
    source_fetch_failed: ['The photo could not be fetched', ''],
    source_url_blocked: [
      'This address is not allowed',
      'Only public addresses are allowed. Save the photo and drop it here.',
    ],
  },
  none: {
    preset_not_allowed: [
      'Your key may not use this preset',
      'The operator of the service grants presets to keys. AI_STUDIO is open to every key.',
    ],
    insufficient_credits: ['Your credits are used up', 'Ask the operator of the service for more.'],
    illustration_not_found: ['This backdrop is gone', 'It has expired or was deleted. Upload it again.'],
    project_not_found: [
      'This project is gone',
      'It was deleted or renamed elsewhere, or its photos have expired.',
    ],
    unknown_recipe: [
      'The service does not have this backdrop',
      'Reload the page; the service may have changed.',
    ],
    unknown_variant: ['The backdrop is not available in this aspect ratio', ''],
    unknown_preset: ['There is no such preset', 'Check its spelling, or use AI_STUDIO.'],
    mutation_uri_rejected: [
      'This scene is no longer valid',
      'Scenes belong to their design and expire. Ask for new suggestions.',
    ],
  },
};

const remedies = Object.keys(wordsByRemedy) as readonly Remedy[];

export function describeFailure(error: unknown): Failure {
  if (!(error instanceof PackshotError)) {
    const help = t('Reload the page and try again.');
    return {
      title: t('Something went wrong on this page'),
      help,
      remedy: 'retry',
      code: 'page',
      requestId: undefined,
    };
  }
  const { code, requestId } = error;
  const fields = error.errors.map(({ detail }) => detail).join(' ');
  const own = fields || error.message;
  const remedy = remedies.find((each) => wordsByRemedy[each][code]) ?? 'none';
  const [title, help] = wordsByRemedy[remedy][code] ?? [error.title, own];
  return { title: translate(title), help: translate(help || own), remedy, code, requestId };
}
