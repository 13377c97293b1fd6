import * as v from 'valibot';
import type { Alerts } from './alerts.ts';
import type { SettingsFile } from '../../access/settings/settings-file.ts';
import { AppError } from '../../errors.ts';
import type { ChangeLimit } from '../../accounts/limits/change-limit.ts';
import { endpoint } from '../../api/endpoint.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import { strictBody } from '../../http/validation.ts';
import type { Emails } from '../../accounts/users/emails.ts';
import { parseEmail } from '../../policy/email-address.ts';
import type { Clock } from '../../clock.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { actorOf } from '../../api/request.ts';
import { requireStepUp, stepUpNeeded } from '../../api/require-step-up.ts';
import { ownSession } from '../../api/second-factor/own-factors.ts';
import { validChange } from '../../api/valid-change.ts';
import { hostOf } from './send-to-all.ts';
import { deliveryFaults } from './targets/post.ts';

interface NotificationsDependencies {
  readonly alerts: Pick<Alerts, 'test' | 'targets' | 'countLost'>;
  readonly changeLimit: ChangeLimit;
}

const target = {
  type: v.picklist(['webhook', 'ntfy', 'mail']),
  host: v.pipe(v.string(), v.description('Host and port; the rest of the URL may have secrets.')),
};

export const listTargets = endpoint({
  method: 'get',
  path: '/postern/api/notifications',
  level: 'admin-only',
  tag: 'Operation',
  summary: 'List where alerts go',
  answers: {
    200: {
      meaning: '`notifications.targets` of the configuration.',
      body: v.strictObject({
        targets: v.array(v.strictObject(target)),
        lost: v.pipe(
          v.number(),
          v.description('Alerts of the last week that were tried for a day and given up.'),
        ),
      }),
    },
  },
  handle:
    ({ alerts }: NotificationsDependencies) =>
    async () => ({ targets: alerts.targets(), lost: await alerts.countLost() }),
});

export const testTargets = endpoint({
  method: 'post',
  path: '/postern/api/notifications/test',
  level: 'admin-only',
  tag: 'Operation',
  summary: 'Send a test alert to all targets',
  answers: {
    200: {
      meaning: 'Each target, and what went wrong there.',
      body: v.array(
        v.strictObject({
          ...target,
          fault: v.pipe(
            v.nullable(v.string()),
            v.description('In words, for an operator; null: it was sent.'),
          ),
        }),
      ),
    },
    429: { meaning: 'Too many tests; `Retry-After` has the seconds.' },
  },
  handle:
    ({ alerts, changeLimit }: NotificationsDependencies) =>
    async (c) => {
      const { identity } = c.var.allowed;
      if (identity === undefined) throw new AppError('unauthenticated');
      await changeLimit.take('test_alert', identity.user);
      return (await alerts.test(identity.user)).map(({ type, host, fault }) => ({
        type,
        host,
        fault: fault ?? null,
      }));
    },
});

interface TargetTestDependencies {
  readonly alerts: Pick<Alerts, 'testTarget'>;
  readonly settingsFile: Pick<SettingsFile, 'targetOf'>;
  readonly changeLimit: ChangeLimit;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly settings: Settings;
  readonly clock: Clock;
}

// The gate sends a request to an address that the client chooses.
export const testTarget = endpoint({
  method: 'post',
  path: '/postern/api/settings/notifications/test',
  level: 'admin-only',
  requiresSession: true,
  tag: 'Operation',
  summary: 'Send a test alert to one target',
  description:
    'The target need not be in `config.yml` yet. `***` is the secret that it has there, for the same address only. Public names must not lead to private addresses, as for alerts. Every test is in the audit.',
  body: v.object({
    target: v.pipe(v.unknown(), v.description('As in `notifications.targets`.')),
  }),
  bodyExample: { target: { type: 'ntfy', url: 'https://ntfy.sh/my-topic' } },
  answers: {
    200: {
      meaning: 'Within 15 seconds.',
      body: v.strictObject({
        fault: v.pipe(
          v.nullable(v.picklist(deliveryFaults)),
          v.description('Why it was not delivered; null: it was.'),
        ),
      }),
    },
    403: stepUpNeeded,
    409: { meaning: '`secret_missing`: `***` stands for a secret of another address.' },
    429: { meaning: 'Too many tests; `Retry-After` has the seconds.' },
  },
  handle:
    ({ alerts, settingsFile, changeLimit, audit, settings, clock }: TargetTestDependencies) =>
    async (c) => {
      requireStepUp(c, clock);
      const { identity } = c.var.allowed;
      if (identity === undefined) throw new AppError('unauthenticated');
      await changeLimit.take('test_alert', identity.user);
      const wanted = await validChange(settingsFile.targetOf(c.req.valid('json').target), () => 'target');
      const fault = (await alerts.testTarget(wanted, identity.user)) ?? null;
      const detail = { type: wanted.type, host: hostOf(wanted), result: fault ?? 'sent' };
      await audit.record({ event: 'alert_tested', ...actorOf(c, settings), detail });
      return { fault };
    },
});

interface OwnEmailDependencies {
  readonly emails: Emails;
  readonly alerts: Pick<Alerts, 'targets'>;
  readonly changeLimit: ChangeLimit;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly settings: Settings;
  readonly clock: Clock;
}

const account = { level: 'own-account', requiresSession: true, tag: 'Sign-in' } as const;
const address = v.pipe(
  v.string('Input should be text'),
  v.check(
    (text) => (parseEmail(text)?.local ?? '') !== '',
    'Input should be an e-mail address such as olaf@example.org',
  ),
  v.description('An e-mail address.'),
);

export const readOwnEmail = endpoint({
  method: 'get',
  path: '/postern/api/account/email',
  ...account,
  summary: 'Get the address for alerts of your account',
  answers: {
    200: {
      meaning: 'Your address.',
      body: v.strictObject({
        email: v.nullable(v.string()),
        of_provider: v.pipe(v.boolean(), v.description('The provider sends it with each sign-in.')),
        mails: v.pipe(v.boolean(), v.description('Whether a mail server is configured.')),
      }),
    },
  },
  handle:
    ({ emails, alerts, settings }: OwnEmailDependencies) =>
    async (c) => {
      const found = await emails.of(ownSession(c, settings).user.username);
      return {
        email: found?.email ?? null,
        of_provider: found?.isOfProvider ?? false,
        mails: alerts.targets().some(({ type }) => type === 'mail'),
      };
    },
});

export const setOwnEmail = endpoint({
  method: 'put',
  path: '/postern/api/account/email',
  ...account,
  summary: 'Set the address for alerts of your account',
  body: strictBody({ email: v.pipe(v.nullable(address), v.description('Null: nowhere.')) }),
  bodyExample: { email: 'olaf@example.org' },
  answers: {
    204: { meaning: 'Alerts go there from now on.' },
    403: stepUpNeeded,
    409: { meaning: '`user_of_provider`: your provider has your address.' },
    429: { meaning: 'Too many changes; `Retry-After` has the seconds.' },
  },
  handle:
    ({ emails, changeLimit, audit, settings, clock }: OwnEmailDependencies) =>
    async (c) => {
      requireStepUp(c, clock);
      const { identity } = c.var.allowed;
      if (identity === undefined) throw new AppError('unauthenticated');
      await changeLimit.take('own_password', identity.user);
      const { email } = c.req.valid('json');
      await emails.set(identity.user, email ?? undefined, c.var.permit);
      await audit.record({ event: 'email_changed', ...actorOf(c, settings), object: identity.user });
    },
});
