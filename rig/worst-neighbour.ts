/** Attacks: what one key can do to slow down others. Each attack runs until it is stopped. */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePhoto } from './photos.ts';
import { repeat } from './repeat.ts';
import { type Client, formWith, white } from './service.ts';

/** Called with the status of each response, or with the reason why there was no response. */
type Note = (status: number | string) => void;

interface Prepared {
  /** Starts the attack. The returned function stops the attack and resolves when all of its calls have ended. */
  begin(): () => Promise<void>;
}

/**
 * `size` is the number of concurrent calls. In `suggestOn` and `uploadOn` it is the number of calls per second, and in
 * `batchOn` the number of items.
 */
type Attack = (service: Client, size: number, note: Note) => Promise<Prepared>;

export const attacks: readonly {
  readonly name: string;
  readonly attack: Attack;
  readonly settings: { readonly full: number; readonly short: number };
}[] = [
  { name: 'trickling uploads', attack: trickle, settings: { full: 30, short: 10 } },
  { name: 'hang-ups', attack: hangUp, settings: { full: 8, short: 8 } },
  { name: 'illustrations without a key', attack: lookWithoutKey, settings: { full: 168, short: 4 } },
  { name: 'renders at once', attack: renderAtOnce, settings: { full: 500, short: 10 } },
  { name: 'scenes in full', attack: renderScenes, settings: { full: 8, short: 1 } },
  { name: 'suggestions', attack: suggestOn, settings: { full: 10, short: 10 } },
  { name: 'batches', attack: batchOn, settings: { full: 1_000, short: 20 } },
  // This attack is last, because it leaves many cutouts in the queue.
  { name: 'uploads', attack: uploadOn, settings: { full: 10, short: 3 } },
];

async function noteAnswer(note: Note, call: Promise<Response>): Promise<void> {
  try {
    const response = await call;
    await response.arrayBuffer();
    note(response.status);
  } catch (error) {
    note(error instanceof Error && error.name === 'AbortError' ? 'aborted' : 'connection lost');
  }
}

async function trickle(service: Client, size: number, note: Note): Promise<Prepared> {
  const one = (stopped: AbortSignal) =>
    new Promise<void>((resolve) => {
      const upload = request(`${service.url}/v1/design/image-upload`, {
        method: 'POST',
        headers: {
          'x-api-key': service.key,
          'content-type': 'multipart/form-data; boundary=x',
          'content-length': 20_000_000,
        },
        signal: stopped,
      });
      const dripping = setInterval(() => upload.write('.'), 1_000);
      upload.on('response', (response) => {
        note(response.statusCode ?? 0);
        upload.destroy();
      });
      upload.on('error', () => undefined);
      upload.on('close', () => {
        clearInterval(dripping);
        resolve();
      });
      upload.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n');
    });
  return {
    begin() {
      const stops = Array.from({ length: size }, () =>
        repeat(async (stopped) => {
          await one(stopped);
          await sleep(100);
        }),
      );
      return async () => void (await Promise.all(stops.map((stop) => stop())));
    },
  };
}

async function hangUp(service: Client, size: number, note: Note): Promise<Prepared> {
  const id = await service.upload(await makePhoto());
  const burst = async () => {
    const gone = new AbortController();
    const calls = Array.from({ length: size }, () =>
      noteAnswer(
        note,
        service.call('/v1/design/generated.png', { json: { id, ...white }, signal: gone.signal }),
      ),
    );
    await sleep(40);
    gone.abort();
    await Promise.all(calls);
    await sleep(400);
  };
  return { begin: () => repeat(burst) };
}

interface Recipe {
  readonly recipeId: string;
  readonly variant: string;
  readonly mutations: { readonly images?: { primaryIllustration?: { uri: string; previewUri: string } } };
}

/** Returns different scenes of one new design, none of them rendered yet. */
async function makeScenes(service: Client, count: number): Promise<{ id: string; scenes: Recipe[] }> {
  const id = await service.upload(await makePhoto());
  const scenes: Recipe[] = [];
  for (let i = 0; scenes.length < count; i++) {
    const prompt = `${prompts[i % prompts.length]} ${i}`;
    const response = await service.call('/v1/design/suggest', {
      json: { id, recipePreset: 'AI_STUDIO', prompt },
    });
    if (response.status !== 200) throw new Error(`suggest: ${response.status} ${await response.text()}`);
    const { suggestedRecipeLists } = (await response.json()) as {
      suggestedRecipeLists: { recipes: Recipe[] }[];
    };
    scenes.push(
      ...suggestedRecipeLists.flatMap(({ recipes }) => recipes).filter(({ mutations }) => mutations.images),
    );
  }
  return { id, scenes: scenes.slice(0, count) };
}

const prompts = ['marble podium', 'wooden table', 'sunny window', 'green plants', 'concrete wall', 'sand'];

async function lookWithoutKey(service: Client, size: number, note: Note): Promise<Prepared> {
  const { scenes } = await makeScenes(service, size);
  return {
    begin() {
      const gone = new AbortController();
      const looks = scenes.map(({ mutations }) =>
        noteAnswer(note, fetch(mutations.images!.primaryIllustration!.uri, { signal: gone.signal })),
      );
      return async () => {
        gone.abort();
        await Promise.all(looks);
      };
    },
  };
}

async function renderAtOnce(service: Client, size: number, note: Note): Promise<Prepared> {
  const id = await service.upload(await makePhoto());
  const wave = async (stopped: AbortSignal) => {
    const calls = Array.from({ length: size }, () =>
      noteAnswer(note, service.call('/v1/design/generated.png', { json: { id, ...white }, signal: stopped })),
    );
    await Promise.all(calls);
  };
  return { begin: () => repeat(wave) };
}

async function renderScenes(service: Client, size: number, note: Note): Promise<Prepared> {
  const { id, scenes } = await makeScenes(service, size * 12);
  let next = 0;
  const one = async (stopped: AbortSignal) => {
    const scene = scenes[next++ % scenes.length];
    await noteAnswer(
      note,
      service.call('/v1/design/generated.jpeg', { json: { id, ...scene }, signal: stopped }),
    );
  };
  return {
    begin() {
      const stops = Array.from({ length: size }, () => repeat(one));
      return async () => void (await Promise.all(stops.map((stop) => stop())));
    },
  };
}

/** Makes `perSecond` calls per second, whether or not earlier calls have been answered. */
function keepPace(perSecond: number, call: (turn: number, stopped: AbortSignal) => Promise<void>) {
  const running = new Set<Promise<void>>();
  const stop = repeat(async (stopped, turn) => {
    const one = call(turn, stopped).finally(() => running.delete(one));
    running.add(one);
    await sleep(1_000 / perSecond);
  });
  return async () => {
    await stop();
    await Promise.all(running);
  };
}

async function suggestOn(service: Client, size: number, note: Note): Promise<Prepared> {
  const id = await service.upload(await makePhoto());
  return {
    begin: () =>
      keepPace(size, (turn, signal) => {
        const json = { id, recipePreset: 'AI_STUDIO', prompt: `${prompts[turn % prompts.length]} ${turn}` };
        return noteAnswer(note, service.call('/v1/design/suggest', { json, signal }));
      }),
  };
}

async function uploadOn(service: Client, size: number, note: Note): Promise<Prepared> {
  const photo = await makePhoto({ width: 4_000, height: 3_000 });
  return {
    begin: () =>
      keepPace(size, (_, signal) =>
        noteAnswer(
          note,
          service.call('/v1/design/image-upload', { method: 'POST', body: formWith(photo), signal }),
        ),
      ),
  };
}

async function batchOn(service: Client, size: number, note: Note): Promise<Prepared> {
  const { id, scenes } = await makeScenes(service, 10);
  const plain = { id, ...white };
  const items = Array.from({ length: size }, (_, i) =>
    i % 4 === 0 ? { id, ...scenes[(i / 4) % 10] } : plain,
  );
  return {
    begin: () => {
      const batches: string[] = [];
      const stop = repeat(async () => {
        const response = await service.call('/v1/jobs', { json: { items } });
        note(response.status);
        const { id: batch } = (await response.json()) as { id?: string };
        if (batch) batches.push(batch);
        await sleep(1_000);
      });
      return async () => {
        await stop();
        for (const batch of batches) await service.call(`/v1/jobs/${batch}`, { method: 'DELETE' });
      };
    },
  };
}
