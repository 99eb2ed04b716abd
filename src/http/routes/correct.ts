/** POST /v1/design/{id}/correct: corrects a cutout by marks or a mask, or goes back to an earlier revision. */
import { z } from 'zod';
import { underDeadline } from '../../deadline.ts';
import { callerOf } from '../api-key.ts';
import { callDeadline } from '../call-deadline.ts';
import { limitMask, readCorrection } from '../correction-body.ts';
import { correctionBody, correctionForm } from '../correction-schema.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { designSchema, toDesignAnswer } from '../design-answer.ts';
import { disconnectSignal } from '../disconnect-signal.ts';
import { formBodyLimit } from '../file-form.ts';

/** Adds the endpoint, which accepts JSON, or a form with a mask. The server must have parsers for both. */
export function addCorrection(
  server: Server,
  { designs, corrector, answerOnce, uploadPlaces, published }: ServerDependencies,
): void {
  server.post(
    '/v1/design/:id/correct',
    {
      bodyLimit: formBodyLimit(limitMask(published)),
      config: { scope: 'upload', operation: 'correct-cutout', readsBody: true },
      schema: {
        operationId: 'correctCutout',
        summary: 'Correct a cutout',
        description:
          'Applies marks that say what to keep and what to erase, and makes a new revision of the cutout. All later pictures use it, and their ETags change. Waits for a cutout that is still being made. The first revision and the nine latest are stored. A correction that changes nothing makes no revision.',
        tags: ['Designs'],
        params: z.object({ id: z.string().max(100) }),
        bodies: { 'application/json': correctionBody, 'multipart/form-data': correctionForm },
        response: { 200: designSchema },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { accountId } = callerOf(request);
      let read: ReturnType<typeof readCorrection> | undefined;
      const readOnce = () => (read ??= readCorrection(request, published));
      return answerOnce(request, {
        ownerOf: () => id,
        sent: async () => [id, ...(await readOnce()).sent],
        async work() {
          const place = { account: accountId, signal: disconnectSignal(reply) };
          const { correction, hint, mask, base, revision } = await uploadPlaces.hold(place, readOnce);
          const design = await designs.resolveDesign(id, accountId);
          const deadline = callDeadline(reply, published.deadlineMs.generated, 'The correction');
          const corrected = await underDeadline(deadline, (signal) =>
            correction === null
              ? corrector.revertCutout(design, revision, signal)
              : corrector.correctCutout({ design, correction, hint, mask, base, signal }),
          );
          return toDesignAnswer(corrected);
        },
      });
    },
  );
}
