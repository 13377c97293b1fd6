import * as v from 'valibot';
import type { Settings } from '../../access/settings/settings.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import { wholeSeconds } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { clientOf } from '../../http/fronts/client.ts';
import { strictBody, textOf } from '../../http/validation.ts';
import type { DisplayCookie } from './strategy.ts';
import type { DisplayCredentials } from './display-credentials.ts';
import { pairingLifetime } from './displays.ts';
import { pollInterval, type PairingCode, type PairingCodes } from './pairing-codes.ts';
import type { FailureLimit } from '../../accounts/limits/failure-limit.ts';
import type { Reading } from '../../store/permit.ts';
import { actorOf, requireSameSite, siteUrl } from '../../api/request.ts';
import { endpoint } from '../../api/endpoint.ts';
import type { ApiContext } from '../../api/environment.ts';
import { ownSession } from '../../api/second-factor/own-factors.ts';

/* A screen is added to the displays by RFC 8628: it shows a code, and a user approves it on a device of their own. */

interface PairingDependencies {
  readonly settings: Settings;
  readonly pairingCodes: PairingCodes;
  readonly displayCredentials: Pick<DisplayCredentials, 'fetch'>;
  readonly displayCookie: Pick<DisplayCookie, 'set'>;
  readonly publicUrl: string | undefined;
  /** Limits codes that are asked for, by address. */
  readonly pairingLimit: FailureLimit;
  readonly audit: Pick<AuditLog, 'record'>;
}

/** For users who look at the code of a screen. */
export interface CodeDependencies extends Pick<PairingDependencies, 'settings' | 'pairingCodes' | 'audit'> {
  /** Limits codes that no screen shows, by user. */
  readonly codeLimit: FailureLimit;
  readonly read: Reading;
}

const seconds = (meaning: string) => v.pipe(v.number(), v.description(`Seconds${meaning}`));

export const beginPairing = endpoint({
  method: 'post',
  path: '/postern/api/displays/code',
  level: 'public',
  tag: 'Displays',
  summary: 'Begin to pair a screen',
  description:
    'The device authorization request of RFC 8628. A screen shows `user_code`, and asks `POST /postern/api/displays/token` every `interval` seconds. Open codes are few for an address, and for the networks around it.',
  answers: {
    200: {
      meaning: 'The codes. Only this answer has `device_code`.',
      body: v.strictObject({
        device_code: v.string(),
        user_code: v.pipe(v.string(), v.description('Eight letters, such as `BCDF-GHJK`.')),
        verification_uri: v.string(),
        verification_uri_complete: v.pipe(v.string(), v.description('For a QR code.')),
        expires_in: seconds('.'),
        interval: seconds(' between two questions.'),
      }),
    },
    404: { meaning: '`auth.enabled` is `false`: there are no accounts.' },
    429: { meaning: 'Too many codes: `auth.failed_login_rate_limit`, counted for screens only.' },
  },
  before: (dependencies: PairingDependencies) => async (c) => {
    requireAccounts(dependencies.settings);
    await requireSameSite(c, dependencies);
  },
  handle:
    ({ settings, pairingCodes, pairingLimit, publicUrl }: PairingDependencies) =>
    async (c) => {
      const { address } = clientOf(c.env, settings);
      // It counts as failed until its screen was paired.
      const attempt = await reserve(pairingLimit, address);
      const screen = { address, agent: c.req.header('user-agent') };
      const begun = await pairingCodes.begin(screen, () => attempt.giveBack());
      if (begun === undefined)
        throw new AppError('too_many_requests', { retryAfterSeconds: pairingLifetime });
      c.header('cache-control', 'no-store');
      const page = `${siteUrl(c, settings, publicUrl)}/postern/pair`;
      return {
        device_code: begun.deviceCode,
        user_code: begun.userCode,
        verification_uri: page,
        verification_uri_complete: `${page}?code=${begun.userCode}`,
        expires_in: pairingLifetime,
        interval: pollInterval,
      };
    },
});

const question = strictBody({
  device_code: textOf(1, 128),
  grant_type: v.optional(
    v.picklist(
      ['urn:ietf:params:oauth:grant-type:device_code'],
      'Input should be the grant type of RFC 8628',
    ),
  ),
  framed: v.optional(
    v.pipe(
      v.boolean('Input should be true or false'),
      v.description('A page of another site shows the screen in a frame.'),
    ),
    false,
  ),
});

export const fetchCredential = endpoint({
  method: 'post',
  path: '/postern/api/displays/token',
  level: 'public',
  tag: 'Displays',
  summary: 'Ask whether a screen was approved',
  description:
    'The device access token request of RFC 8628, but the credential comes as the cookie `postern_display`.',
  body: question,
  bodyExample: { device_code: 'NDCVdBKYbKtL8UOCnGXOnFVwYKwMJjoYhSeMvVf0k0c' },
  answers: {
    200: {
      meaning: 'Approved. The cookie in the answer is the credential; it is given out once.',
      body: v.strictObject({ id: v.string(), name: v.string() }),
    },
    400: {
      meaning:
        '`error` is `authorization_pending`, `slow_down` (wait five seconds longer from now on), `access_denied`, or `expired_token`.',
      body: v.strictObject({ message: v.string(), code: v.string(), error: v.string() }),
    },
    404: { meaning: '`auth.enabled` is `false`: there are no accounts.' },
  },
  before: (dependencies: PairingDependencies) => async (c) => {
    requireAccounts(dependencies.settings);
    await requireSameSite(c, dependencies);
  },
  handle:
    ({ settings, pairingCodes, displayCredentials, displayCookie }: PairingDependencies) =>
    async (c) => {
      const { device_code: deviceCode, framed } = c.req.valid('json');
      c.header('cache-control', 'no-store');
      const { problem, deviceHash } = await pairingCodes.poll(deviceCode);
      const issued =
        deviceHash === undefined ? undefined : await displayCredentials.fetch(deviceHash, framed);
      if (issued === undefined || deviceHash === undefined)
        throw new AppError(problem, { also: { error: problem } });
      await pairingCodes.finish(deviceHash);
      const { credential, display } = issued;
      c.header('set-cookie', displayCookie.set(credential, framed, clientOf(c.env, settings).secure));
      return { id: display.id, name: display.name };
    },
});

const account = { level: 'own-account', requiresSession: true } as const;
const codeParameter = { code: 'The code that the screen shows; letter case and hyphen do not matter.' };

export const showPairingCode = endpoint({
  method: 'get',
  path: '/postern/api/displays/code/:code',
  ...account,
  tag: 'Displays',
  summary: 'Show which screen has a code',
  pathParameters: codeParameter,
  answers: {
    200: {
      meaning: 'The screen, as Postern sees it.',
      body: v.strictObject({
        user_code: v.string(),
        address: v.string(),
        agent: v.pipe(v.nullable(v.string()), v.description('Its `User-Agent`.')),
        expires_at: seconds(' since the epoch.'),
      }),
    },
    404: { meaning: 'No screen shows this code now.' },
    429: { meaning: 'Too many codes that no screen shows: `auth.failed_login_rate_limit`.' },
  },
  handle: (dependencies: CodeDependencies) => async (c) => {
    ownSession(c, dependencies.settings);
    const { userCode, address, agent, expiresAt } = await openCode(c, c.req.param('code'), dependencies);
    return {
      user_code: userCode,
      address,
      agent: agent ?? null,
      expires_at: wholeSeconds(expiresAt),
    };
  },
});

export const refusePairing = endpoint({
  method: 'delete',
  path: '/postern/api/displays/code/:code',
  ...account,
  tag: 'Displays',
  summary: 'Refuse a screen',
  pathParameters: codeParameter,
  answers: {
    204: { meaning: 'Refused: the screen shows it.' },
    404: { meaning: 'No screen shows this code now.' },
    429: { meaning: 'Too many codes that no screen shows: `auth.failed_login_rate_limit`.' },
  },
  handle: (dependencies: CodeDependencies) => async (c) => {
    const { settings, pairingCodes, read, audit } = dependencies;
    ownSession(c, settings);
    const { userCode, address } = await openCode(c, c.req.param('code'), dependencies);
    await c.var.permit(read);
    if (!(await pairingCodes.refuse(userCode))) throw new AppError('pairing_code_unknown');
    await audit.record({ event: 'display_refused', ...actorOf(c, settings), detail: { screen: address } });
  },
});

/**
 * Finds the open code that a user typed. It counts codes that no screen shows, so that no one tries them all.
 * @throws AppError `pairing_code_unknown`, `too_many_requests`
 */
export async function openCode(
  c: ApiContext,
  typed: string,
  { pairingCodes, codeLimit }: Pick<CodeDependencies, 'pairingCodes' | 'codeLimit'>,
): Promise<PairingCode> {
  const attempt = await reserve(codeLimit, c.var.allowed.identity?.user ?? '');
  const found = await pairingCodes.find(typed);
  if (found === undefined) throw new AppError('pairing_code_unknown');
  await attempt.giveBack();
  return found;
}

async function reserve(limit: FailureLimit, whose: string) {
  const attempt = await limit.reserve(whose);
  if ('retryAfterSeconds' in attempt) throw new AppError('too_many_requests', attempt);
  return attempt;
}

function requireAccounts({ mode }: Pick<Settings, 'mode'>): void {
  if (mode === 'proxy') throw new AppError('authentication_disabled');
}
