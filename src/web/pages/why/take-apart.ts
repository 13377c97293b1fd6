/** The site's address in the browser. */
export interface Place {
  /** `https://host:port` */
  readonly origin: string;
  /** Path prefix of the site; empty at the root. */
  readonly prefix: string;
}

type TakenApart =
  /** On this site: path and query as the gate would receive them. */
  | { readonly kind: 'here'; readonly uri: string }
  /** On another site. */
  | { readonly kind: 'elsewhere'; readonly site: string }
  | { readonly kind: 'nothing' };

/** @param typed a path, or an address as a browser shows it */
export function takeApart(typed: string, { origin, prefix }: Place): TakenApart {
  const text = typed.trim();
  if (text === '') return { kind: 'nothing' };
  const { host } = new URL(origin);
  const isHost = text.toLowerCase() === host || text.toLowerCase().startsWith(`${host}/`);
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || isHost;
  if (!address) return here(text.startsWith('/') ? text : `/${text}`, prefix);
  // A WebSocket has its own scheme on the same site.
  const url = URL.parse(isHost ? `${new URL(origin).protocol}//${text}` : text.replace(/^ws/i, 'http'));
  if (url === null) return { kind: 'elsewhere', site: text };
  const isBelow = prefix === '' || url.pathname === prefix || url.pathname.startsWith(`${prefix}/`);
  if (url.origin !== origin || !isBelow)
    return {
      kind: 'elsewhere',
      site: isBelow && url.origin !== 'null' ? url.origin : `${url.protocol}//${url.host}`,
    };
  return here(url.pathname + url.search, prefix);
}

/** The path as a browser would send it; the rest stays as typed, since the gate parses it itself. */
function here(path: string, prefix: string): TakenApart {
  const [sent = ''] = path.split('#');
  const isBelow =
    prefix !== '' && (sent === prefix || sent.startsWith(`${prefix}/`) || sent.startsWith(`${prefix}?`));
  const own = isBelow ? sent.slice(prefix.length) : sent;
  const uri = own.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent);
  return { kind: 'here', uri: uri.startsWith('/') ? uri : `/${uri}` };
}
