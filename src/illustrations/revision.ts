/**
 * Revisions that are parts of ETags. When a code change makes the same request give different bytes, increment the
 * revision concerned.
 */

/** Revision of scenes drawn from a plan, and of their stored plates. */
export const sceneRevision = 19;

/** Revision of products graded to a scene's light. */
export const matchRevision = 3;

/** Revision of products composited onto a caller's backdrop or a picture from another host. */
export const groundingRevision = 7;
