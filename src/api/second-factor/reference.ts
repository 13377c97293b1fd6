import * as v from 'valibot';
import type { Answer, Reference } from '../endpoint.ts';
import { keptMeaning } from '../kept.ts';
import { profile } from '../profile/reference.ts';
import { passkeyOptionsBody, secondFactorBody } from './login.ts';
import { newOneTimeCode, newPasskey } from './own-factors.ts';
import { passkeyAnswer } from './presented.ts';
import { resetQuery } from './reset.ts';
import { stepUpBody } from './step-up.ts';

const seconds = v.pipe(v.number(), v.description('Seconds since the epoch.'));
const passkey = v.strictObject({
  id: v.string(),
  name: v.string(),
  created_at: seconds,
  last_used_at: v.nullable(seconds),
});

const stepUpNeeded: Answer = {
  meaning:
    '`step_up_needed`: more than ten minutes have gone by since whoever asks has proved who they are; `POST /postern/api/step-up` does.',
};
const expired: Answer = {
  meaning: '`challenge_expired`: it took too long, it was used before, or the password has changed since.',
};
const notPossible: Answer = { meaning: 'Passkeys need `public_url`: https, with a host name.' };
const tooMany: Answer = { meaning: 'Too many attempts; `Retry-After` says seconds.' };

const ceremony = v.strictObject({
  options: v.pipe(
    v.looseObject({ challenge: v.string() }),
    v.description('For `navigator.credentials`, as JSON (WebAuthn, 5.1.8 and 5.1.9).'),
  ),
  state: v.pipe(v.string(), v.description('To be sent back with what the browser makes of the options.')),
});
const recoveryCodes = v.strictObject({
  recovery_codes: v.pipe(
    v.array(v.string()),
    v.description('Each good once, in place of the other factors. They are told here alone.'),
  ),
});
const loggedIn: Answer = { meaning: 'Logged in; `Set-Cookie` has the session token.', body: profile };

export const secondFactorLogin: Reference = {
  summary: 'End a login that asks for a second factor',
  description:
    'The body has the `challenge` of `POST /api/login`, and one of `code`, `recovery_code` and `passkey`. The challenge is good for five minutes, for one login, and until the password changes.',
  body: secondFactorBody,
  bodyExample: { challenge: 'eyJhbGciOiJkaXIi…', code: '123 456' },
  answers: {
    200: loggedIn,
    401: { meaning: 'That was no second factor of this user.' },
    403: expired,
    404: { meaning: '`auth.enabled` is `false`: an upstream proxy logs users in.' },
    429: { meaning: 'Too many failures from this address, or too many wrong codes of this user.' },
  },
};

export const passkeyLoginOptions: Reference = {
  summary: 'Begin a login with a passkey',
  description:
    'With the `challenge` of `POST /api/login` it is the second factor of that login; without one it is the whole login.',
  body: passkeyOptionsBody,
  bodyExample: {},
  answers: {
    200: { meaning: 'What the browser is to sign.', body: ceremony },
    403: expired,
    409: notPossible,
  },
};

export const passkeyLogin: Reference = {
  summary: 'Log in with a passkey',
  description: 'It has verified who uses it: no password and no second factor is asked for.',
  body: passkeyAnswer,
  answers: {
    200: loggedIn,
    401: { meaning: 'It is no passkey of a user, or did not sign this.' },
    403: expired,
    429: tooMany,
  },
};

export const signInMethods: Reference = {
  summary: 'How whoever asks may log in',
  answers: {
    200: {
      meaning: 'The own ways to log in.',
      body: v.strictObject({
        password: v.boolean(),
        provider: v.pipe(
          v.nullable(
            v.strictObject({
              label: v.string(),
              fault: v.pipe(
                v.nullable(v.picklist(['away', 'nonsense', 'unreadable'])),
                v.description('Why the provider could not be asked whether the session may go on.'),
              ),
              session_ends_at: seconds,
            }),
          ),
          v.description('Where whoever asks logs in; null for an account of the gate.'),
        ),
        passkeys_possible: v.pipe(v.boolean(), v.description('They need `public_url`.')),
        passkeys: v.array(passkey),
        one_time_code: v.nullable(v.strictObject({ created_at: seconds })),
        recovery_codes_left: v.number(),
        required: v.pipe(v.boolean(), v.description('Whether the role needs a second factor.')),
        proof_needed: v.pipe(
          v.boolean(),
          v.description('Whether a change of them asks for `POST /postern/api/step-up` first.'),
        ),
      }),
    },
    404: { meaning: '`auth.enabled` is `false`: an upstream proxy logs users in.' },
  },
};

export const beginPasskey: Reference = {
  summary: 'Begin to add a passkey',
  answers: {
    200: { meaning: 'What the browser is to make.', body: ceremony },
    403: stepUpNeeded,
    409: notPossible,
  },
};

export const addPasskey: Reference = {
  summary: 'Add a passkey',
  description:
    'The first second factor of a user ends the other sessions; the answer has the cookie of the own one.',
  body: newPasskey,
  answers: {
    201: { meaning: 'Added.', body: passkey },
    403: { meaning: 'The passkey was not accepted, `challenge_expired`, or `step_up_needed`.' },
    409: { meaning: 'It is known already, or there are 20.' },
  },
};

export const removePasskey: Reference = {
  summary: 'Remove a passkey',
  pathParameters: { id: 'As `GET /postern/api/sign-in-methods` has it.' },
  answers: {
    204: { meaning: 'Removed. Recovery codes go with the last factor.' },
    403: stepUpNeeded,
    404: { meaning: 'There is no such passkey of this user.' },
  },
};

export const beginOneTimeCode: Reference = {
  summary: 'Begin to set up one-time codes',
  description: 'Nothing is kept before a right code comes. SHA-1, 6 digits, 30 seconds (RFC 6238).',
  answers: {
    200: {
      meaning: 'What the app has to know.',
      body: v.strictObject({
        secret: v.pipe(v.string(), v.description('Base32.')),
        url: v.pipe(v.string(), v.description('`otpauth:`, for a QR code.')),
        state: v.pipe(v.string(), v.description('To be sent back with a code; good for 15 minutes.')),
      }),
    },
    403: stepUpNeeded,
  },
};

export const addOneTimeCode: Reference = {
  summary: 'Set up one-time codes',
  description:
    'They take the place of those that there are. The first second factor of a user ends the other sessions; the answer has the cookie of the own one.',
  body: newOneTimeCode,
  bodyExample: { state: 'eyJhbGciOiJkaXIi…', code: '123456' },
  answers: {
    201: { meaning: 'Set up, with ten new recovery codes.', body: recoveryCodes },
    403: { meaning: '`challenge_expired`, or `step_up_needed`.' },
  },
};

export const removeOneTimeCode: Reference = {
  summary: 'Remove the one-time codes',
  answers: {
    204: { meaning: 'Removed. Recovery codes go with the last factor.' },
    403: stepUpNeeded,
    404: { meaning: 'They are not set up.' },
  },
};

export const makeRecoveryCodes: Reference = {
  summary: 'Make new recovery codes',
  answers: {
    201: { meaning: 'Made; the former ones are worth nothing.', body: recoveryCodes },
    403: stepUpNeeded,
    409: { meaning: 'There is no factor that they could stand in for.' },
  },
};

export const beginStepUp: Reference = {
  summary: 'Begin to prove again who one is, with a passkey',
  answers: { 200: { meaning: 'What the browser is to sign.', body: ceremony }, 409: notPossible },
};

export const stepUp: Reference = {
  summary: 'Prove again who one is',
  description:
    'The body has one of `code`, `recovery_code` and `passkey`; of a user without a second factor, `password`. What asks for it goes for ten minutes.',
  body: stepUpBody,
  bodyExample: { code: '123456' },
  answers: {
    200: {
      meaning: 'Proved; `Set-Cookie` has another token of the same session.',
      body: v.strictObject({ proved_until: seconds }),
    },
    403: { meaning: '`step_up_failed` or `challenge_expired`.' },
    429: tooMany,
  },
};

export const resetFactors: Reference = {
  summary: 'Take all second factors of a user away',
  description:
    'For a user who has lost them. It ends the sessions of the user, and the API tokens and shares but for those that `keep` names.',
  pathParameters: { username: 'Name of a user.' },
  query: resetQuery,
  queryParameters: { keep: keptMeaning },
  answers: {
    204: { meaning: 'Taken away.' },
    403: stepUpNeeded,
    404: { meaning: 'There is no such user.' },
    409: { meaning: 'The user signs in at the provider, and has none here.' },
  },
};
