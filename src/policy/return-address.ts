/**
 * Where to go after a login: the value of `next`, which is the last parameter and may stand there as it is
 * (nginx cannot encode it).
 * @param domains of `auth.return_domains`
 * @returns a path of this origin, or an https URL of one of the domains; `/` in place of anything else
 */
export function returnAddress(search: string, domains: readonly string[]): string {
  const value = /[?&]next=(.*)$/.exec(search)?.[1] ?? '';
  const address = value.startsWith('/') ? value : decoded(value);
  return isOwn(address) || isOfDomain(address, domains) ? address : '/';
}

/**
 * Whether a query has a parameter, with a value or without. Behind `next`, the last one, all is of the page that it names.
 * @param target a request target, or its query
 */
export function saysBeforeNext(target: string, parameter: string): boolean {
  const [own = ''] = target.split(/[?&]next=/, 1);
  const query = own.split('?')[1]?.split('&') ?? [];
  return query.some((pair) => pair.split('=', 1)[0] === parameter);
}

/**
 * @param address what `returnAddress` gives
 * @param prefix of the paths of this site; a path is one below it, whether it says so or not
 * @returns the same for a `Location`, in ASCII
 */
export function locationOf(address: string, prefix: string): string {
  if (!address.startsWith('/')) return new URL(address).href;
  const { pathname, search, hash } = new URL(address, 'http://own.test');
  const isBelow = pathname.startsWith(`${prefix}/`);
  // Without its dot segments a path can begin with two slashes, and then is another host.
  const below = (isBelow ? pathname.slice(prefix.length) : pathname).replace(/^\/+/, '/');
  return prefix + below + search + hash;
}

/** One slash at the beginning, no backslash, no control character, nothing that changes the origin. */
function isOwn(address: string): boolean {
  return (
    /^\/(?!\/)/.test(address) && isPlain(address) && new URL(address, 'http://own.test').host === 'own.test'
  );
}

/** The domain itself, or one below it; by https, on its port, and without a user. */
function isOfDomain(address: string, domains: readonly string[]): boolean {
  if (!address.startsWith('https://') || !isPlain(address) || !URL.canParse(address)) return false;
  const { host, username, password } = new URL(address);
  if (username !== '' || password !== '') return false;
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}

/** No backslash, no control character, no space: browsers read some of them as something else. */
function isPlain(address: string): boolean {
  return /^[^\\\u0000-\u0020\u007f]*$/.test(address);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}
