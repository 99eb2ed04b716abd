/** Where the project lives on the web: the only place that says so. */

/** URL of the repository, such as `https://github.com/OWNER/NAME`; undefined until the project has one. */
const home: string | undefined = undefined;

/** The fields of a published package.json that point to the repository; none without a home. */
export function pointHome(url: string | undefined = home) {
  if (url === undefined) return {};
  return {
    repository: { type: 'git', url: `git+${url}.git` },
    homepage: `${url}#readme`,
    bugs: `${url}/issues`,
  };
}
