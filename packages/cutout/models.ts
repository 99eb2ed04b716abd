/** Models on disk: those that can be installed by name, those that are, and their installation. */
export {
  type InstalledModel,
  type InstallRequest,
  installListed,
  installModel,
} from './src/models/install-model.ts';
export {
  findModelFiles,
  listInstalledModels,
  listInstalledNames,
  listPackagedModels,
  listUnfinished,
  type ModelState,
  measureCopies,
  removeModel,
} from './src/models/installed-models.ts';
export {
  findListed,
  type ListedModel,
  listedModels,
  type ModelFamily,
  modelFamilies,
} from './src/models/listed-models.ts';
