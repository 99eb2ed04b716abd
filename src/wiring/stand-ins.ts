/** A renderer that also emits an event for each picture, and a stub for the cutter in processes without a model. */
import type { Cut } from '../cutout/cut.ts';
import type { EventTeller } from '../events/tell-events.ts';
import type { Matte } from '../pixels.ts';
import type { DesignRenderer } from '../rendering/render-design.ts';

/** Emits an event for every rendered picture, except for a 304. */
export function tellRenders(renderDesign: DesignRenderer, teller: EventTeller): DesignRenderer {
  return async (request) => {
    const rendered = await renderDesign(request);
    const { designId, recipeId, variant, target } = request;
    if (rendered.picture) {
      const { name: size, format } = target;
      const { etag } = rendered;
      await teller.tellRender(request.accountId, { designId, recipeId, variant, size, format, etag });
    }
    return rendered;
  };
}

/** Stub for an api process, which has no model and takes no cutout jobs. */
export const noModel = {
  cutPhoto: (): Promise<Cut> => Promise.reject(new Error('this process has no model')),
  takeOneLook: (): Promise<Cut> => Promise.reject(new Error('this process has no model')),
  lookAt: (): Promise<Matte> => Promise.reject(new Error('this process has no model')),
  lookCloser: (): Promise<never> => Promise.reject(new Error('this process has no model')),
};
