/** Where the package is. */

/** The folder of `package.json`: two above this file, in `src` and in `dist` alike, where all commands are in one folder. */
export const packageFolder: URL = new URL('../../', import.meta.url)
