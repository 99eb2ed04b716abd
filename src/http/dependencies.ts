/** What the endpoints depend on: the services that they call, and the published limits. `app.ts` supplies them. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Authenticator } from '../accounts/authenticate.ts';
import type { RenderCharger } from '../accounts/charge-render.ts';
import type { CreditStore } from '../accounts/credit-store.ts';
import type { PhoneKeys } from '../accounts/phone-keys.ts';
import type { BatchRunner } from '../batches/run-batches.ts';
import type { PublishedLimits } from '../config.ts';
import type { CutoutCorrector } from '../cutouts/correct-cutout.ts';
import type { CutoutMaker } from '../cutouts/make-cutout.ts';
import type { DesignCreator } from '../designs/create-design.ts';
import type { DesignStore } from '../designs/design-store.ts';
import type { DesignEraser } from '../designs/erase-designs.ts';
import type { ImageFetcher } from '../designs/fetch-image.ts';
import type { ProjectStore } from '../designs/project-store.ts';
import type { PhotoViewer } from '../designs/show-photo.ts';
import type { UploadPlaces } from '../designs/upload-places.ts';
import type { DialectCutter } from '../dialects/cut-for-dialect.ts';
import type { DesignProgress } from '../events/design-progress.ts';
import type { BackdropKeeper } from '../illustrations/keep-backdrop.ts';
import type { IllustrationViewer } from '../illustrations/show-illustration.ts';
import type { RecipeSuggester } from '../illustrations/suggest-recipes.ts';
import type { ListingChecker } from '../listing/check-listing.ts';
import type { LookKeeper } from '../looks/keep-looks.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import type { PictureNamer } from '../picture-urls/name-picture.ts';
import type { PictureShower } from '../picture-urls/show-picture.ts';
import type { PictureLine } from '../rendering/picture-line.ts';
import type { DesignRenderer } from '../rendering/render-design.ts';
import type { AnswerOnce } from './idempotency.ts';

export interface ServerDependencies {
  readonly authenticate: Authenticator;
  /** Whether the key is neither revoked nor expired. */
  readonly isKeyValid: (keyId: string) => Promise<boolean>;
  readonly answerOnce: AnswerOnce;
  readonly credits: CreditStore;
  /** Undefined unless the operator lets phones in. */
  readonly phoneKeys: PhoneKeys | undefined;
  readonly chargeRender: RenderCharger;
  /** Adds an upload to the usage of the key; never rejects. */
  readonly noteUpload: (keyId: string) => Promise<void>;
  /** Memory slots; every body that may contain a file is read within one. */
  readonly uploadPlaces: UploadPlaces;
  readonly metrics: Metrics;
  readonly creator: DesignCreator;
  readonly designs: DesignStore;
  readonly eraser: DesignEraser;
  readonly projects: ProjectStore;
  readonly photos: PhotoViewer;
  readonly cutouts: CutoutMaker;
  readonly corrector: CutoutCorrector;
  readonly fetcher: ImageFetcher;
  readonly cutForDialect: DialectCutter;
  readonly renderDesign: DesignRenderer;
  readonly pictureLine: PictureLine;
  readonly showPicture: PictureShower;
  readonly pictureUrls: PictureNamer;
  readonly suggestRecipes: RecipeSuggester;
  readonly showIllustration: IllustrationViewer;
  readonly backdrops: BackdropKeeper;
  readonly looks: LookKeeper;
  readonly listing: ListingChecker;
  readonly batches: BatchRunner;
  readonly progress: DesignProgress;
  /** Returns the ids of the design's illustrations whose prerendering or painting is queued or in progress. */
  readonly listDrawing: (designId: string) => Promise<readonly string[]>;
  /** Base URL of the service for callers. If undefined, it is taken from each request. */
  readonly publicUrl: string | undefined;
  /** Returns the reasons why the service is not ready; empty if it is ready. */
  readonly findObstacles: () => Promise<readonly string[]>;
  readonly published: PublishedLimits;
}

export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;
