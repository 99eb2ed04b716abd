/** The tools that make pictures, in one process and in several. */
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { call, connectTo, type Era, type Result, textOf, useMcpService } from './mcp-clients.ts';
import { isScaled, pixelsOf, type Service } from './service.ts';

let service: Service;
let photo: string;
useMcpService((started, base64) => {
  service = started;
  photo = base64;
});

const connect = (era?: Era) => connectTo(service, era);

describe('an agent', () => {
  // Both protocols make the same calls of the service; in the setting `scaled`, one of them is enough.
  it.each(isScaled ? (['modern'] as const) : (['modern', 'legacy'] as const))(
    'completes the whole flow with a client of the %s protocol',
    async (era) => {
      const client = await connect(era);
      const cut = await call(client, 'remove_background', { base64: `data:image/jpeg;base64,${photo}` });
      expect(cut.isError ?? false, textOf(cut)).toBe(false);
      const { designId, subjectBox, width, height, files } = cut.structuredContent;
      expect({ width, height }).toEqual({ width: 320, height: 240 });
      expect(subjectBox.width).toBeGreaterThan(120);
      expect(JSON.parse(textOf(cut))).toEqual(cut.structuredContent);
      const image = cut.content.find(({ type }: Result) => type === 'image');
      expect(image.data.length).toBeLessThan(700_000);
      expect((await sharp(Buffer.from(image.data, 'base64')).metadata()).width).toBeLessThanOrEqual(1024);
      const link = cut.content.find(({ type }: Result) => type === 'resource_link');
      expect(link.uri).toBe(files[0].url);
      const cutout = await fetch(link.uri, { headers: { 'x-api-key': service.key } });
      expect(await sharp(Buffer.from(await cutout.arrayBuffer())).metadata()).toMatchObject({
        width: 320,
        hasAlpha: true,
      });

      const suggested = await call(client, 'suggest_scenes', {
        design_id: designId,
        prompt: 'white marble podium',
        ratio: '4:5',
        count: 2,
      });
      expect(suggested.structuredContent.scenes).toHaveLength(2);
      expect(suggested.structuredContent.wordsUsed.join(' ')).toMatch(/marble/);
      expect(suggested.content.filter(({ type }: Result) => type === 'image')).toHaveLength(2);

      const { scene } = suggested.structuredContent.scenes[0];
      const rendered = await call(client, 'render', { design_id: designId, scene });
      const [file] = rendered.structuredContent.files;
      expect(file).toMatchObject({ method: 'POST', mimeType: 'image/jpeg', width: 1600, height: 2000 });
      // A plain HTTP call, which is the same for both protocol versions.
      if (era === 'modern') {
        const full = await fetch(file.url, {
          method: file.method,
          headers: { 'x-api-key': service.key },
          body: JSON.stringify(file.body),
        });
        expect(await sharp(Buffer.from(await full.arrayBuffer())).metadata()).toMatchObject({
          width: 1600,
          height: 2000,
        });
      }

      const graded = await call(client, 'render', { design_id: designId, scene, match_light: true });
      expect(graded.structuredContent.files[0].body.mutations).toMatchObject({
        ...file.body.mutations,
        match: 'light',
      });

      const known = await call(client, 'get_design', { design_id: designId });
      expect(known.structuredContent).toMatchObject({ status: 'ready', width: 320 });
      expect((await call(client, 'delete_design', { design_id: designId })).structuredContent.deleted).toBe(
        true,
      );
      expect(textOf(await call(client, 'get_design', { design_id: designId }))).toMatch(/design_not_found/);
    },
  );

  it('corrects a cutout, undoes the correction, and gets an error for an invalid mark', async () => {
    const client = await connect();
    const { structuredContent: made } = await call(client, 'remove_background', { base64: photo });
    const design_id = made.designId;
    const leftHalf = { mode: 'erase', x: 0, y: 0, width: 160, height: 240 };
    const corrected = await call(client, 'correct_cutout', { design_id, boxes: [leftHalf] });
    const { revision, undo, subjectBox, files } = corrected.structuredContent;
    expect([revision, undo]).toEqual([2, 1]);
    expect(subjectBox.x).toBeGreaterThanOrEqual(157);
    expect(corrected.content.filter(({ type }: Result) => type === 'image')).toHaveLength(1);
    const cutout = await fetch(files[0].url, { headers: { 'x-api-key': service.key } });
    const { data } = await pixelsOf(cutout);
    expect([data[(120 * 320 + 120) * 4 + 3], data[(120 * 320 + 200) * 4 + 3]]).toEqual([0, 255]);
    const undone = await call(client, 'correct_cutout', { design_id, undo: true });
    expect(undone.structuredContent).toMatchObject({ revision: 1, undo: null, subjectBox: made.subjectBox });
    const outside = { design_id, boxes: [{ ...leftHalf, x: 400 }] };
    const refused = await call(client, 'correct_cutout', outside);
    expect([refused.isError, textOf(refused)]).toEqual([
      true,
      expect.stringMatching(/outside the photo.*invalid_correction/),
    ]);
    expect(textOf(await call(client, 'correct_cutout', { design_id, undo: false }))).toMatch(
      /Send "parts", "strokes"/,
    );
  });

  it('saves a recipe as a look, lists it, and renders in it', async () => {
    const client = await connect();
    const kept = await call(client, 'keep_look', { recipe: 'Surface002', title: 'On sand' });
    const { look, title, ratios } = kept.structuredContent;
    expect([title, ratios]).toEqual(['On sand', expect.arrayContaining(['1:1', '4:5'])]);
    const listed = await call(client, 'list_recipes', { query: 'look' });
    // Other test files may save looks in the same service.
    expect(listed.structuredContent.recipes).toContainEqual(
      expect.objectContaining({ id: look, title: 'On sand', family: 'look' }),
    );
    const drawn = await call(client, 'render', { base64: photo, recipe: look, size: 'preview' });
    expect([drawn.isError, drawn.structuredContent.files[0].body.recipeId]).toEqual([undefined, look]);
    expect(textOf(await call(client, 'keep_look', {}))).toMatch(/either `recipe`/);
  });
});
