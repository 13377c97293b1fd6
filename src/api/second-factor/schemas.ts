import * as v from 'valibot';
import type { Proof } from '../../accounts/second-factor/proofs.ts';
import type { AnswerDescription } from '../endpoint.ts';
import { profile } from '../users/profile.ts';

export const seconds = v.pipe(v.number(), v.description('Seconds since the epoch.'));

export const ceremony = v.strictObject({
  options: v.pipe(
    v.looseObject({ challenge: v.string() }),
    v.description('For `navigator.credentials`, as JSON (WebAuthn, 5.1.8 and 5.1.9).'),
  ),
  state: v.pipe(v.string(), v.description("Send it back with the browser's result for the options.")),
});

export const expired = {
  meaning: '`challenge_expired`: it took too long, it was used before, or the password has changed since.',
} satisfies AnswerDescription;
export const notPossible = {
  meaning: 'Passkeys need `public_url`: https, with a host name.',
} satisfies AnswerDescription;
export const tooMany = {
  meaning: 'Too many attempts; `Retry-After` has the seconds.',
} satisfies AnswerDescription;
export const loggedIn = {
  meaning: 'Signed in; `Set-Cookie` has the session token.',
  body: profile,
} satisfies AnswerDescription;

const text = v.string('Input should be text');

/** A text that the gate has issued and gets back. */
export const sealed = text;

/** A code, with or without separators. */
export const typed = v.pipe(text, v.trim());

/** The browser's result for `options`: the JSON of its `PublicKeyCredential`. */
export const passkeyAnswer = v.object({
  state: sealed,
  response: v.looseObject({
    id: text,
    rawId: text,
    type: text,
    response: v.looseObject({ clientDataJSON: text }),
  }),
});

/** Second factors in a body, which has one of them. */
export const proofFields = {
  code: v.optional(typed),
  recovery_code: v.optional(typed),
  passkey: v.optional(passkeyAnswer),
};

/** @returns undefined if the body has no proof, or several */
export function proofOf({
  code,
  recovery_code: recoveryCode,
  passkey,
}: v.InferOutput<v.ObjectSchema<typeof proofFields, undefined>>): Proof | undefined {
  const given: Proof[] = [];
  if (code !== undefined) given.push({ method: 'one_time_code', code });
  if (recoveryCode !== undefined) given.push({ method: 'recovery_code', code: recoveryCode });
  if (passkey !== undefined) given.push({ method: 'passkey', passkey });
  return given.length === 1 ? given[0] : undefined;
}
