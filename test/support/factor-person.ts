import { expect } from 'vitest';
import { Secret, TOTP } from 'otpauth';
import { unconditional } from '../../src/store/permit.ts';
import { goodPassword as password, visitor, type Visitor } from './log-in.ts';
import type { RawAnswer } from './raw-http.ts';
import { softwareAuthenticator } from './software-authenticator.ts';
import { hashOf, type DelayedGate } from './start-delayed-gate.ts';

/** The origin at which browsers reach the gate of the tests. */
export const site = 'https://cameras.example';
export const authenticator = softwareAuthenticator(site);

type Passkey = ReturnType<typeof authenticator.create>['passkey'];
export type Deviation = NonNullable<Parameters<typeof authenticator.sign>[2]>;
type Ceremony = { readonly options: never; readonly state: string };

export const bodyOf = ({ body }: RawAnswer) => JSON.parse(body) as Record<string, string>;
/** Status and code of an answer. */
export const outcome = (answer: RawAnswer) =>
  answer.status < 300 ? `${answer.status}` : `${answer.status} ${bodyOf(answer)['code'] ?? ''}`.trim();

/** An account of the gate, whose user does what a browser and an authenticator app do. */
export interface Person extends Visitor {
  readonly name: string;
  /** Signs in with the password. @returns the challenge, where a second factor is asked for */
  begin(): Promise<string>;
  /** Ends such a login. */
  finish(challenge: string, proof: object, headers?: Parameters<Visitor['send']>[3]): Promise<RawAnswer>;
  addPasskey(): Promise<Passkey>;
  setUpCode(): Promise<{ readonly secret: string; readonly recoveryCodes: readonly string[] }>;
  /** @param steps from now */
  code(secret: string, steps?: number): string;
  /** What an endpoint asks a browser to do. */
  options(path: string, body?: object): Promise<Ceremony>;
  methods(): Promise<{
    readonly passkeys: ReadonlyArray<{ readonly id: string }>;
    readonly one_time_code: object | null;
    readonly proof_needed: boolean;
    readonly required: boolean;
  }>;
  /** Signs the challenge of an endpoint. */
  passkeyFor(path: string, passkey: Passkey, deviation?: Deviation, body?: object): Promise<object>;
}

/** @returns what an app shows for a secret, at a time in milliseconds since the epoch */
export const codeOf = (secret: string, timestamp: number) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp });

/** Adds a user, who signs in with the password. */
export async function person(gate: DelayedGate, name: string, role = 'viewer'): Promise<Person> {
  await gate.services.users.add({ username: name, role, passwordHash: hashOf(password) }, unconditional);
  const user = personOf(gate, name);
  expect(outcome(await user.logIn(name, password))).toBe('200');
  return user;
}

/** The same user at another browser, without a session. */
export function personOf(gate: DelayedGate, name: string): Person {
  const user = visitor(gate.address, false);
  const now = () => gate.services.clock.now();
  const options = async (path: string, body: object = {}) => {
    const answer = await user.send('POST', path, body);
    expect(outcome(answer), path).toBe('200');
    return JSON.parse(answer.body) as Ceremony;
  };
  const self: Person = Object.assign(user, {
    name,
    begin: async () => {
      const answer = await user.logIn(name, password);
      expect(outcome(answer)).toBe('401 second_factor_needed');
      return bodyOf(answer)['challenge'] ?? '';
    },
    finish: (challenge: string, proof: object, headers?: Parameters<Visitor['send']>[3]) =>
      user.send('POST', '/postern/api/login/second-factor', { challenge, ...proof }, headers),
    options,
    methods: async () =>
      JSON.parse((await user.send('GET', '/postern/api/sign-in-methods')).body) as Awaited<
        ReturnType<Person['methods']>
      >,
    addPasskey: async () => {
      const { options: asked, state } = await options('/postern/api/passkeys/options');
      const { passkey, response } = authenticator.create(asked);
      const answer = await user.send('POST', '/postern/api/passkeys', { name: 'phone', state, response });
      expect(outcome(answer)).toBe('201');
      return passkey;
    },
    setUpCode: async () => {
      const setup = await user.send('POST', '/postern/api/one-time-code/setup', {});
      expect(outcome(setup)).toBe('200');
      const { secret = '', state } = bodyOf(setup);
      // Of the step before, so that the one of now is not used yet.
      const code = self.code(secret, -1);
      const answer = await user.send('POST', '/postern/api/one-time-code', { state, code });
      expect(outcome(answer)).toBe('201');
      const { recovery_codes: recoveryCodes } = JSON.parse(answer.body) as { recovery_codes: string[] };
      return { secret, recoveryCodes };
    },
    code: (secret: string, steps = 0) => codeOf(secret, now() + steps * 30_000),
    passkeyFor: async (path: string, passkey: Passkey, deviation?: Deviation, body?: object) => {
      const { options: asked, state } = await options(path, body);
      return { state, response: authenticator.sign(passkey, asked, deviation) };
    },
  });
  return self;
}
