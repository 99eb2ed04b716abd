/** Counts of how pictures are made: each goes up whenever the same request gives other bytes, and is part of every ETag. */

/** Of scenes that are drawn from a plan, and of their stored plates. */
export const sceneRevision = 4;

/** Of products that are set on a picture which we did not make. */
export const groundingRevision = 2;
