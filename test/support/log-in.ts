import { sendRaw, type RawAnswer, type RawRequest } from './raw-http.ts';
import type { RunningGateway } from './start-gateway.ts';

/** One client of a gateway: keeps its cookie, like a browser. */
export interface Visitor {
  /** The session token; undefined before a login. */
  token: string | undefined;
  /** Sends a request with the cookie; a body is sent as JSON. Keeps the cookie of the answer. */
  send: (method: string, uri: string, body?: unknown, headers?: RawRequest['headers']) => Promise<RawAnswer>;
  logIn(user: string, password: string): Promise<RawAnswer>;
}

/** @param address `host:port` with TLS, or `unix:/path` */
export function visitor(address: string, tls = !address.startsWith('unix:')): Visitor {
  const self: Visitor = {
    token: undefined,
    send: async (method, uri, body, headers = []) => {
      const cookie = self.token === undefined ? [] : [['Cookie', `session_token=${self.token}`] as const];
      const type = body === undefined ? [] : [['Content-Type', 'application/json'] as const];
      const answer = await sendRaw(
        address,
        {
          method,
          uri,
          headers: [...cookie, ...type, ...headers],
          ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        },
        tls,
      );
      const set = cookieOf(answer);
      if (set !== undefined) self.token = set || undefined;
      return answer;
    },
    logIn: (user, password) => self.send('POST', '/api/login', { user, password }),
  };
  return self;
}

/** @returns the value of the session cookie that an answer sets; empty when it clears it */
export function cookieOf(answer: RawAnswer): string | undefined {
  const line = answer.headers.get('set-cookie')?.find((value) => value.startsWith('session_token='));
  return line === undefined ? undefined : /^session_token=([^;]*)/.exec(line)?.[1];
}

/** @returns the password that the first start printed */
export function printedPassword({ log }: RunningGateway): string {
  const line = log.map(({ msg }) => String(msg)).findLast((msg) => msg.includes('password: '));
  return /password: (\S+)/.exec(line ?? '')?.[1] ?? '';
}

/**
 * @returns a visitor of the authenticated entry point who is signed in as admin, and proves it again with the password when the gate
 * asks: no test depends on how long the ones before took
 */
export async function adminOf(
  gateway: RunningGateway,
  address = gateway.addresses.authenticated ?? '',
  tls?: boolean,
): Promise<Visitor> {
  const admin = visitor(address, tls);
  const password = printedPassword(gateway);
  const answer = await admin.logIn('admin', password);
  if (answer.status !== 200) throw new Error(`login of admin: ${answer.status} ${answer.body}`);
  const { send } = admin;
  admin.send = async (...request) => {
    const first = await send(...request);
    if (first.status !== 403 || !first.body.includes('step_up_needed')) return first;
    await send('POST', '/postern/api/step-up', { password });
    return send(...request);
  };
  return admin;
}

/** A password that every test user may have. */
export const goodPassword = 'correct-horse-battery';

/** Makes a user, and logs it in. */
export async function userOf(
  admin: Visitor,
  address: string,
  username: string,
  role: string,
  tls?: boolean,
): Promise<Visitor> {
  await admin.send('POST', '/api/users', { username, password: goodPassword, role });
  const user = visitor(address, tls);
  const answer = await user.logIn(username, goodPassword);
  if (answer.status !== 200) throw new Error(`login of ${username}: ${answer.status} ${answer.body}`);
  return user;
}

/** Invites someone to cameras or a role, and accepts the invitation with a password. */
export async function guestOf(
  admin: Visitor,
  address: string,
  username: string,
  access:
    | { readonly role: string }
    | { readonly cameras: readonly string[]; readonly may: readonly string[] },
  tls?: boolean,
): Promise<Visitor> {
  const wanted = { name: username, ...access, expires_in: 3_600 };
  const made = await admin.send('POST', '/postern/api/invitations', wanted);
  const { id, url } = JSON.parse(made.body) as { readonly id: string; readonly url: string };
  const guest = visitor(address, tls);
  const secret = url.slice(url.indexOf('#') + 1);
  const account = { secret, username, password: goodPassword };
  const answer = await guest.send('POST', `/postern/api/invitations/${id}/accept`, account);
  if (answer.status !== 201) throw new Error(`${username} was not let in: ${answer.status} ${answer.body}`);
  return guest;
}
