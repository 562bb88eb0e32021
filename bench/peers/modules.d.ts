/** Packages that only `bench/package.json` installs. */
declare module '@ag-ui/client'
declare module 'rxjs'
declare module 'valibot'
