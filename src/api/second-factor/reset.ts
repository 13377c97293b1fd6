import * as v from 'valibot';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { Factors } from '../../accounts/second-factor/factors.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { actorOf } from '../actor.ts';
import { endpoint } from '../endpoint.ts';
import { keptMeaning, keptQuery } from '../kept.ts';
import { stepUpNeeded } from '../require-step-up.ts';

export interface FactorResetDependencies {
  readonly settings: Settings;
  readonly factors: Pick<Factors, 'resetFactors'>;
  readonly audit: Pick<AuditLog, 'record'>;
}

export const resetFactors = endpoint({
  method: 'delete',
  path: '/postern/api/users/:username/factors',
  level: 'admin-only',
  requiresSession: true,
  tag: 'Users',
  summary: 'Remove all second factors of a user',
  description:
    "For a user who has lost them. It ends the user's sessions, and the user's API tokens and shares except those that `keep` names.",
  pathParameters: { username: 'Name of a user.' },
  query: v.object({ keep: keptQuery }),
  queryParameters: { keep: keptMeaning },
  answers: {
    204: { meaning: 'Removed.' },
    403: stepUpNeeded,
    404: { meaning: 'There is no such user.' },
    409: { meaning: 'The user signs in at the provider, and has no second factors here.' },
  },
  handle:
    ({ settings, factors, audit }: FactorResetDependencies) =>
    async (c) => {
      const { username } = c.req.param();
      const { ended } = await factors.resetFactors(username, c.var.permit, c.req.valid('query'));
      await audit.record({
        event: 'factors_reset',
        ...actorOf(c, settings),
        object: username,
        detail: ended,
      });
    },
});
