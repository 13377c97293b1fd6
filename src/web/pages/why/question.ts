import { capabilities, type Capability } from '../../ui/roles/role-access.ts';
import type { Who } from '../../ui/roles/role-paths.ts';
import type { ToldRecord } from '../../../api/explain/audit.ts';

/** Whether someone may do something with a camera. */
export interface Question {
  readonly who: Who;
  readonly camera: string;
  readonly to: Capability;
  /** Seconds since the epoch. Absent for now. */
  readonly at?: number | undefined;
}

type Query = Readonly<Record<string, string | undefined>>;

/** @returns the question in an address, as far as it is asked */
export function questionIn({ user, role, camera, to, at }: Query): Partial<Question> {
  const who = user !== undefined ? { user } : role !== undefined ? { role } : undefined;
  const word = capabilities.find((name) => name === to);
  return {
    ...(who && { who }),
    ...(camera !== undefined && { camera }),
    ...(word !== undefined && { to: word }),
    ...(at !== undefined && /^\d{1,11}$/.test(at) && { at: Number(at) }),
  };
}

/** @returns the question as the query of an address */
export function queryOf({ who, camera, to, at }: Question): string {
  return new URLSearchParams({
    ...who,
    camera,
    to,
    ...(at === undefined ? {} : { at: String(at) }),
  }).toString();
}

/** Someone as the value of a choice. */
export function valueOf(who: Who): string {
  return 'user' in who ? `user ${who.user}` : `role ${who.role}`;
}

export function whoOf(value: string): Who {
  const [kind, ...rest] = value.split(' ');
  const name = rest.join(' ');
  return kind === 'user' ? { user: name } : { role: name };
}

/** A request that Postern decides now. */
export interface RequestQuestion {
  readonly method: string;
  readonly uri: string;
  readonly edge: 'authenticated' | 'internal';
  readonly user?: string;
  readonly role?: string;
}

/**
 * The page asks again when Postern no longer keeps the decision of a refusal. Records keep no query.
 * @returns what to ask, in order: the user may be deleted, or come from a proxy
 */
export function questionsOf({ user, role, source, object: uri, detail }: ToldRecord): RequestQuestion[] {
  const { method, entry_point: edge } = detail;
  // A long path is cut in the record.
  if (typeof method !== 'string' || uri === null || !uri.startsWith('/') || uri.endsWith('…')) return [];
  const asked = { method, uri, edge: edge === 'internal' ? 'internal' : 'authenticated' } as const;
  if (edge === 'internal' || user === null) return [asked];
  const byAccount = source === 'session' || source === 'bearer' ? [{ ...asked, user }] : [];
  return [...byAccount, ...(role === null ? [] : [{ ...asked, role }])];
}

/** The site's address in the browser. */
interface Place {
  /** `https://host:port` */
  readonly origin: string;
  /** Path prefix of the site; empty at the root. */
  readonly prefix: string;
}

type TakenApart =
  /** On this site, with path and query as Postern would receive them. */
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

/** The path as a browser would send it. The rest stays as typed, because Postern parses it itself. */
function here(path: string, prefix: string): TakenApart {
  const [sent = ''] = path.split('#');
  const isBelow =
    prefix !== '' && (sent === prefix || sent.startsWith(`${prefix}/`) || sent.startsWith(`${prefix}?`));
  const own = isBelow ? sent.slice(prefix.length) : sent;
  const uri = own.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent);
  return { kind: 'here', uri: uri.startsWith('/') ? uri : `/${uri}` };
}
