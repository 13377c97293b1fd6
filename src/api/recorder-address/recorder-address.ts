import { Hono } from 'hono';
import * as v from 'valibot';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { Clock } from '../../clock.ts';
import { ConfigurationError } from '../../config/problem.ts';
import { recorderAddress } from '../../config/recorder-section.ts';
import type { RecorderAddress } from '../../recorder/recorder-address.ts';
import { trialFaults, type RecorderTrial } from '../../recorder/try-recorder.ts';
import type { Settings } from '../../settings/settings.ts';
import { invalid, validBody } from '../../validation.ts';
import { actorOf } from '../actor.ts';
import type { ApiContext, ApiEnvironment } from '../request-context.ts';
import { requireStepUp } from '../require-step-up.ts';

export const addressBody = v.object({
  address: v.pipe(recorderAddress, v.description('As `upstream`, without a name or a password in it.')),
});

export interface RecorderAddressDependencies {
  readonly settings: Settings;
  readonly recorderAddress: RecorderAddress;
  readonly hasSampleDatabase: boolean;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly clock: Clock;
}

const secretTold =
  'recorder.auth_secret is set, and whoever answers there would be told it: write upstream into config.yml yourself';

/** `/postern/api/recorder/address`, for admins: `upstream` of config.yml. */
export function recorderAddressRoutes(dependencies: RecorderAddressDependencies) {
  const { recorderAddress: place, settings, hasSampleDatabase, audit, clock } = dependencies;
  const tryAddress = async (c: ApiContext, address: string) => {
    const trial = await place.try(address);
    const result = 'fault' in trial ? trial.fault : 'found';
    await audit.record({ event: 'recorder_tried', ...actorOf(c, settings), detail: { address, result } });
    return trial;
  };

  return (
    new Hono<ApiEnvironment>()
      .get('/', (c) =>
        c.json({
          address: place.current ?? null,
          front: settings.ownFront ?? null,
          sample_database: hasSampleDatabase,
        }),
      )

      // The gate sends a request to an address that the client chooses.
      .post('/', validBody(addressBody), async (c) => {
        requireStepUp(c, clock);
        return c.json(told(await tryAddress(c, c.req.valid('json').address)));
      })

      // Whoever sets it can read by the gate what answers there. So nothing but a recorder is taken, and none that would be told a
      // secret: no admin gets to know that by the API.
      .put('/', validBody(addressBody), async (c) => {
        requireStepUp(c, clock);
        const { address } = c.req.valid('json');
        if (place.wouldTellSecret(address)) throw invalid(['body', 'address'], secretTold);
        const trial = await tryAddress(c, address);
        if ('fault' in trial) throw invalid(['body', 'address'], trialFaults[trial.fault]);
        try {
          await place.set(address, c.var.permit);
        } catch (error) {
          if (error instanceof ConfigurationError) throw invalid(['body', 'address'], error.message);
          throw error;
        }
        await audit.record({ event: 'recorder_connected', ...actorOf(c, settings), detail: { address } });
        return c.json(told(trial));
      })
  );
}

export type RecorderAddressApi = ReturnType<typeof recorderAddressRoutes>;

function told(trial: RecorderTrial) {
  return 'fault' in trial
    ? { fault: trial.fault, cameras: [], version: null, everybody_is_admin: false }
    : {
        fault: null,
        cameras: trial.cameras,
        version: trial.version ?? null,
        everybody_is_admin: trial.isForEverybody,
      };
}
