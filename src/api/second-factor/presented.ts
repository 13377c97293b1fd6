import * as v from 'valibot';
import type { Proof } from '../../identity/second-factor/proofs.ts';

const text = v.string('Input should be text');

/** What the gate has given and gets back. */
export const sealed = text;

/** A code, however it is typed. */
export const typed = v.pipe(text, v.trim());

/** What a browser makes of `options`: the JSON of its `PublicKeyCredential`. */
export const passkeyAnswer = v.object({
  state: sealed,
  response: v.looseObject({
    id: text,
    rawId: text,
    type: text,
    response: v.looseObject({ clientDataJSON: text }),
  }),
});

/** The ways to show a second factor: a body has one of them. */
export const proofFields = {
  code: v.optional(typed),
  recovery_code: v.optional(typed),
  passkey: v.optional(passkeyAnswer),
};

/** @returns the proof that a body has; undefined when it has none, or several */
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
