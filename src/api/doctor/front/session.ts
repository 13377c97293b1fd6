import { CannotExamine } from '../check.ts';
import { type ProbeAnswer, type HeaderLine, inWords, isSuccess, jsonOf } from './exchange.ts';
import type { Credentials, Examination, Session } from './examination.ts';

/**
 * Signs in, or uses the token.
 * @returns the session, or why it could not begin
 * @throws CannotExamine when the front rejects the credentials
 */
export async function beginSession(reached: Omit<Examination, 'session'>): Promise<Examination['session']> {
  const { options, first } = reached;
  const { credentials, insecure, front } = options;
  if (credentials === undefined) return { missing: 'give --user with --password-stdin, or --token' };
  if (!insecure && !front.tls) return { missing: 'nothing secret is sent without TLS, but with --insecure' };
  if (!insecure && first.certificateProblem !== undefined) {
    return {
      missing: 'nothing secret is sent to a server whose certificate is no good, but with --insecure',
    };
  }
  return 'token' in credentials ? takeToken(reached, credentials.token) : logIn(reached, credentials);
}

async function takeToken(reached: Omit<Examination, 'session'>, token: string): Promise<Session> {
  const headers: HeaderLine[] = [['Authorization', `Bearer ${token}`]];
  const profile = await reached.send({ target: '/api/profile', headers });
  if (!isSuccess(profile)) throw new CannotExamine(`the token is not taken: ${inWords(profile)}`);
  return { headers, token, login: undefined, profile, ...subjectOf(profile) };
}

async function logIn(
  { send }: Omit<Examination, 'session'>,
  { user, password }: Extract<Credentials, { user: string }>,
): Promise<Session> {
  const login = await send({
    method: 'POST',
    target: '/api/login',
    body: JSON.stringify({ user, password }),
  });
  if (!isSuccess(login)) throw new CannotExamine(`the login is not taken: ${inWords(login)}`);
  const cookie = sessionCookieOf(login);
  const headers: HeaderLine[] = cookie === undefined ? [] : [['Cookie', `${cookie.name}=${cookie.token}`]];
  const profile = await send({ target: '/api/profile', headers });
  return { headers, token: cookie?.token ?? '', login, profile, ...subjectOf(profile) };
}

/** A cookie of an answer whose value looks like a token (RFC 7519). */
export function sessionCookieOf(
  answer: ProbeAnswer,
): { readonly name: string; readonly token: string; readonly line: string } | undefined {
  for (const line of answer.headers.get('set-cookie') ?? []) {
    const [, name = '', token = ''] = /^([^=;\s]+)=([\w-]+\.[\w-]+\.[\w-]+)(?:;|$)/.exec(line) ?? [];
    if (token !== '') return { name, token, line };
  }
  return undefined;
}

function subjectOf(profile: ProbeAnswer): { readonly role: string; readonly cameras: readonly string[] } {
  const { role, allowed_cameras: cameras } = (jsonOf(profile) ?? {}) as {
    readonly role?: unknown;
    readonly allowed_cameras?: unknown;
  };
  return {
    role: typeof role === 'string' ? role : '',
    cameras: Array.isArray(cameras) ? cameras.filter((name) => typeof name === 'string') : [],
  };
}

/** Whether a role is limited to cameras. */
export function isLimited({ role }: Session): boolean {
  return role !== '' && role !== 'admin' && role !== 'viewer';
}

/** Milliseconds since the epoch. @returns undefined if the token does not contain it */
export function timesOf(token: string): { readonly issued: number; readonly expires: number } | undefined {
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      readonly iat?: unknown;
      readonly exp?: unknown;
    };
    const { iat: iatSeconds, exp: expSeconds } = claims;
    if (typeof iatSeconds !== 'number' || typeof expSeconds !== 'number') return undefined;
    return { issued: iatSeconds * 1000, expires: expSeconds * 1000 };
  } catch {
    return undefined;
  }
}

/** A target that the session may not have. */
export interface ClosedTarget {
  readonly target: string;
  /** The segment after `/api/`, which gets aliases. */
  readonly segment: string;
  /** The text after the segment. */
  readonly rest: string;
}

/**
 * Requests for things that the role of the session may not have: administration, and cameras outside the grant, of those that
 * `--camera` and the configuration name. Empty for an admin.
 */
export function closedTargets({ session, options, context }: Examination): readonly ClosedTarget[] {
  if ('missing' in session || session.role === 'admin' || session.role === '') return [];
  // An operator's rule can open /api/config, but not this path.
  const administration = { target: '/api/config/raw', segment: 'config', rest: '/raw' };
  const camera = isLimited(session) ? closedCamera(session, { options, context }) : undefined;
  if (camera === undefined) return [administration];
  const segment = encodeURIComponent(camera);
  return [{ target: `/api/${segment}/latest.jpg`, segment, rest: '/latest.jpg' }, administration];
}

/** @returns a camera that the session may not see, of those that `--camera` and the configuration name */
export function closedCamera(
  { cameras }: Session,
  { options, context }: Pick<Examination, 'options' | 'context'>,
): string | undefined {
  const named = [...options.cameras, ...(context.configuration?.cameras ?? [])];
  return named.find((camera) => !cameras.includes(camera));
}
