/** Rendering revisions, part of every ETag. Increment a revision whenever the same request gives different bytes. */

/** For scenes drawn from a plan, and their stored plates. */
export const sceneRevision = 10;

/** For products graded to a scene's light. */
export const matchRevision = 3;

/** For products composited onto a foreign picture. */
export const groundingRevision = 3;
