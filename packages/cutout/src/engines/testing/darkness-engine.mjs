/** For tests: an engine as an operator would write it. What is darker than the middle gray is the product. */
export default {
  id: 'darkness',
  version: 'darkness 1',
  async predictMatte({ width, height, data }, { signal }) {
    signal.throwIfAborted();
    const matte = new Uint8Array(width * height);
    for (let i = 0; i < matte.length; i++) matte[i] = data[i * 3 + 1] < 128 ? 255 : 0;
    return { width, height, data: matte };
  },
  close: async () => undefined,
};
