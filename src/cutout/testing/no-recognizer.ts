/** Stubs for tests of cutouts that recognize no product. The imaging functions throw if a test calls them. */
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
