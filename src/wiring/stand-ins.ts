/** A renderer that also emits an event for each picture, and a stub for the cutter in processes without a model. */
import type { EventTeller } from '../events/tell-events.ts';
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

const refuse = (): Promise<never> => Promise.reject(new Error('this process has no model'));

/** Stub for an api process, which has no model and takes no cutout jobs. */
export const noModel = { cutPhoto: refuse, takeOnePass: refuse, predictMatte: refuse, runMarkedPass: refuse };
