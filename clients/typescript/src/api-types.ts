/** Made by scripts/docs/client-types.ts from openapi.json: what the service is sent and what it answers. */
// biome-ignore-all format: the script's own.

export type Batch = {
  readonly id: string;
  readonly status: 'queued' | 'running' | 'completed' | 'cancelled';
  readonly createdAt: string;
  readonly endedAt: string | null;
  /** Null if batches do not expire. */
  readonly expiresAt: string | null;
  readonly counts: {
    readonly total: number;
    readonly waiting: number;
    readonly done: number;
    readonly failed: number;
    readonly cancelled: number;
  };
};

export type BatchItemInput = {
  /** Such as `Solid1_1_0035`; `GET /v1/recipes` lists them all. At most 100 characters. */
  readonly recipeId: string;
  /** An aspect ratio of the recipe, such as `1:1`. At most 20 characters. */
  readonly variant: string;
  /** Changes to the recipe. Send back what a suggestion holds, or set the keys by hand. */
  readonly mutations?: {
    readonly images?: {
      /** The illustration that becomes the backdrop. */
      readonly primaryIllustration?: {
        /** URI of the illustration at full size. At most 2,048 characters. */
        readonly uri?: string | undefined;
        /** URI of the illustration at preview size. At most 2,048 characters. */
        readonly previewUri?: string | undefined;
        /** Origin of the illustration. Informative only: it does not affect what is fetched. */
        readonly source?: 'WEB' | 'GENERATED' | 'LIBRARY' | 'UPLOAD' | undefined;
      } | undefined;
    } | undefined;
    /** Position, size and rotation of the product. It always stays inside the picture. */
    readonly layout?: {
      /** Minimum free border around the product, as a share of the picture's shorter side: 0 to 0.4. */
      readonly margin?: number | undefined;
      /** center: in the middle. baseline: standing on the line shared by the surface recipes. */
      readonly align?: 'center' | 'baseline' | undefined;
      /** Size of the product as a share of the largest that fits inside the margin: 0.1 to 1. */
      readonly scale?: number | undefined;
      /** Horizontal position of the product's center: 0 is the left edge, 1 the right edge. */
      readonly x?: number | undefined;
      /** Vertical position of the product's center: 0 is the upper edge, 1 the lower edge. Overrides align. */
      readonly y?: number | undefined;
      /** Clockwise rotation of the product in degrees: -180 to 180. */
      readonly rotate?: number | undefined;
    } | undefined;
    /** The shadow under the product. */
    readonly shadow?: {
      /** none: no shadow. contact: dark where the product touches the ground, soft around it. cast: the same, and a soft shadow to the right, away from a light at the left. In scenes, and on your own backdrop, their own light decides. */
      readonly kind?: 'none' | 'contact' | 'cast' | undefined;
      /** Darkness of the shadow: 0 is none, 1 is a black core. The recipe or `kind` must have a shadow. */
      readonly strength?: number | undefined;
    } | undefined;
    /** The backdrop's color. */
    readonly background?: {
      /** sRGB color as #rrggbb. For Solid recipes the backdrop, for Surface recipes the paper. */
      readonly color?: string | undefined;
    } | undefined;
    /** The product's outline, and its clear parts. */
    readonly edge?: {
      /** Shrinks the outline by this many pixels of the full-size picture: 0 to 4. Scaled down for previews. */
      readonly shrinkPx?: number | undefined;
      /** auto: the new backdrop shows through clear glass, such as lenses, where the old one did. solid (default): glass keeps what the photo shows in it. */
      readonly glass?: 'solid' | 'auto' | undefined;
    } | undefined;
    /** Only in scenes and real places. light: grades the product's own pixels to the light around it, within limits: exposure, white balance, the shadow pattern and the color of bounced light. none, the default: its pixels stay as they are. */
    readonly match?: 'none' | 'light' | undefined;
  } | undefined;
  /** Accepted because our responses contain it; has no effect. */
  readonly title?: unknown | undefined;
  /** One of your designs. Exactly one of `id`, `url` and `file`. At most 100 characters. */
  readonly id?: string | undefined;
  /** Accepted because our responses contain it; has no effect. */
  readonly family?: unknown | undefined;
  /** Accepted because our responses contain it; has no effect. */
  readonly variants?: unknown | undefined;
  /** Accepted because our responses contain it; has no effect. */
  readonly canvas?: unknown | undefined;
  /** Accepted because our responses contain it; has no effect. */
  readonly revision?: unknown | undefined;
  /** A public image URL; it becomes a design. At most 2,048 characters. */
  readonly url?: string | undefined;
  /** Name of a file in the form, which becomes a design. Several items may use the same file. At most 200 characters. */
  readonly file?: string | undefined;
  readonly format?: 'jpeg' | 'png' | 'webp' | 'avif' | undefined;
  /** Quality of a JPEG, WebP or AVIF file, 1 to 100 on the format's own scale; not for PNG, which is lossless. Default: 94, 92 and 72, and 90, 84 and 62 for previews. */
  readonly quality?: number | undefined;
  /** `photo` writes the photo's camera make and model, date taken, artist, copyright and description into the picture; never location, serial numbers, maker notes or a thumbnail. Default: `none`. */
  readonly metadata?: 'none' | 'photo' | undefined;
  /** Name of the picture; by default the name of its file, or its number. At most 200 characters. */
  readonly name?: string | undefined;
};

export type BatchPage = {
  readonly id: string;
  readonly status: 'queued' | 'running' | 'completed' | 'cancelled';
  readonly createdAt: string;
  readonly endedAt: string | null;
  /** Null if batches do not expire. */
  readonly expiresAt: string | null;
  readonly counts: {
    readonly total: number;
    readonly waiting: number;
    readonly done: number;
    readonly failed: number;
    readonly cancelled: number;
  };
  /** At most 200. */
  readonly items: readonly {
    /** Its position in the request, from 0. */
    readonly item: number;
    readonly status: 'waiting' | 'done' | 'failed' | 'cancelled';
    /** Its name in the ZIP. */
    readonly file: string;
    readonly designId: string | null;
    readonly bytes?: number | undefined;
    /** With `marketplaces` in the request. */
    readonly checks?: readonly {
      readonly marketplace: string;
      /** Result of our checks of the required rules. */
      readonly verdict: 'passes' | 'fails' | 'unclear';
      readonly summary: string;
      /** Ids of the rules that it breaks, including advised ones. */
      readonly failed: readonly string[];
    }[] | undefined;
    readonly error?: {
      readonly code: string;
      readonly detail: string;
    } | undefined;
  }[];
  /** Send it as `after` to get the next page; null on the last page. */
  readonly next: number | null;
};

/** Whole pixels of the photo, from its top left corner. */
export type Box = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

export type CorrectionInput = {
  /** Clicks. erase removes the connected part of the cutout at the point, keep restores the lost part at the point. */
  readonly parts?: readonly {
    readonly mode: 'keep' | 'erase';
    readonly x: number;
    readonly y: number;
  }[] | undefined;
  /** Brush strokes. Each spreads to the edges visible in the photo; one point is a dot. */
  readonly strokes?: readonly {
    readonly mode: 'keep' | 'erase';
    readonly radius: number;
    /** Pairs of x and y, in pixels of the upright photo. */
    readonly points: readonly (readonly number[])[];
  }[] | undefined;
  /** Settled exactly, without spreading. */
  readonly boxes?: readonly {
    readonly mode: 'keep' | 'erase';
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }[] | undefined;
  /** Settled exactly, without spreading. */
  readonly polygons?: readonly {
    readonly mode: 'keep' | 'erase';
    /** Pairs of x and y, in pixels of the upright photo. */
    readonly points: readonly (readonly number[])[];
  }[] | undefined;
  /** A box of the photo in which the model runs again, at full resolution. The result replaces the cutout inside the box. Other marks are applied on top. */
  readonly hint?: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  } | undefined;
  /** The revision to correct; default: the current one. */
  readonly base?: number | undefined;
  /** Alone: returns to the revision before the current one. */
  readonly undo?: true | undefined;
  /** Alone: returns to this revision. */
  readonly revision?: number | undefined;
  /** A picture of any size with the photo's aspect ratio, as base64 or a data URI: white keeps, black erases, gray and transparent pixels leave the cutout unchanged. */
  readonly mask?: string | undefined;
};

/** A picture is charged when it is rendered. Errors, timeouts and 304s are free, and so is the same picture again within an hour. Uploads and suggestions are free. */
export type Credits = {
  /** Null for a key without a limit. */
  readonly remaining: number | null;
  /** Credits used so far by this key and the keys it was rotated from. */
  readonly used: number;
  readonly perPreview: number;
  readonly perFull: number;
  /** Whether this is a sandbox key: nothing is charged, and full versions are watermarked samples. */
  readonly sandbox: boolean;
};

/** Null until ready. */
export type CutoutRevisions = {
  /** The revision that all pictures are made from. */
  readonly revision: number;
  /** The revision that `undo` returns to; null for the first one. */
  readonly undo: number | null;
  /** All stored revisions, oldest first. */
  readonly revisions: readonly {
    readonly revision: number;
    readonly kind: 'automatic' | 'corrected';
    readonly createdAt: string;
  }[];
} | null;

export type Design = {
  readonly id: string;
  readonly status: 'processing' | 'ready' | 'failed';
  readonly createdAt: string;
  /** Renewed by every use, at most hourly; never earlier than the retention period after the last use. Null if designs do not expire. */
  readonly expiresAt: string | null;
  readonly image: {
    readonly format: 'jpeg' | 'png' | 'webp' | 'avif' | 'tiff' | 'gif' | 'heic';
    /** Pixels, after applying the EXIF orientation. */
    readonly width: number;
    readonly height: number;
    readonly bytes: number;
    readonly sha256: string;
    readonly colorSpace: string;
    readonly hasAlpha: boolean;
  };
  /** Null until ready. */
  readonly subject: Subject | null;
  /** The recognized kind of product; null until ready, and if too little of the product is visible. */
  readonly productKind: ProductKind | null;
  /** True while a better cutout is being made after a quick one. Pictures made from the better cutout have different ETags. */
  readonly improving: boolean;
  readonly cutout: CutoutRevisions;
  /** Why cutting out failed; only for failed designs. */
  readonly error?: {
    readonly code: string;
    readonly detail: string;
  } | undefined;
};

export type Limits = {
  readonly image: {
    readonly formats: readonly ('jpeg' | 'png' | 'webp' | 'avif' | 'tiff' | 'gif' | 'heic')[];
    readonly maxBytes: number;
    readonly maxPixels: number;
    readonly maxAvifPixels: number;
    readonly minSidePx: number;
    readonly maxSidePx: number;
  };
  /** A request that takes longer than `timeoutMs` to arrive, or a file that arrives more slowly than `minBytesPerSecond` after `graceMs`, is refused with 408. `inMemory` is the number of concurrent files per account; further ones wait. */
  readonly upload: {
    readonly timeoutMs: number;
    readonly minBytesPerSecond: number;
    readonly graceMs: number;
    readonly inMemory: number;
  };
  readonly jsonBody: {
    readonly maxBytes: number;
  };
  /** Maximum bytes of a mask; as base64, three quarters of that. Does not count toward `jsonBody`. */
  readonly correction: {
    readonly maxMaskBytes: number;
  };
  readonly prompt: {
    readonly maxChars: number;
  };
  /** `maxBytes` applies to the JSON document, `maxFilesBytes` to all its files together. */
  readonly batch: {
    readonly maxItems: number;
    readonly maxBytes: number;
    readonly maxFilesBytes: number;
  };
  /** Looks of your account. */
  readonly looks: {
    readonly max: number;
  };
  readonly urlFetch: {
    readonly timeoutMs: number;
    readonly maxRedirects: number;
  };
  /** Limits of your key; `inFlight` is the number of concurrent calls; further ones wait. */
  readonly rate: {
    readonly perSecond: number;
    readonly burst: number;
    readonly inFlight: number;
  };
  /** Queue limits; further calls get 503 `queue_full`. */
  readonly waiting: {
    readonly cutouts: number;
    readonly renders: number;
    readonly batchItems: number;
  };
  readonly deadlinesMs: {
    readonly preview: number;
    readonly full: number;
  };
  /** Longest side of pictures, in pixels; smaller full versions for a sandbox key. */
  readonly canvas: {
    readonly previewPx: number;
    readonly fullPx: number;
  };
  /** Days after the last use; null if designs do not expire. */
  readonly retentionDays: number | null;
};

export type ListingCheck = {
  /** Whether it passes our checks of all these marketplaces. */
  readonly passes: boolean;
  readonly measures: {
    readonly format: string;
    readonly bytes: number;
    readonly widthPx: number;
    readonly heightPx: number;
    readonly colorModel: string;
    /** Name of the color profile; `none` means sRGB. */
    readonly profile: string;
    readonly bitsPerChannel: number;
    readonly hasAlpha: boolean;
    readonly frames: number;
    /** Digital source type of IPTC; `none` without a mark. */
    readonly provenance: string;
    /** Lowest channel in the corners, 0 to 255. */
    readonly cornerDarkest: number;
    /** Fraction of the picture's border that is exactly 255, 255, 255. */
    readonly ringWhiteShare: number;
    /** Fraction of the white background, away from the product, that is 250 to 254. */
    readonly nearWhiteShare: number | null;
    readonly transparentShare: number;
    /** 1 if there is a line or bar along all four sides. */
    readonly framed: number;
    /** Null if the background is not plain or no product is found. */
    readonly productBox: {
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
    } | null;
    /** The product's width or height as a fraction of the picture's, whichever is greater. */
    readonly fillShare: number | null;
    /** Product pixels as a fraction of all pixels. */
    readonly areaShare: number | null;
    /** Distance between the product's center and the picture's, as a fraction of the picture's shorter side. */
    readonly offCenterShare: number | null;
    /** Blur of the product, from 0 (sharp) to 1. */
    readonly blur: number | null;
    /** Number of sides of the frame that the product (the largest part) touches. */
    readonly cutEdges: number | null;
    /** Number of small parts separate from the product, such as leftovers of the old background. */
    readonly fragments: number | null;
  };
  readonly checks: readonly {
    readonly marketplace: string;
    /** Result of our checks of the required rules; `unclear` if something could not be measured, or small parts are separate from the product. */
    readonly verdict: 'passes' | 'fails' | 'unclear';
    readonly summary: string;
    readonly rules: readonly {
      readonly id: string;
      readonly title: string;
      readonly level: 'required' | 'advised';
      readonly outcome: 'passes' | 'fails' | 'not_measured';
      readonly measured: number | string | null;
      readonly expected: string;
      readonly source: {
        readonly url: string;
        readonly page: string;
        readonly checkedOn: string;
        readonly kind: 'official' | 'secondary' | 'advice';
      };
    }[];
    /** Requirements that cannot be checked from pixels: check them yourself. */
    readonly notChecked: readonly string[];
    readonly fix: {
      readonly recipeId: string;
      readonly variant: string;
      /** The render call for a picture that passes. */
      readonly path: string;
      readonly sizePx: number;
      readonly margin: number;
      /** The design; null if the photo must be uploaded first. */
      readonly id: string | null;
      /** Problems that no recipe can fix. */
      readonly remains: readonly string[];
    } | null;
  }[];
};

export type Look = {
  /** Use it as `recipeId` in renders, batches and checks. */
  readonly id: string;
  readonly title: string;
  readonly kind: 'scene' | 'place' | 'plain';
  /** Aspect ratios in which it can be rendered, starting with its own. */
  readonly variants: readonly string[];
  readonly createdAt: string;
  /** A picture of the look without a product; opens in a browser. */
  readonly previewUri: string;
};

export type LookWithSource = {
  /** Use it as `recipeId` in renders, batches and checks. */
  readonly id: string;
  readonly title: string;
  readonly kind: 'scene' | 'place' | 'plain';
  /** Aspect ratios in which it can be rendered, starting with its own. */
  readonly variants: readonly string[];
  readonly createdAt: string;
  /** A picture of the look without a product; opens in a browser. */
  readonly previewUri: string;
  /** Send it as `from` to `POST /v1/looks` to create the same look, here or on another service. */
  readonly from: Readonly<Record<string, unknown>>;
};

export type Looks = {
  /** Newest first. */
  readonly looks: readonly Look[];
};

export type NewBatchInput = {
  readonly items: readonly BatchItemInput[];
  /** Check each picture against the rules of these: `checks` of each item, and in the manifest. */
  readonly marketplaces?: readonly (
    | 'amazon'
    | 'google'
    | 'walmart'
    | 'ebay'
    | 'bol'
    | 'otto'
    | 'tiktok'
    | 'shopify'
    | 'etsy')[] | undefined;
  /** Webhook events to send to your account; `render.completed` is sent for each picture. */
  readonly events?: readonly ('batch.completed' | 'render.completed')[] | undefined;
};

export type NewLookInput = {
  /** One of `uri`, `recipeId` and `plan`: an illustration, a suggested or known recipe, or the `from` of `GET /v1/looks/{id}`. */
  readonly from: {
    /** URI of a suggestion's illustration, of either size. At most 2,048 characters. */
    readonly uri?: string | undefined;
    /** Id of a recipe; send its `variant` and mutations, too. At most 100 characters. */
    readonly recipeId?: string | undefined;
    /** At most 20 characters. */
    readonly variant?: string | undefined;
    /** A scene plan, as `GET /v1/looks/{id}` returns it. */
    readonly plan?: Readonly<Record<string, unknown>> | undefined;
    /** With `recipeId` or `plan`: mutations that apply to every product. */
    readonly mutations?: {
      readonly images?: {
        /** The illustration that becomes the backdrop. */
        readonly primaryIllustration?: {
          /** URI of the illustration at full size. At most 2,048 characters. */
          readonly uri?: string | undefined;
          /** URI of the illustration at preview size. At most 2,048 characters. */
          readonly previewUri?: string | undefined;
          /** Origin of the illustration. Informative only: it does not affect what is fetched. */
          readonly source?: 'WEB' | 'GENERATED' | 'LIBRARY' | 'UPLOAD' | undefined;
        } | undefined;
      } | undefined;
      /** Position, size and rotation of the product. It always stays inside the picture. */
      readonly layout?: {
        /** Minimum free border around the product, as a share of the picture's shorter side: 0 to 0.4. */
        readonly margin?: number | undefined;
        /** center: in the middle. baseline: standing on the line shared by the surface recipes. */
        readonly align?: 'center' | 'baseline' | undefined;
        /** Size of the product as a share of the largest that fits inside the margin: 0.1 to 1. */
        readonly scale?: number | undefined;
        /** Horizontal position of the product's center: 0 is the left edge, 1 the right edge. */
        readonly x?: number | undefined;
        /** Vertical position of the product's center: 0 is the upper edge, 1 the lower edge. Overrides align. */
        readonly y?: number | undefined;
        /** Clockwise rotation of the product in degrees: -180 to 180. */
        readonly rotate?: number | undefined;
      } | undefined;
      /** The shadow under the product. */
      readonly shadow?: {
        /** none: no shadow. contact: dark where the product touches the ground, soft around it. cast: the same, and a soft shadow to the right, away from a light at the left. In scenes, and on your own backdrop, their own light decides. */
        readonly kind?: 'none' | 'contact' | 'cast' | undefined;
        /** Darkness of the shadow: 0 is none, 1 is a black core. The recipe or `kind` must have a shadow. */
        readonly strength?: number | undefined;
      } | undefined;
      /** The backdrop's color. */
      readonly background?: {
        /** sRGB color as #rrggbb. For Solid recipes the backdrop, for Surface recipes the paper. */
        readonly color?: string | undefined;
      } | undefined;
      /** The product's outline, and its clear parts. */
      readonly edge?: {
        /** Shrinks the outline by this many pixels of the full-size picture: 0 to 4. Scaled down for previews. */
        readonly shrinkPx?: number | undefined;
        /** auto: the new backdrop shows through clear glass, such as lenses, where the old one did. solid (default): glass keeps what the photo shows in it. */
        readonly glass?: 'solid' | 'auto' | undefined;
      } | undefined;
      /** Only in scenes and real places. light: grades the product's own pixels to the light around it, within limits: exposure, white balance, the shadow pattern and the color of bounced light. none, the default: its pixels stay as they are. */
      readonly match?: 'none' | 'light' | undefined;
    } | undefined;
    /** Accepted because our responses contain it; has no effect. */
    readonly title?: unknown | undefined;
  };
  /** Display title; by default that of its scene. At most 80 characters. */
  readonly title?: string | undefined;
};

/** Every error has this format (RFC 9457). */
export type Problem = {
  /** `urn:packshot:error:` and the code. */
  readonly type: string;
  /** The same for every occurrence of the code. */
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  /** What failed here and what would work. */
  readonly detail: string;
  readonly code: 
    | 'malformed_json'
    | 'missing_field'
    | 'invalid_field'
    | 'unknown_field'
    | 'missing_file'
    | 'missing_api_key'
    | 'invalid_api_key'
    | 'expired_api_key'
    | 'insufficient_credits'
    | 'scope_denied'
    | 'preset_not_allowed'
    | 'origin_refused'
    | 'design_not_found'
    | 'illustration_not_found'
    | 'batch_not_found'
    | 'unknown_look'
    | 'unknown_recipe'
    | 'unknown_path'
    | 'method_not_allowed'
    | 'idempotency_conflict'
    | 'too_many_looks'
    | 'revision_conflict'
    | 'batch_not_completed'
    | 'upload_timeout'
    | 'file_too_large'
    | 'body_too_large'
    | 'image_too_large'
    | 'unsupported_encoding'
    | 'unsupported_image_format'
    | 'expectation_failed'
    | 'image_undecodable'
    | 'image_too_small'
    | 'no_subject_found'
    | 'invalid_correction'
    | 'idempotency_mismatch'
    | 'unknown_preset'
    | 'unknown_variant'
    | 'invalid_mutation'
    | 'mutation_uri_rejected'
    | 'source_fetch_failed'
    | 'source_url_blocked'
    | 'headers_too_large'
    | 'rate_limited'
    | 'internal'
    | 'queue_full'
    | 'not_ready'
    | 'storage_unavailable'
    | 'deadline_exceeded'
    | 'storage_full';
  /** Quote it when you ask for help; also in `X-Request-Id`. */
  readonly requestId: string;
  /** One entry for each invalid field. */
  readonly errors?: readonly {
    /** The part of the request that contains the field; default: the body. */
    readonly in?: 'query' | 'path' | 'header' | undefined;
    /** JSON Pointer (RFC 6901): `/` and the name of a parameter, or a path into the body. */
    readonly pointer: string;
    readonly code: string;
    readonly detail: string;
  }[] | undefined;
};

export type ProductKind = {
  /** A top-level category of Google's product taxonomy, or `Unknown`. */
  readonly kind: string;
  /** How the product is placed in scenes, such as `upright-tall` or `garment`. */
  readonly staging: string;
  /** 1 only if you supplied a hint. */
  readonly confidence: number;
  /** The reason, as text for people. */
  readonly because: string;
};

export type Recipes = {
  readonly recipes: readonly {
    readonly id: string;
    readonly title: string;
    readonly family: string;
    readonly variants: readonly string[];
    /** Pixels, for each variant. */
    readonly canvas: Readonly<Record<string, {
      readonly preview: {
        readonly width: number;
        readonly height: number;
      };
      readonly full: {
        readonly width: number;
        readonly height: number;
      };
    }>>;
    /** Incremented whenever the recipe renders differently. */
    readonly revision: number;
  }[];
};

export type RenderInput = {
  /** Such as `Solid1_1_0035`; `GET /v1/recipes` lists them all. At most 100 characters. */
  readonly recipeId: string;
  /** An aspect ratio of the recipe, such as `1:1`. At most 20 characters. */
  readonly variant: string;
  /** Changes to the recipe. Send back what a suggestion holds, or set the keys by hand. */
  readonly mutations?: {
    readonly images?: {
      /** The illustration that becomes the backdrop. */
      readonly primaryIllustration?: {
        /** URI of the illustration at full size. At most 2,048 characters. */
        readonly uri?: string | undefined;
        /** URI of the illustration at preview size. At most 2,048 characters. */
        readonly previewUri?: string | undefined;
        /** Origin of the illustration. Informative only: it does not affect what is fetched. */
        readonly source?: 'WEB' | 'GENERATED' | 'LIBRARY' | 'UPLOAD' | undefined;
      } | undefined;
    } | undefined;
    /** Position, size and rotation of the product. It always stays inside the picture. */
    readonly layout?: {
      /** Minimum free border around the product, as a share of the picture's shorter side: 0 to 0.4. */
      readonly margin?: number | undefined;
      /** center: in the middle. baseline: standing on the line shared by the surface recipes. */
      readonly align?: 'center' | 'baseline' | undefined;
      /** Size of the product as a share of the largest that fits inside the margin: 0.1 to 1. */
      readonly scale?: number | undefined;
      /** Horizontal position of the product's center: 0 is the left edge, 1 the right edge. */
      readonly x?: number | undefined;
      /** Vertical position of the product's center: 0 is the upper edge, 1 the lower edge. Overrides align. */
      readonly y?: number | undefined;
      /** Clockwise rotation of the product in degrees: -180 to 180. */
      readonly rotate?: number | undefined;
    } | undefined;
    /** The shadow under the product. */
    readonly shadow?: {
      /** none: no shadow. contact: dark where the product touches the ground, soft around it. cast: the same, and a soft shadow to the right, away from a light at the left. In scenes, and on your own backdrop, their own light decides. */
      readonly kind?: 'none' | 'contact' | 'cast' | undefined;
      /** Darkness of the shadow: 0 is none, 1 is a black core. The recipe or `kind` must have a shadow. */
      readonly strength?: number | undefined;
    } | undefined;
    /** The backdrop's color. */
    readonly background?: {
      /** sRGB color as #rrggbb. For Solid recipes the backdrop, for Surface recipes the paper. */
      readonly color?: string | undefined;
    } | undefined;
    /** The product's outline, and its clear parts. */
    readonly edge?: {
      /** Shrinks the outline by this many pixels of the full-size picture: 0 to 4. Scaled down for previews. */
      readonly shrinkPx?: number | undefined;
      /** auto: the new backdrop shows through clear glass, such as lenses, where the old one did. solid (default): glass keeps what the photo shows in it. */
      readonly glass?: 'solid' | 'auto' | undefined;
    } | undefined;
    /** Only in scenes and real places. light: grades the product's own pixels to the light around it, within limits: exposure, white balance, the shadow pattern and the color of bounced light. none, the default: its pixels stay as they are. */
    readonly match?: 'none' | 'light' | undefined;
  } | undefined;
  /** Accepted because our responses contain it; has no effect. */
  readonly title?: unknown | undefined;
  /** The design id from an upload. At most 100 characters. */
  readonly id: string;
  /** Accepted because our responses contain it; has no effect. */
  readonly family?: unknown | undefined;
  /** Accepted because our responses contain it; has no effect. */
  readonly variants?: unknown | undefined;
  /** Accepted because our responses contain it; has no effect. */
  readonly canvas?: unknown | undefined;
  /** Accepted because our responses contain it; has no effect. */
  readonly revision?: unknown | undefined;
  /** Quality of a JPEG, WebP or AVIF file, 1 to 100 on the format's own scale; not for PNG, which is lossless. Default: 94, 92 and 72, and 90, 84 and 62 for previews. */
  readonly quality?: number | undefined;
  /** `photo` writes the photo's camera make and model, date taken, artist, copyright and description into the picture; never location, serial numbers, maker notes or a thumbnail. Default: `none`. */
  readonly metadata?: 'none' | 'photo' | undefined;
};

/** The product found in the photo. */
export type Subject = {
  readonly boundingBox: Box;
  /** Fraction of the photo that the product covers. */
  readonly coverage: number;
  readonly touchesEdges: readonly ('top' | 'right' | 'bottom' | 'left')[];
  readonly confidence: number;
  readonly issues: readonly {
    readonly code: string;
    readonly detail: string;
    readonly box?: Box | undefined;
  }[];
  /** Places of the cutout to check: separate parts first, then the rest, each from large to small. */
  readonly doubtful: readonly {
    /** `separate_part`: separate from the rest of the cutout. `looks_differ`: two runs of the model disagree whether it is product or background. */
    readonly reason: 'separate_part' | 'looks_differ';
    readonly box: Box;
    /** Corners of its outline, as pairs of x and y in pixels of the photo; closed. */
    readonly outline: readonly (readonly number[])[];
    /** Pass it in `parts` of a correction to flip the place. */
    readonly part: {
      readonly mode: 'keep' | 'erase';
      readonly x: number;
      readonly y: number;
    };
  }[];
};

export type SuggestInput = {
  /** The design id from an upload. At most 100 characters. */
  readonly id: string;
  /** `AI_STUDIO`: scenes drawn for this product. Or a preset that the operator granted to your key. At most 100 characters. */
  readonly recipePreset: string;
  /** The scenes that you want, in your own words; at most 1,000 characters by default, see `GET /v1/limits`. */
  readonly prompt?: string | undefined;
  readonly filters?: {
    /** Such as `4:5`; default `1:1`. At most 20 characters. */
    readonly aspectRatio?: string | undefined;
  } | undefined;
  /** What the product is, such as `shoes` or `Health & Beauty`; overrides the detected kind. At most 100 characters. */
  readonly productKind?: string | undefined;
};

export type Suggestions = {
  readonly suggestedRecipeLists: readonly {
    readonly id: string;
    readonly title: string;
    readonly recipes: readonly {
      readonly recipeId: string;
      readonly variant: string;
      /** For people. */
      readonly title: string;
      /** Send it back unchanged to render the recipe. */
      readonly mutations: {
        readonly background?: {
          readonly color?: string | undefined;
        } | undefined;
        readonly images: {
          readonly primaryIllustration: {
            /** The scene without the product, at full size; opens in a browser. */
            readonly uri: string;
            /** The same at preview size. */
            readonly previewUri: string;
            readonly source: 'WEB';
          };
        };
      };
    }[];
  }[];
  /** How the words of the prompt were used. */
  readonly prompt?: {
    /** All words of `used`. */
    readonly understood: readonly string[];
    /** All words of `notShown`. */
    readonly ignored: readonly string[];
    /** Words that changed the scenes: without them, other scenes would have been planned. */
    readonly used: readonly {
      /** As typed; several if they request the same thing. */
      readonly words: readonly string[];
      /** What the words became in the scenes, such as `sage wall`, `marble surface`. */
      readonly effect: string;
    }[];
    /** Words without effect. An illustration engine still gets the whole prompt. */
    readonly notShown: readonly {
      /** As typed. */
      readonly words: string;
      /** `not_drawable`: no scene can show it. `unknown_word`: not in the dictionary. `no_effect`: understood, but it changed no scene here. `not_the_product`: overruled by `productKind`. */
      readonly reason: 'not_drawable' | 'unknown_word' | 'no_effect' | 'not_the_product';
    }[];
    /** A language model if the operator configured one, else rules. */
    readonly readBy: 'model' | 'rules';
  } | undefined;
};

export type UploadFromUrlInput = {
  /** A public image URL. At most 2,048 characters. */
  readonly url: string;
  /** What the product is, such as `shoes` or `Health & Beauty`. At most 100 characters. */
  readonly productKind?: string | undefined;
};

/** Can be used unchanged in `mutations`. */
export type UploadedIllustration = {
  readonly uri: string;
  readonly previewUri: string;
  readonly source: 'UPLOAD';
};
