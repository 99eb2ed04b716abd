/**
 * A painting: the picture that an illustration engine should make, or has made, of a scene.
 *
 *     ──requested──> waiting ──picture kept──> done
 *                     ▲   │
 *                     │   └──refused, altered the product, too expensive, too many waiting──> failed
 *                     └──requested again, if the failure was transient──────────────────────────┘
 *
 * While a painting waits, its row records the progress: the number of engine calls, and the response to check next.
 */
import type { RenderWarning } from '../../rendering/draw-picture.ts';
import type { RenderTargetName } from '../../rendering/render-target.ts';
import type { PaintingRow } from '../../storage/schema.ts';
import type { IllustrationMode } from './illustration-engine.ts';

/** A part of a picture, in fractions of the picture's width and height, from its top left corner. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface MadePainting {
  readonly mode: IllustrationMode;
  readonly model: string;
  readonly seed: number | undefined;
  /** Position of the product; null if the picture is an empty set, onto which the product is composited later. */
  readonly place: Place | null;
}

/** What the engine reported about a picture. The picture's bytes are a blob. */
export type PaintingAnswer = Omit<MadePainting, 'place'>;

export interface PaintingBase {
  readonly illustrationId: string;
  /** The API key that requested the painting and pays for it. */
  readonly keyId: string;
  readonly engine: string;
  readonly engineVersion: string;
}

export type Painting = PaintingBase &
  (
    | {
        readonly state: 'waiting';
        /** Number of engine calls so far. */
        readonly asks: number;
        /** The response to check next; undefined if the next step is to call the engine. */
        readonly answer: PaintingAnswer | undefined;
        /** What was wrong with the last response; undefined if no response has been rejected. */
        readonly flaw: string | undefined;
      }
    | { readonly state: 'done'; readonly made: MadePainting }
    | { readonly state: 'failed'; readonly failure: string }
  );

/** A painting that is done or has failed, and its owner. */
export interface SettledPainting {
  readonly illustrationId: string;
  readonly designId: string;
  readonly accountId: string;
  readonly state: 'done' | 'failed';
}

export function toPainting(row: PaintingRow): Painting {
  const base: PaintingBase = {
    illustrationId: row.illustration_id,
    keyId: row.key_id,
    engine: row.engine,
    engineVersion: row.engine_version,
  };
  switch (row.state) {
    case 'waiting':
      return {
        ...base,
        state: row.state,
        asks: row.asks,
        answer: row.answer === null ? undefined : JSON.parse(row.answer),
        flaw: row.failure ?? undefined,
      };
    case 'done':
      return { ...base, state: row.state, made: JSON.parse(row.made!) };
    case 'failed':
      return { ...base, state: row.state, failure: row.failure! };
  }
}

/**
 * The warning that says why the studio drew the scene, although an engine should have painted it. Empty without an
 * engine, and for a preview whose painting is still pending.
 */
export function explainStudio(
  painting: Pick<Painting & { state: 'failed' }, 'state' | 'failure'> | Painting | undefined,
  size: RenderTargetName,
): RenderWarning[] {
  if (painting === undefined || (painting.state === 'waiting' && size === 'preview')) return [];
  const why = painting.state === 'failed' ? painting.failure : 'the engine is not done yet';
  return [{ code: 'illustration_fallback', detail: `The embedded studio drew this scene: ${why}.` }];
}
