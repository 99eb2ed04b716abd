/** The MCP server: nine tools on the public API, in a fixed order. Independent of the transport (stdio or HTTP). */
import { McpServer } from '@modelcontextprotocol/server';
import { packageVersion } from '../version.ts';
import type { ToolContext } from './tool-context.ts';
import { addCheckListing } from './tools/check-listing.ts';
import { addCorrectCutout } from './tools/correct-cutout.ts';
import { addDeleteDesign, addGetDesign } from './tools/designs.ts';
import { addKeepLook } from './tools/keep-look.ts';
import { addListRecipes } from './tools/list-recipes.ts';
import { addRemoveBackground } from './tools/remove-background.ts';
import { addRender } from './tools/render.ts';
import { addSuggestScenes } from './tools/suggest-scenes.ts';

const instructions =
  'Packshot makes product pictures from photos. Typical order: remove_background (or suggest_scenes) with the photo, look at ' +
  'the previews, then render with the designId from the result. Photos are kept on the machine that runs Packshot.';

/** Creates a server for one connection, or for one request over HTTP. */
export function createToolServer(context: ToolContext): McpServer {
  const server = new McpServer(
    { name: 'packshot', title: 'Packshot', version: packageVersion },
    { capabilities: { tools: {} }, instructions },
  );
  for (const add of [
    addRemoveBackground,
    addCorrectCutout,
    addSuggestScenes,
    addRender,
    addCheckListing,
    addListRecipes,
    addKeepLook,
    addGetDesign,
    addDeleteDesign,
  ]) {
    add(server, context);
  }
  return server;
}
