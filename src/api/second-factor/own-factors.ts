import { Hono } from 'hono';
import * as v from 'valibot';
import { randomUUID } from 'node:crypto';
import type { ChangeLimit } from '../../accounts/change-limit.ts';
import type { SessionState } from '../../accounts/users.ts';
import type { AuditEvent } from '../../audit/audit-events.ts';
import type { AuditEntry } from '../../audit/audit-entry.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { Sealing } from '../../sealing/sealing.ts';
import type { Factors } from '../../second-factor/factors.ts';
import { newCodeSecret, setupUrl, stepOfCode } from '../../second-factor/one-time-codes.ts';
import type { Passkeys } from '../../second-factor/passkeys.ts';
import type { Session } from '../../sessions/session.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import type { Settings } from '../../settings/settings.ts';
import { invalid, validBody } from '../../validation.ts';
import { actorOf } from '../actor.ts';
import type { ApiContext, ApiEnvironment } from '../request-context.ts';
import { requireStepUp } from '../require-step-up.ts';
import type { SessionCookieHeader } from '../session-cookie-header.ts';
import { localSession } from './own-session.ts';
import { passkeyAnswer, sealed, typed } from './presented.ts';
import { listedPasskey } from './sign-in-methods.ts';

/** Nothing that cannot be seen, and no space at an end. */
const passkeyName = /^[^\p{C}\s](?:[^\p{C}]{0,62}[^\p{C}\s])?$/u;

export const newPasskey = v.object({
  name: v.pipe(
    v.string('Input should be text'),
    v.regex(passkeyName, 'A name has 1 to 64 visible characters'),
  ),
  ...passkeyAnswer.entries,
});
export const newOneTimeCode = v.object({ state: sealed, code: typed });

export interface OwnFactorsDependencies {
  readonly settings: Settings;
  readonly factors: Factors;
  readonly passkeys: Passkeys;
  readonly sealing: Sealing;
  readonly sessions: Pick<Sessions, 'begin'>;
  readonly cookieHeader: SessionCookieHeader;
  readonly changeLimit: ChangeLimit;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly clock: Clock;
}

/** Seconds, to get an app and read the picture with it. */
const setupLifetime = 900;

/** The account whose factors are changed by whoever has its session, and has proved it lately. */
function own({ settings, changeLimit, sessions, cookieHeader, audit, clock }: OwnFactorsDependencies) {
  return {
    sessionToChange: async (c: ApiContext): Promise<Session> => {
      const session = localSession(c, settings);
      requireStepUp(c, clock);
      await changeLimit.take('own_factors', session.user.username);
      return session;
    },
    record: (c: ApiContext, event: AuditEvent, detail?: AuditEntry['detail']) =>
      audit.record({ event, ...actorOf(c, settings), object: c.var.session?.user.username, detail }),
    /** The first factor ends all sessions; the own one goes on, since it is the one that has set it up. */
    goOn: async (c: ApiContext, { claims }: Session, began: SessionState | undefined) => {
      if (began === undefined) return;
      const { sessionId, authenticatedAt } = claims;
      const proved = authenticatedAt === undefined ? {} : { authenticatedAt };
      const issued = await sessions.begin(began, { sessionId, ...proved });
      cookieHeader.set(c, issued);
    },
  };
}

/** `/postern/api/passkeys`: the own ones. */
export function passkeyRoutes(dependencies: OwnFactorsDependencies) {
  const { factors, passkeys } = dependencies;
  const { sessionToChange, record, goOn } = own(dependencies);
  const ownerOf = ({ user, claims }: Session) => ({ username: user.username, about: claims.sessionId });

  return new Hono<ApiEnvironment>()
    .post('/options', async (c) => {
      const session = await sessionToChange(c);
      passkeys.requirePossible();
      const has = await factors.of(session.user.username);
      return c.json(await passkeys.beginRegistration(ownerOf(session), has.passkeys, has.userHandle));
    })

    .post('/', validBody(newPasskey), async (c) => {
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
      return c.json(listedPasskey(passkey), 201);
    })

    .delete('/:id', async (c) => {
      const session = await sessionToChange(c);
      const passkey = await factors.removePasskey(session.user.username, c.req.param('id'), c.var.permit);
      await record(c, 'passkey_removed', { passkey });
      return c.body(null, 204);
    });
}

/** `/postern/api/one-time-code`: the own one. */
export function oneTimeCodeRoutes(dependencies: OwnFactorsDependencies) {
  const { factors, sealing, clock } = dependencies;
  const { sessionToChange, record, goOn } = own(dependencies);
  const readSetup = async (state: string, { user, claims }: Session) => {
    const { id, secret, username, about } = (await sealing.read('one_time_code_setup', state)) ?? {};
    const isOwn = username === user.username && about === claims.sessionId;
    if (!isOwn || typeof id !== 'string' || typeof secret !== 'string')
      throw new AppError('challenge_expired');
    return { id, secret };
  };

  return new Hono<ApiEnvironment>()
    .post('/setup', async (c) => {
      const { user, claims } = await sessionToChange(c);
      const { username } = user;
      const secret = await newCodeSecret();
      const setup = { id: randomUUID(), secret, username, about: claims.sessionId };
      const state = await sealing.issue('one_time_code_setup', setup, setupLifetime);
      return c.json({ secret, url: await setupUrl(secret, username), state });
    })

    .post('/', validBody(newOneTimeCode), async (c) => {
      const session = await sessionToChange(c);
      const { state, code } = c.req.valid('json');
      const { id, secret } = await readSetup(state, session);
      const step = await stepOfCode(code, secret, clock.now());
      if (step === undefined)
        throw invalid(['body', 'code'], 'The code is wrong, or the clock of the app is');
      const expiresAt = clock.now() + setupLifetime * 1_000;
      const once = { purpose: 'one_time_code_setup', key: id, expiresAt };
      const { username } = session.user;
      const kept = await sealing.seal('one_time_code', secret, username);
      const { recoveryCodes, began } = await factors.setOneTimeCode(username, kept, step, once, c.var.permit);
      await goOn(c, session, began);
      await record(c, 'one_time_code_added');
      return c.json({ recovery_codes: recoveryCodes }, 201);
    })

    .delete('/', async (c) => {
      const { user } = await sessionToChange(c);
      await factors.removeOneTimeCode(user.username, c.var.permit);
      await record(c, 'one_time_code_removed');
      return c.body(null, 204);
    });
}

export type OneTimeCodeApi = ReturnType<typeof oneTimeCodeRoutes>;

/** `/postern/api/recovery-codes`: the own ones. */
export function recoveryCodeRoutes(dependencies: OwnFactorsDependencies) {
  const { sessionToChange, record } = own(dependencies);
  return new Hono<ApiEnvironment>().post('/', async (c) => {
    const { user } = await sessionToChange(c);
    const recoveryCodes = await dependencies.factors.makeRecoveryCodes(user.username, c.var.permit);
    await record(c, 'recovery_codes_made');
    return c.json({ recovery_codes: recoveryCodes }, 201);
  });
}
