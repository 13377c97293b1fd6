import * as v from 'valibot';
import type { Alerts } from './alerts.ts';
import { AppError } from '../../errors.ts';
import type { ChangeLimit } from '../../accounts/limits/change-limit.ts';
import { endpoint } from '../../api/endpoint.ts';

export interface NotificationsDependencies {
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
