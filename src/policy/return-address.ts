/**
 * Where to go after a login: the value of `next`, which is the last parameter and may be unencoded (nginx cannot encode it).
 * @param domains of `auth.return_domains`
 * @returns a path of this origin, or an https URL of one of the domains; `/` for anything else
 */
export function returnAddress(search: string, domains: readonly string[]): string {
  const value = /[?&]next=(.*)$/.exec(search)?.[1] ?? '';
  const address = value.startsWith('/') ? value : decoded(value);
  return isOwn(address) || isOfDomain(address, domains) ? address : '/';
}

/**
 * Whether a query has a parameter, with a value or without. Everything after `next`, the last one, belongs to the page that it names.
 * @param target a request target, or its query
 */
export function saysBeforeNext(target: string, parameter: string): boolean {
  const [own = ''] = target.split(/[?&]next=/, 1);
  const query = own.split('?')[1]?.split('&') ?? [];
  return query.some((pair) => pair.split('=', 1)[0] === parameter);
}

/**
 * @param address from `returnAddress`
 * @param prefix of the paths of this site; added to a path that does not have it
 * @returns the address for a `Location` header, in ASCII
 */
export function locationOf(address: string, prefix: string): string {
  if (!address.startsWith('/')) return new URL(address).href;
  return prefix + belowPrefix(new URL(address, 'http://own.test'), prefix);
}

/** Where people land after a login without a deep link: `ui.landing`. */
export type Landing = 'home' | 'recorder';

/** Below the prefix. */
const landings = { home: '/postern/', recorder: '/' } as const;

interface Site {
  readonly landing: Landing;
  /** Path prefix of the site, below which it has its root. */
  readonly prefix: string;
  /** Host of this site, with the port unless that is the usual one. */
  readonly host: string | undefined;
}

/**
 * The root of this site is no deep link, and pages that sign in or out would lead back to the login: they give way to the
 * landing page.
 * @param address from `returnAddress`
 * @returns where a login leads; landing pages have the prefix
 */
export function destinationOf(address: string, { landing, prefix, host }: Site): string {
  const url = new URL(address, 'http://own.test');
  const isAbsolute = !address.startsWith('/');
  if (isAbsolute && url.host !== host?.toLowerCase()) return address;
  if (!/^\/(?:(?:login|logout|postern\/oidc)(?:[/?#].*)?)?$/s.test(belowPrefix(url, prefix))) return address;
  return (isAbsolute ? url.origin : '') + prefix + landings[landing];
}

/** @returns the path below the prefix, with query and fragment */
function belowPrefix({ pathname, search, hash }: URL, prefix: string): string {
  const isBelow = pathname === prefix || pathname.startsWith(`${prefix}/`);
  // Without its dot segments a path can begin with two slashes, which would name another host.
  const below = `/${isBelow ? pathname.slice(prefix.length) : pathname}`.replace(/^\/+/, '/');
  return below + search + hash;
}

/** One slash at the beginning, no backslash, no control character, nothing that changes the origin. */
function isOwn(address: string): boolean {
  return (
    /^\/(?!\/)/.test(address) && isPlain(address) && new URL(address, 'http://own.test').host === 'own.test'
  );
}

/** The domain itself, or a subdomain; https, on the same port, and without a user. */
function isOfDomain(address: string, domains: readonly string[]): boolean {
  if (!address.startsWith('https://') || !isPlain(address) || !URL.canParse(address)) return false;
  const { host, username, password } = new URL(address);
  if (username !== '' || password !== '') return false;
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}

/** No backslash, control character or space: browsers interpret some of them. */
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
