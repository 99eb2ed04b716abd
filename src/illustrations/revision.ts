/** Rendering revisions: incremented whenever the same request gives other bytes; part of every ETag. */

/** For scenes drawn from a plan, and their stored plates. */
export const sceneRevision = 8;

/** For products graded to a scene's light. */
export const matchRevision = 1;

/** For products composited onto a foreign picture. */
export const groundingRevision = 2;
