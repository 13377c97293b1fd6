import * as v from 'valibot';
import type { Proof } from '../../accounts/second-factor/proofs.ts';

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

/** @returns undefined when the body has no proof, or several */
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
