/** Stubs for cutout tests. The recognizer never recognizes a product; the imaging functions throw if called. */
export const noRecognizer = {
  recognizeProduct: async () => undefined,
  recognizeBetter: async () => undefined,
};
export const noWebp = {
  convertCutout: async (): Promise<Buffer> => {
    throw new Error('unexpected call of convertCutout: this test requests no WebP');
  },
  rebuildCutout: async (): Promise<never> => {
    throw new Error('unexpected call of rebuildCutout: this test loses no corrected cutout');
  },
};
