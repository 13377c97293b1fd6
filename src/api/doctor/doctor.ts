import * as v from 'valibot';
import { gateChecks, shownChecks, type GateState } from './gate-checks.ts';
import { clientOf } from '../../http/fronts/client.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { endpoint } from '../endpoint.ts';

export interface DoctorDependencies extends GateState {
  readonly settings: Settings;
}

export const ownFindings = endpoint({
  method: 'get',
  path: '/postern/api/doctor',
  level: 'admin-only',
  tag: 'Operation',
  summary: 'Check Postern from inside',
  description:
    'The checks of `postern doctor` that work from inside. What others can reach is checked only by the command, from outside.',
  answers: {
    200: {
      meaning: 'Every check, and how this request arrived.',
      body: v.strictObject({
        checks: v.array(
          v.strictObject({
            name: v.picklist(shownChecks),
            result: v.pipe(
              v.picklist(['ok', 'hint', 'fault', 'none']),
              v.description('`none`: there is nothing to look at.'),
            ),
            seen: v.pipe(v.array(v.string()), v.description('Names and words that belong to the result.')),
          }),
        ),
        request: v.pipe(
          v.strictObject({
            entry_point: v.picklist(['authenticated', 'internal']),
            address: v.string(),
            secure: v.boolean(),
            host: v.nullable(v.string()),
          }),
          v.description('The client as Postern sees it: if it is not your address, a front hides it.'),
        ),
      }),
    },
  },
  handle: (dependencies: DoctorDependencies) => async (c) => {
    const { address, secure, host = null } = clientOf(c.env, dependencies.settings);
    const checks = await Promise.all(
      shownChecks.map(async (name) => {
        const { result, seen = [] } = await gateChecks[name](dependencies);
        return { name, result, seen: [...seen] };
      }),
    );
    return {
      checks,
      request: { entry_point: c.env.entryPoint, address, secure, host },
    };
  },
});
