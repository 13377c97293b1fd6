import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { Clock } from '../../clock.ts';
import { clientOf } from '../../http/fronts/client.ts';
import { ownCookies } from '../../policy/own-cookies.ts';
import { headerValues, withoutWhiteSpace } from '../../policy/raw-headers.ts';
import type { Sealing } from '../../accounts/sealing.ts';
import { sessionCookie } from '../../accounts/sessions/session-cookie.ts';
import type { Settings } from '../../access/settings/settings.ts';
import type { AttemptSecrets } from './provider.ts';
import type { ApiContext } from '../../api/environment.ts';

/** A login that a browser has begun here, and finishes here when it returns from the provider. */
export interface Attempt extends AttemptSecrets {
  /** Path that the login leads to: a result of `returnAddress`. */
  readonly next: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Each attempt is a cookie of its own, so that several tabs can sign in at once; nothing is stored here. */
export interface Attempts {
  /** @returns the values that the provider has to send back; the answer sets the cookie */
  begin(c: ApiContext, next: string): Promise<AttemptSecrets>;
  /** @returns the attempt that this browser began; `undefined` if there is none, or it has expired */
  find(c: ApiContext): Promise<Attempt | undefined>;
  /** Removes the cookie. */
  forget(c: ApiContext, attempt: Pick<Attempt, 'state'>): void;
}

interface AttemptsDependencies {
  readonly settings: Settings;
  readonly sealing: Pick<Sealing, 'issue' | 'read'>;
  readonly clock: Clock;
  /** An attempt that began at one provider cannot finish at another. */
  readonly issuer: string;
}

/** Seconds for the login at the provider. */
const lifetime = 600;

/** Attempts per browser. Other sites can begin them, and header lines are limited. */
const mostAttempts = 8;

/** Characters; a cookie has 4,096 bytes at most. */
const longestNext = 1_024;

const nameOf = (state: string) => ownCookies.attempt + state.slice(0, 16);

/** 256 bits, as PKCE requires too (RFC 7636, 4.1). */
const random = () => randomBytes(32).toString('base64url');
const isRandom = v.pipe(v.string(), v.regex(/^[\w-]{43}$/));
const sealed = v.object({
  state: isRandom,
  nonce: isRandom,
  verifier: isRandom,
  next: v.string(),
  exp: v.number(),
});

export function createAttempts({ settings, sealing, clock, issuer }: AttemptsDependencies): Attempts {
  const purpose = `login at ${issuer}`;
  const setCookie = (c: ApiContext, name: string, value: string, maxAge: number) => {
    const { prefix, secure } = clientOf(c.env, settings);
    const attributes = `; Max-Age=${maxAge}; Path=${prefix}/postern/oidc/; HttpOnly; SameSite=Lax`;
    c.header('set-cookie', `${name}=${value}${attributes}${secure ? '; Secure' : ''}`, { append: true });
  };
  return {
    begin: async (c, next) => {
      const secrets = { state: random(), nonce: random(), verifier: random() };
      const kept = { ...secrets, next: next.length > longestNext ? '/' : next };
      for (const name of attemptNames(c).slice(mostAttempts - 1)) setCookie(c, name, '', 0);
      setCookie(c, nameOf(secrets.state), await sealing.issue(purpose, kept, lifetime), lifetime);
      return secrets;
    },

    find: async (c) => {
      const state = new URL(c.req.url).searchParams.get('state');
      if (!v.is(isRandom, state)) return undefined;
      const cookie = sessionCookie(nameOf(state)).read(headerValues(c.env.incoming.rawHeaders, 'cookie'));
      if (typeof cookie === 'string') return undefined;
      const claims = await sealing.read(purpose, cookie.token);
      if (!v.is(sealed, claims) || claims.state !== state) return undefined;
      const { exp: expSeconds, ...attempt } = claims;
      return { ...attempt, expiresAt: Math.max(expSeconds * 1000, clock.now()) };
    },

    forget: (c, { state }) => setCookie(c, nameOf(state), '', 0),
  };
}

function attemptNames(c: ApiContext): readonly string[] {
  return headerValues(c.env.incoming.rawHeaders, 'cookie')
    .flatMap((header) => header.split(';'))
    .map((pair) => withoutWhiteSpace(pair).split('=', 1)[0] ?? '')
    .filter((name) => /^postern_oidc_[\w-]{16}$/.test(name));
}
