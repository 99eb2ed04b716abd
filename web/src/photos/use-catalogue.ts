/** Everything that photos can be placed on: the service's recipes and the account's looks. */
import { useEffect, useState } from 'preact/hooks';
import type { Look, Recipes } from '../../../clients/typescript/src/packshot-client.ts';
import { useSession } from '../shared/session.ts';

interface Catalogue {
  readonly recipes: Recipes['recipes'];
  readonly looks: readonly Look[];
  /** To be called when the account's looks have changed. */
  reload(): void;
}

/** The catalog is empty until it is loaded. Failures are ignored here: the list of photos shows why nothing loads. */
export function useCatalogue(isShown: boolean): Catalogue {
  const { client, hasKey } = useSession();
  const [catalogue, setCatalogue] = useState<Omit<Catalogue, 'reload'>>({ recipes: [], looks: [] });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const fetchAll = async () => {
      const [recipes, looks] = await Promise.all([client.recipes({ signal }), client.looks({ signal })]);
      setCatalogue({ recipes, looks });
    };
    // Again when an opened photo is left: a scene of it may be a look now.
    if (hasKey && isShown) fetchAll().catch(() => undefined);
    return () => leaving.abort();
  }, [client, isShown, turn]);
  return { ...catalogue, reload: () => setTurn((count) => count + 1) };
}
