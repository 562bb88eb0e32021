/**
 * Whether a request comes from your own pages, by its header `Sec-Fetch-Site`; clients that are no browsers send none. A page or form of
 * another site posts with the cookies of your user, too.
 */
export function isOwnSite(site: string | null | undefined): boolean {
  return site == null || site === 'none' || site === 'same-origin'
}
