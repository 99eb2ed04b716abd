/** Aspect ratios of pictures, width:height. */

export const variants = ['1:1', '4:5', '9:16', '16:9', '5:4', '4:3', '3:4', '3:2', '2:3'] as const;

/** Aspect ratio of the picture, width:height. */
export type Variant = (typeof variants)[number];
