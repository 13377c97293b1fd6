import * as v from 'valibot';
import { wholeSeconds, type Clock } from '../../clock.ts';
import { schedule } from '../../config/role-access.ts';
import { AppError } from '../../errors.ts';
import { clientOf } from '../../http/fronts/client.ts';
import { invalid, strictBody, textOf } from '../../http/validation.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { isInvitationId, type Invitation, type Invitations } from './invitations.ts';
import { attempt as attemptLimited, type FailureLimit } from '../../accounts/limits/failure-limit.ts';
import { newPassword, username } from '../../accounts/users/credentials.ts';
import type { PasswordHasher } from '../../accounts/users/password-hash.ts';
import type { Users } from '../../accounts/users/users.ts';
import type { Passkeys } from '../../accounts/second-factor/passkeys.ts';
import { capabilities } from '../../policy/capability.ts';
import { accessOfRole } from '../../policy/role-access.ts';
import { endpoint } from '../../api/endpoint.ts';
import type { ApiContext } from '../../api/environment.ts';
import { finishLogin, type FinishLoginDependencies } from '../../api/login/end-login.ts';
import { grantedCameras, shownCameras } from '../../api/users/shown-access.ts';
import { requireSameSite } from '../../api/request.ts';
import { ceremony, notPossible, passkeyAnswer } from '../../api/second-factor/schemas.ts';

/* Someone with the link of an invitation, who has no account yet. */

const secret = textOf(1, 256);

export interface AcceptDependencies {
  readonly settings: Settings;
  /** Begins the session once the user is known. */
  readonly finishing: FinishLoginDependencies;
  readonly invitations: Pick<Invitations, 'open' | 'accept'>;
  readonly users: Pick<Users, 'find' | 'findTyped'>;
  readonly passkeys: Passkeys;
  readonly hasher: Pick<PasswordHasher, 'hash'>;
  /** Limits wrong links, by address. */
  readonly invitationLimit: FailureLimit;
  /** Limits names that are taken, by invitation: who has one could list all users. */
  readonly nameLimit: FailureLimit;
  readonly clock: Clock;
}

const publicEndpoint = {
  method: 'post',
  level: 'public',
  tag: 'Invitations',
  pathParameters: { id: 'Id of the invitation.' },
} as const;

const overAnswer = {
  meaning:
    '`invitation_over`: there is no such invitation, it was used or has ended, or the secret is wrong.',
};
const limited = { meaning: 'Too many wrong links: `auth.failed_login_rate_limit`, counted for them only.' };
const acceptLimited = {
  meaning:
    'Too many wrong links, or too many names that are taken: `auth.failed_login_rate_limit` counts either. Or the invitation is being accepted at this moment.',
};

export const openInvitation = endpoint({
  ...publicEndpoint,
  path: '/postern/api/invitations/:id/open',
  summary: 'Show what an invitation gives',
  body: strictBody({ secret }),
  bodyExample: { secret: 'NDCVdBKYbKtL8UOCnGXOnFVwYKwMJjoYhSeMvVf0k0c' },
  answers: {
    200: {
      meaning: 'It can be used.',
      body: v.strictObject({
        name: v.pipe(v.nullable(v.string()), v.description('The user name that is proposed.')),
        made_by: v.string(),
        cameras: v.pipe(v.array(v.string()), v.description('What the recorder calls them.')),
        may: v.array(v.picklist(capabilities)),
        schedule: v.pipe(v.nullable(schedule), v.description('When access is open; null: always.')),
        expires_at: v.pipe(v.number(), v.description('Seconds since the epoch.')),
        passkeys: v.pipe(v.boolean(), v.description('Whether a passkey can be chosen.')),
      }),
    },
    404: overAnswer,
    429: limited,
  },
  before: beforeAccept,
  handle: (dependencies: AcceptDependencies) => async (c) => {
    const { settings, passkeys } = dependencies;
    const invitation = await opened(c, c.req.param('id'), c.req.valid('json').secret, dependencies);
    const { cameras, may, schedule: when } = accessOfRole(invitation.role, settings.rules.roles);
    const { camera_names: names = {} } = shownCameras(settings, cameras);
    return {
      name: invitation.name ?? null,
      made_by: invitation.madeBy,
      cameras: grantedCameras(settings, cameras).map((camera) => names[camera] ?? camera),
      may: capabilities.filter((capability) => may.has(capability)),
      schedule: when ?? null,
      expires_at: wholeSeconds(invitation.expiresAt),
      passkeys: passkeys.arePossible,
    };
  },
});

export const beginInvitedPasskey = endpoint({
  ...publicEndpoint,
  path: '/postern/api/invitations/:id/passkey',
  summary: 'Begin to accept with a passkey',
  body: strictBody({ secret, username }),
  answers: {
    200: { meaning: 'What the browser has to create.', body: ceremony },
    404: overAnswer,
    409: notPossible,
    429: limited,
  },
  before: beforeAccept,
  handle: (dependencies: AcceptDependencies) => async (c) => {
    const { passkeys } = dependencies;
    const body = c.req.valid('json');
    const { id } = await opened(c, c.req.param('id'), body.secret, dependencies);
    passkeys.requirePossible();
    return passkeys.beginRegistration(guest(id, body.username), [], undefined);
  },
});

export const acceptInvitation = endpoint({
  ...publicEndpoint,
  path: '/postern/api/invitations/:id/accept',
  summary: 'Accept an invitation',
  description: 'Makes the account, with a password or a passkey, and signs in. The invitation is used up.',
  body: strictBody({
    secret,
    username,
    password: v.optional(newPassword),
    passkey: v.optional(passkeyAnswer),
  }),
  bodyExample: {
    secret: 'NDCVdBKYbKtL8UOCnGXOnFVwYKwMJjoYhSeMvVf0k0c',
    username: 'nell',
    password: 'correct horse battery',
  },
  answers: {
    201: {
      meaning: 'The account is there; `Set-Cookie` has the session token.',
      body: v.strictObject({
        username: v.string(),
        role: v.string(),
        allowed_cameras: v.array(v.string()),
      }),
    },
    403: { meaning: 'The passkey was not accepted, or `challenge_expired`.' },
    404: overAnswer,
    409: { meaning: 'There is a user with this name, or the passkey exists already.' },
    429: acceptLimited,
  },
  before: beforeAccept,
  handle: (dependencies: AcceptDependencies) => async (c) => {
    const { settings, users, finishing } = dependencies;
    const { current, audit } = finishing;
    const id = c.req.param('id');
    const body = c.req.valid('json');
    // Nothing is hashed, and no passkey is checked, for someone who only guesses.
    await opened(c, id, body.secret, dependencies);
    const used = await oneAtATime(id, () =>
      attemptLimited(isNameTaken, async (take) => {
        await take(dependencies.nameLimit, id);
        return await makeAccount(id, body, dependencies);
      }),
    );
    const { address } = clientOf(c.env, settings);
    await audit.record({
      event: 'invitation_used',
      user: body.username,
      role: used.role,
      address,
      object: body.username,
      detail: { id, made_by: used.madeBy, role: used.role },
    });
    const user = await users.find(body.username);
    if (user === undefined) throw new AppError('user_unknown');
    return await finishLogin(
      { ...finishing, settings: current().settings },
      c,
      user,
      body.passkey !== undefined ? { source: 'passkey' } : { source: 'password' },
    );
  },
});

/** Ids of invitations that are being accepted. */
const accepting = new Set<string>();

/** A hash is dear: without this, one invitation could keep all places of sign-ins. @throws AppError `too_many_requests` */
async function oneAtATime<T>(id: string, work: () => Promise<T>): Promise<T> {
  if (accepting.has(id)) throw new AppError('too_many_requests', { retryAfterSeconds: 1 });
  accepting.add(id);
  try {
    return await work();
  } finally {
    accepting.delete(id);
  }
}

const isNameTaken = (error: unknown) => error instanceof AppError && error.code === 'user_exists';

/** @throws AppError `user_exists`, before anything is hashed unless the name was taken meanwhile */
async function makeAccount(
  id: string,
  body: Parameters<typeof credentialOf>[0] & { readonly secret: string },
  dependencies: AcceptDependencies,
): Promise<Invitation> {
  const { invitations, users, finishing } = dependencies;
  if ((await users.findTyped(body.username)) !== undefined) throw new AppError('user_exists');
  const credential = await credentialOf(body, id, dependencies);
  const link = { id, secret: body.secret };
  const { current } = finishing;
  return await invitations.accept(link, body.username, credential, async (role, on) => {
    // Another gate may have removed the role.
    await current().renewRolesIn?.(on);
    if (!current().settings.rules.roles.has(role)) throw new AppError('invitation_over');
  });
}

function beforeAccept(dependencies: AcceptDependencies) {
  return async (c: ApiContext) => {
    if (dependencies.settings.mode === 'proxy') throw new AppError('authentication_disabled');
    await requireSameSite(c, dependencies.finishing);
    c.header('cache-control', 'no-store');
  };
}

const guest = (id: string, name: string) => ({ username: name, about: `invitation ${id}` });

/** @throws AppError `invitation_over`, `too_many_requests`; wrong links are counted and recorded */
async function opened(
  c: ApiContext,
  id: string,
  given: string,
  { settings, invitations, invitationLimit, finishing: { audit } }: AcceptDependencies,
): Promise<Invitation> {
  const { address } = clientOf(c.env, settings);
  const object = isInvitationId(id) ? id : undefined;
  const attempt = await invitationLimit.reserve(address);
  const refused = async (error: AppError) => {
    await audit.record({ event: 'invitation_refused', address, object, reason: error.code });
    c.set('isRecorded', true);
    return error;
  };
  if ('retryAfterSeconds' in attempt) throw await refused(new AppError('too_many_requests', attempt));
  const found = await invitations.open(id, given).catch(async (error: unknown) => {
    throw error instanceof AppError && error.code === 'invitation_over' ? await refused(error) : error;
  });
  await attempt.giveBack();
  // Without its role, the account would be a viewer's.
  if (!settings.rules.roles.has(found.role)) throw await refused(new AppError('invitation_over'));
  return found;
}

/** @throws ValidationError, AppError `passkey_refused` */
async function credentialOf(
  body: {
    readonly username: string;
    readonly password?: string | undefined;
    readonly passkey?: v.InferOutput<typeof passkeyAnswer> | undefined;
  },
  id: string,
  { hasher, passkeys }: Pick<AcceptDependencies, 'hasher' | 'passkeys'>,
) {
  const { password, passkey } = body;
  if ((password === undefined) === (passkey === undefined))
    throw invalid(['body', 'password'], 'Give a password or a passkey, and not both');
  if (password !== undefined) return { passwordHash: await hasher.hash(password) };
  passkeys.requirePossible();
  const made = await passkeys.finishRegistration(
    guest(id, body.username),
    passkey as v.InferOutput<typeof passkeyAnswer>,
  );
  if (made === undefined) throw new AppError('passkey_refused');
  const { key, userHandle, challenge, expiresAt } = made;
  return {
    passkey: { ...key, name: 'Passkey', userHandle },
    once: { purpose: 'passkey', key: challenge, expiresAt },
  };
}
