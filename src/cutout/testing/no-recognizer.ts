/** For tests of cutouts that neither recognize a product nor encode WebP. */
export const noRecognizer = {
  recognizeProduct: async () => undefined,
  recognizeBetter: async () => undefined,
};
export const noWebp = {
  convertCutout: async (): Promise<Buffer> => {
    throw new Error('no WebP was requested');
  },
  rebuildCutout: async (): Promise<never> => {
    throw new Error('no corrected cutout was lost');
  },
  clearCutout: async (): Promise<Buffer> => {
    throw new Error('no clear glass was requested');
  },
};
