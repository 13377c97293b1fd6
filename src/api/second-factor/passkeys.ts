import * as v from 'valibot';
import { AppError } from '../../errors.ts';
import type { Session } from '../../accounts/sessions/session-token.ts';
import { endpoint } from '../endpoint.ts';
import { stepUpNeeded } from '../require-step-up.ts';
import { ceremony, notPossible, passkeyAnswer } from './schemas.ts';
import { ownAccount, ownFactor, type OwnFactorsDependencies } from './own-factors.ts';
import { listedPasskey, passkey } from './sign-in-methods.ts';

/** No invisible characters, and no space at either end. */
const passkeyName = /^[^\p{C}\s](?:[^\p{C}]{0,62}[^\p{C}\s])?$/u;

const newPasskey = v.object({
  name: v.pipe(
    v.string('Input should be text'),
    v.regex(passkeyName, 'A name has 1 to 64 visible characters'),
  ),
  ...passkeyAnswer.entries,
});

export const beginPasskey = endpoint({
  method: 'post',
  path: '/postern/api/passkeys/options',
  ...ownFactor,
  tag: 'Sign-in methods',
  summary: 'Begin to add a passkey',
  answers: {
    200: { meaning: 'What the browser has to create.', body: ceremony },
    403: stepUpNeeded,
    409: notPossible,
  },
  handle: (dependencies: OwnFactorsDependencies) => {
    const { factors, passkeys } = dependencies;
    const { sessionToChange } = ownAccount(dependencies);
    return async (c) => {
      const session = await sessionToChange(c);
      passkeys.requirePossible();
      const has = await factors.of(session.user.username);
      return await passkeys.beginRegistration(ownerOf(session), has.passkeys, has.userHandle);
    };
  },
});

export const addPasskey = endpoint({
  method: 'post',
  path: '/postern/api/passkeys',
  ...ownFactor,
  tag: 'Sign-in methods',
  summary: 'Add a passkey',
  description:
    'The first second factor of a user ends the other sessions; the answer has a new cookie for your own.',
  body: newPasskey,
  answers: {
    201: { meaning: 'Added.', body: passkey },
    403: { meaning: 'The passkey was not accepted, `challenge_expired`, or `step_up_needed`.' },
    409: { meaning: 'The passkey exists already, or you have 20.' },
  },
  handle: (dependencies: OwnFactorsDependencies) => {
    const { factors, passkeys } = dependencies;
    const { sessionToChange, record, goOn } = ownAccount(dependencies);
    return async (c) => {
      const session = await sessionToChange(c);
      passkeys.requirePossible();
      const { name, ...presented } = c.req.valid('json');
      const made = await passkeys.finishRegistration(ownerOf(session), presented);
      if (made === undefined) throw new AppError('passkey_refused');
      const { key, userHandle, challenge, expiresAt } = made;
      const { passkey, began } = await factors.addPasskey(
        session.user.username,
        { ...key, name, userHandle },
        { purpose: 'passkey', key: challenge, expiresAt },
        c.var.permit,
      );
      await goOn(c, session, began);
      await record(c, 'passkey_added', { passkey: name });
      return listedPasskey(passkey);
    };
  },
});

export const removePasskey = endpoint({
  method: 'delete',
  path: '/postern/api/passkeys/:id',
  ...ownFactor,
  tag: 'Sign-in methods',
  summary: 'Remove a passkey',
  pathParameters: { id: 'Id from `GET /postern/api/sign-in-methods`.' },
  answers: {
    204: { meaning: 'Removed. Recovery codes are removed with the last factor.' },
    403: stepUpNeeded,
    404: { meaning: 'You have no such passkey.' },
  },
  handle: (dependencies: OwnFactorsDependencies) => {
    const { factors } = dependencies;
    const { sessionToChange, record } = ownAccount(dependencies);
    return async (c) => {
      const session = await sessionToChange(c);
      const passkey = await factors.removePasskey(session.user.username, c.req.param('id'), c.var.permit);
      await record(c, 'passkey_removed', { passkey });
    };
  },
});

function ownerOf({ user, claims }: Session) {
  return { username: user.username, about: claims.sessionId };
}
