/**
 * State shared by the whole page: the client with the user's key, the key dialog, the status for screen
 * readers.
 */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Design, PackshotClient, Recipes } from '../../../clients/typescript/src/packshot-client.ts';
import type { Backdrop, BackdropChoice } from '../pictures/backdrop-choice.ts';

export interface Session {
  readonly client: PackshotClient;
  readonly hasKey: boolean;
  /** Opens the key dialog, which shows the reason `why`. */
  askForKey(why?: string): void;
  /** Makes screen readers speak these words. */
  announce(words: string): void;
  /** A name for the project of a new photo: this one, with a number if there is a project of this name. */
  nameProject(wish: string): string;
  /** Called with a design whose cutout was corrected. */
  onCorrected(design: Design): void;
  /** How the list makes the picture of this design; undefined if the design is in no list here. */
  findDress(designId: string): { readonly title: string; readonly choice: BackdropChoice } | undefined;
  /** Changes the picture of this design in its list; nothing if it is in no list here. */
  dress(designId: string, backdrop: Backdrop, choice: BackdropChoice): void;
  /** Puts the photos of a deleted look, in all lists here, on white. */
  forgetLook(id: string, recipes: Recipes['recipes']): void;
  /** Applies the backdrop to all photos of the project, and opens their list. */
  dressAll(project: string, backdrop: Backdrop, choice: BackdropChoice): void;
}

const context = createContext<Session | null>(null);

export const SessionProvider = context.Provider;

export function useSession(): Session {
  const session = useContext(context);
  if (!session) throw new Error('outside of the session');
  return session;
}
