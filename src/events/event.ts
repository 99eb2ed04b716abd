/** Webhook event types and payloads: ids and links, never pixels. docs/webhooks.md shows each of them. */

export const eventTypes = [
  'design.ready',
  'design.failed',
  'render.completed',
  'illustration.ready',
  'batch.completed',
] as const;
export type EventType = (typeof eventTypes)[number];

interface EventData {
  'design.ready': { readonly id: string; readonly href: string };
  'design.failed': {
    readonly id: string;
    readonly href: string;
    readonly error: { readonly code: string; readonly detail: string };
  };
  'render.completed': {
    readonly designId: string;
    readonly recipeId: string;
    readonly variant: string;
    readonly size: 'preview' | 'generated';
    readonly format: string;
    readonly etag: string;
    /** Set for a picture made by a batch. */
    readonly batch?: { readonly id: string; readonly item: number };
  };
  'illustration.ready': { readonly id: string; readonly designId: string };
  'batch.completed': {
    readonly id: string;
    readonly href: string;
    readonly resultsHref: string;
    readonly counts: { readonly total: number; readonly done: number; readonly failed: number };
  };
}

export type News = {
  [T in EventType]: { readonly accountId: string; readonly type: T; readonly data: EventData[T] };
}[EventType];
