import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { Sealing } from '../sealing.ts';

/** The purpose of an assertion; it is valid for no other. */
export type AssertionPurpose = 'passkey_login' | 'passkey_second_factor' | 'passkey_step_up';

/** The sealed state that the browser was given, and the response of its authenticator. */
export interface Presented {
  readonly state: string;
  /** JSON of a `PublicKeyCredential` (WebAuthn, 5.1). */
  readonly response: Readonly<Record<string, unknown>>;
}

/** A request to the browser's authenticator. */
export interface Ceremony {
  /** For `navigator.credentials`, as JSON (WebAuthn, 5.1.8 and 5.1.9). */
  readonly options: { readonly challenge: string };
  /** Sealed text that the browser sends back with the response of the authenticator. */
  readonly state: string;
}

interface PasskeyKey {
  readonly id: string;
  /** COSE, base64url. */
  readonly publicKey: string;
}

/** A passkey as browsers identify it. */
export interface KnownPasskey {
  readonly id: string;
  /** Ways to reach it, as reported by the browser that registered it. */
  readonly transports: readonly string[];
}

export interface NewKey extends PasskeyKey, KnownPasskey {
  readonly counter: number;
}

/** A challenge can be used once: its name in `used_once`, and when it expires (milliseconds since the epoch). */
interface ChallengeUse {
  readonly challenge: string;
  readonly expiresAt: number;
}

interface Registered extends ChallengeUse {
  readonly key: NewKey;
  readonly userHandle: string;
}

interface Owner {
  readonly username: string;
  /** Binds the response to one session or login. */
  readonly about: string;
}

/**
 * The ceremonies of WebAuthn for one site: discoverable passkeys with user verification, without attestation. The gate keeps
 * no state between the two halves of a ceremony: the challenge travels sealed. Do not call the methods when passkeys are
 * impossible.
 */
export interface Passkeys {
  /** Whether passkeys are possible: that depends on `public_url`. */
  readonly arePossible: boolean;
  /** @throws AppError `passkeys_impossible` */
  requirePossible(): void;
  /** @param userHandle of the user's passkeys. Omit for the first passkey, which creates it */
  beginRegistration(
    owner: Owner,
    has: readonly KnownPasskey[],
    userHandle: string | undefined,
  ): Promise<Ceremony>;
  /** @returns undefined unless the response is a new passkey of this site for this challenge and owner */
  finishRegistration(owner: Owner, presented: Presented): Promise<Registered | undefined>;
  /** @param allowed omit when the user chooses among all */
  beginAssertion(
    purpose: AssertionPurpose,
    about: string,
    allowed?: readonly KnownPasskey[],
  ): Promise<Ceremony>;
  /** @returns the challenge in a state; `undefined` if it has expired, or is for another purpose or session */
  challengeOf(purpose: AssertionPurpose, about: string, state: string): Promise<ChallengeUse | undefined>;
  /**
   * @returns the counter that the passkey signed with the challenge, for comparison in the transaction that uses it;
   * `undefined` if the signature is invalid
   */
  verifyAssertion(
    response: Presented['response'],
    challenge: string,
    key: PasskeyKey,
  ): Promise<number | undefined>;
}

/** Seconds to respond; a login page is open longer than a dialog. */
const lifetimes = {
  passkey_registration: 300,
  passkey_login: 600,
  passkey_second_factor: 300,
  passkey_step_up: 300,
} as const;

/** EdDSA, ES256 and RS256 (RFC 9053): supported by authenticators, and not experimental in Node. */
const algorithms = [-8, -7, -257];

// Loaded at first use: most gates never need it.
const library = () => import('@simplewebauthn/server');

export function createPasskeys(
  site: RelyingParty | undefined,
  sealing: Pick<Sealing, 'issue' | 'read'>,
  clock: Clock,
): Passkeys {
  const rp = (): RelyingParty => {
    if (site === undefined) throw new Error('passkeys need a public_url');
    return site;
  };
  const timeout = (purpose: keyof typeof lifetimes) => lifetimes[purpose] * 1_000;
  const read = async (
    purpose: keyof typeof lifetimes,
    state: string,
  ): Promise<(Record<string, unknown> & ChallengeUse) | undefined> => {
    const claims = await sealing.read(purpose, state);
    if (typeof claims?.['challenge'] !== 'string') return undefined;
    const expiresAt = clock.now() + timeout(purpose);
    return { ...claims, challenge: claims['challenge'], expiresAt };
  };

  return {
    arePossible: site !== undefined,
    requirePossible: () => {
      if (site === undefined) throw new AppError('passkeys_impossible');
    },

    beginRegistration: async ({ username, about }, has, userHandle = newUserHandle()) => {
      const { generateRegistrationOptions } = await library();
      const options = await generateRegistrationOptions({
        rpID: rp().id,
        rpName: 'Postern',
        userID: bytesOf(userHandle),
        userName: username,
        userDisplayName: username,
        timeout: timeout('passkey_registration'),
        attestationType: 'none',
        supportedAlgorithmIDs: algorithms,
        excludeCredentials: has.map(descriptorOf),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      const claims = { challenge: options.challenge, username, about, userHandle };
      const state = await sealing.issue('passkey_registration', claims, lifetimes.passkey_registration);
      return { options, state };
    },

    finishRegistration: async ({ username, about }, { state, response }) => {
      const claims = await read('passkey_registration', state);
      if (claims?.['username'] !== username || claims['about'] !== about) return undefined;
      const { challenge, expiresAt } = claims;
      const { verifyRegistrationResponse } = await library();
      const { registrationInfo } = await verifyRegistrationResponse({
        response: response as unknown as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: rp().origin,
        expectedRPID: rp().id,
        requireUserVerification: true,
        supportedAlgorithmIDs: algorithms,
      }).catch(nothingVerified);
      if (registrationInfo === undefined || isFramed(response)) return undefined;
      const { id, publicKey, counter, transports } = registrationInfo.credential;
      const key = {
        id,
        publicKey: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports: knownTransports(transports),
      };
      return { key, userHandle: String(claims['userHandle']), challenge, expiresAt };
    },

    beginAssertion: async (purpose, about, allowed = []) => {
      const { generateAuthenticationOptions } = await library();
      const options = await generateAuthenticationOptions({
        rpID: rp().id,
        userVerification: 'required',
        timeout: timeout(purpose),
        allowCredentials: allowed.map(descriptorOf),
      });
      const state = await sealing.issue(purpose, { challenge: options.challenge, about }, lifetimes[purpose]);
      return { options, state };
    },

    challengeOf: async (purpose, about, state) => {
      const claims = await read(purpose, state);
      return claims?.['about'] === about
        ? { challenge: claims.challenge, expiresAt: claims.expiresAt }
        : undefined;
    },

    verifyAssertion: async (response, challenge, { id, publicKey }) => {
      const { verifyAuthenticationResponse } = await library();
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: response as unknown as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: rp().origin,
        expectedRPID: rp().id,
        requireUserVerification: true,
        // The counter is compared later, in the transaction that uses the proof.
        credential: { id, publicKey: bytesOf(publicKey), counter: 0 },
      }).catch(nothingVerified);
      return verified && !isFramed(response) ? authenticationInfo?.newCounter : undefined;
    },
  };
}

/** Random, so that it reveals nothing about the user; the same for all passkeys of a user (WebAuthn, 14.6.1). */
function newUserHandle(): string {
  return randomBytes(32).toString('base64url');
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64url, 'base64url'));
}

const allTransports = ['ble', 'hybrid', 'internal', 'nfc', 'usb'] as const;

/** Transports are unsigned and go back to browsers, so only known ones are kept. */
function knownTransports(said: unknown): readonly AuthenticatorTransport[] {
  return Array.isArray(said) ? allTransports.filter((transport) => said.includes(transport)) : [];
}

function descriptorOf({ id, transports }: KnownPasskey) {
  return { id, transports: [...transports] as AuthenticatorTransport[] };
}

/** The library throws for invalid responses. */
function nothingVerified(): {
  readonly verified: false;
  readonly registrationInfo?: undefined;
  readonly authenticationInfo?: undefined;
} {
  return { verified: false };
}

/** No page of ours asks for a passkey inside a frame of another site. */
function isFramed({ response }: Presented['response']): boolean {
  const { clientDataJSON } = response as { readonly clientDataJSON: string };
  const { crossOrigin } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as {
    readonly crossOrigin?: boolean;
  };
  return crossOrigin === true;
}

/** The site of the passkeys (WebAuthn, 4). */
export interface RelyingParty {
  /** Host of the site: browsers offer its passkeys only there. */
  readonly id: string;
  /** The origin that a browser has to report. */
  readonly origin: string;
}

/**
 * @param publicUrl address of the site
 * @returns undefined when passkeys are impossible: browsers need a host name, and TLS unless it is the same machine
 */
export function relyingPartyOf(publicUrl: string | undefined): RelyingParty | undefined {
  if (publicUrl === undefined) return undefined;
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0;
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return isSecure && !isAddress ? { id: hostname, origin } : undefined;
}
