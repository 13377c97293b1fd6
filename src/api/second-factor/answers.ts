import * as v from 'valibot';
import type { Answer } from '../endpoint.ts';
import { profile } from '../profile/profile.ts';

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
} satisfies Answer;
export const notPossible = {
  meaning: 'Passkeys need `public_url`: https, with a host name.',
} satisfies Answer;
export const tooMany = { meaning: 'Too many attempts; `Retry-After` has the seconds.' } satisfies Answer;
export const loggedIn = {
  meaning: 'Signed in; `Set-Cookie` has the session token.',
  body: profile,
} satisfies Answer;
