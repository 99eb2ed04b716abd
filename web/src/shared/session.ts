/**
 * State shared by the whole page: the client with the user's key, the key dialog, the status for screen
 * readers.
 */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Design, PackshotClient } from '../../../clients/typescript/src/packshot-client.ts';
import type { Backdrop, BackdropChoice } from '../pictures/backdrop-choice.ts';

export interface Session {
  readonly client: PackshotClient;
  readonly hasKey: boolean;
  /** Opens the key dialog, which shows the reason `why`. */
  askForKey(why?: string): void;
  /** Makes screen readers speak these words. */
  announce(words: string): void;
  /** Called with a design whose cutout was corrected. */
  onCorrected(design: Design): void;
  /** How the list makes the picture of this design; undefined if the design is not in the list. */
  findDress(designId: string): { readonly title: string; readonly choice: BackdropChoice } | undefined;
  /** Changes the picture of this design in the list; nothing if it is not in the list. */
  dress(designId: string, backdrop: Backdrop, choice: BackdropChoice): void;
  /** Applies the backdrop to all photos of the list, and opens the list. */
  dressAll(backdrop: Backdrop, choice: BackdropChoice): void;
}

const context = createContext<Session | null>(null);

export const SessionProvider = context.Provider;

export function useSession(): Session {
  const session = useContext(context);
  if (!session) throw new Error('outside of the session');
  return session;
}
