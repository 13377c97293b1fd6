/** @returns the address by which other devices open the site: `public_url`, or the browser's own where none is set */
export function siteAddress(publicUrl: string | null, browserOrigin: string): URL {
  return URL.parse(publicUrl ?? browserOrigin) ?? new URL(browserOrigin);
}

/** Whether an address leads every device to itself: a phone would find nothing there. */
export function isOfThisComputer({ hostname }: Pick<URL, 'hostname'>): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(hostname);
}
