/**
 * Revisions that are parts of ETags. When a code change makes the same request give different bytes, increment the
 * revision concerned.
 */

/** Revision of scenes drawn from a plan, and of their stored plates. */
export const sceneRevision = 22;

/** Revision of products graded to a scene's light. */
export const matchRevision = 3;

/**
 * Revision of products composited onto a picture that Packshot did not draw: a caller's backdrop, a picture fetched
 * from another host, or an empty set painted by an image model. Also of the views of backdrops and paintings.
 */
export const groundingRevision = 9;
