/** POST /v1/design/image-upload: a multipart form with one file field named `file`. */
import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { PackshotError } from '../errors.ts';
import { callerOf } from './api-key.ts';
import { designSchema, toDesignAnswer } from './design-answer.ts';
import { goneSignal } from './gone-signal.ts';
import { problemResponse } from './problem.ts';
import type { Rooms, Server } from './rooms.ts';

/** Part headers and small fields beside the file. */
const formOverheadBytes = 1024 * 1024;

export async function addImageUpload(server: Server, { creator, published }: Rooms): Promise<void> {
  await server.register(multipart, {
    throwFileSizeLimit: true,
    limits: {
      fileSize: published.image.maxBytes,
      parts: 10,
      fieldSize: 64 * 1024,
      headerPairs: 50,
    },
  });
  // Whatever else comes as a body is no form: it is left unread and the handler says so.
  server.removeContentTypeParser('*');
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));

  server.post(
    '/v1/design/image-upload',
    {
      config: { scope: 'upload', operation: 'image-upload' },
      bodyLimit: published.image.maxBytes + formOverheadBytes,
      schema: {
        operationId: 'uploadImage',
        summary: 'Upload a photo',
        description:
          'Answers as soon as the photo is checked and safely stored. Background removal starts at once; every later call joins it.',
        tags: ['Designs'],
        consumes: ['multipart/form-data'],
        response: { 200: designSchema, default: problemResponse },
      },
    },
    async (request, reply) => {
      const { accountId } = callerOf(request);
      refuseDeclaredExcess(request, published.image.maxBytes);
      const design = await creator.createDesign({
        accountId,
        readBytes: () => readFileField(request),
        signal: goneSignal(reply),
      });
      return toDesignAnswer(design);
    },
  );
}

/** A form may be somewhat longer than its file; one that says it is far longer need not be read. */
function refuseDeclaredExcess(request: FastifyRequest, maxBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) <= maxBytes + formOverheadBytes) return;
  throw new PackshotError('file_too_large', `The file is larger than ${maxBytes} bytes.`);
}

async function readFileField(request: FastifyRequest): Promise<Buffer> {
  if (!request.isMultipart())
    throw missingFile('Send multipart/form-data, as curl does with -F file=@photo.jpg.');
  const file = await findFileField(request).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (limitCodes.has(code)) throw error;
    throw new PackshotError('missing_file', 'The form is not valid multipart/form-data or broke off.', {
      cause: error,
    });
  });
  if (!file) throw missingFile('The form holds no file in a field named "file".');
  if (file.length === 0) throw missingFile('The file is empty.');
  return file;
}

/** What the parser refuses for its size; all else that it throws is about a broken form. */
const limitCodes = new Set([
  'FST_REQ_FILE_TOO_LARGE',
  'FST_PARTS_LIMIT',
  'FST_FILES_LIMIT',
  'FST_FIELDS_LIMIT',
]);

async function findFileField(request: FastifyRequest): Promise<Buffer | undefined> {
  let file: Buffer | undefined;
  for await (const part of request.parts()) {
    if (part.type === 'file' && part.fieldname === 'file' && !file) file = await part.toBuffer();
    else if (part.type === 'file') part.file.resume();
  }
  return file;
}

function missingFile(detail: string): PackshotError {
  return new PackshotError('missing_file', detail);
}
