/** A suggested scene as one word that a model can hand on: its ratio, and the signed URI that says the rest. */
import type { RenderInput, SuggestedRecipe } from '../../clients/typescript/src/packshot-client.ts';
import { ToolError } from './tool-error.ts';

export function nameScene({ recipeId, variant, mutations }: SuggestedRecipe): string {
  const uri = mutations?.images?.primaryIllustration?.uri;
  return [recipeId, variant, uri ?? ''].join('|');
}

/** Throws `ToolError` for what `nameScene` did not make; the service checks the signature. */
export function readScene(scene: string): Omit<RenderInput, 'id'> {
  const [recipeId = '', variant = '', uri = '', ...rest] = scene.split('|');
  if (recipeId === '' || variant === '' || !URL.canParse(uri) || rest.length > 0) {
    throw new ToolError('scene must be a value that suggest_scenes answered, unchanged.');
  }
  const primaryIllustration = { uri, source: 'WEB' } as const;
  return {
    recipeId,
    variant: variant as RenderInput['variant'],
    mutations: { images: { primaryIllustration } },
  };
}
