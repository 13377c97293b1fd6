/** @returns the origin of a typed address, null if the field is empty, `undefined` if it is no address of a site */
export function typedOrigin(typed: string): string | null | undefined {
  const address = typed.trim();
  if (address === '') return null;
  const url = URL.parse(/^[a-z]+:\/\//i.test(address) ? address : `https://${address}`);
  const isSite = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isSite && url.pathname === '/' && url.search === '' && url.hash === '' ? url.origin : undefined;
}
