import { describe, expect, it } from 'vitest';
import type { SceneIllustration } from '../illustrations/illustration.ts';
import { createKeylessDraws } from '../illustrations/keyless-draws.ts';
import type { Plate, ScenePlates } from '../illustrations/scene-plates.ts';
import { type Elsewhere, platesElsewhere } from './remote-tasks.ts';

const scene = { id: 'ill_a', accountId: 'acc_a' } as SceneIllustration;
const never = new AbortController().signal;

/**
 * The plates (scenes without the product) of a process that delegates all drawing. `keeps`: whether a drawn plate gets
 * into the store. `asked` lists the ids of the delegated scenes.
 */
function open({ keeps, draft }: { readonly keeps: boolean; readonly draft?: Plate }) {
  let stored: Plate | undefined;
  const plates = { findCleanPlate: async () => stored } as unknown as ScenePlates;
  const asked: string[] = [];
  const elsewhere = {
    async drawPlate({ id }: SceneIllustration) {
      asked.push(id);
      if (keeps) stored = { bytes: Buffer.from('plate'), timings: [] };
      return draft;
    },
  } as unknown as Elsewhere;
  const { cleanPlate } = platesElsewhere(plates, elsewhere, createKeylessDraws(1));
  return { look: () => cleanPlate(scene, 'preview', { urgency: 'shown', signal: never }), asked };
}

describe('a plate that another process draws', () => {
  it('is requested once, and then read from the store', async () => {
    const { look, asked } = open({ keeps: true });
    for (let i = 0; i < 2; i++) expect(String((await look()).bytes)).toBe('plate');
    expect(asked).toEqual(['ill_a']);
  });

  it('is returned as a draft, which is not in the store, if there was too little time', async () => {
    const draft = { bytes: Buffer.from('draft'), timings: [], draftPx: 128 };
    expect(await open({ keeps: false, draft }).look()).toEqual(draft);
  });

  it('causes `storage_unavailable` if it could not be stored', async () => {
    const { look } = open({ keeps: false });
    await expect(look()).rejects.toMatchObject({ code: 'storage_unavailable' });
  });
});
