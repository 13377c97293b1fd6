import * as v from 'valibot';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { Clock } from '../../clock.ts';
import { ConfigurationError } from '../../config/problem.ts';
import { recorderAddress } from '../../config/recorder-section.ts';
import { bestOf, candidatesOf } from '../../recorder/address-candidates.ts';
import type { RecorderAddress } from '../../recorder/recorder-address.ts';
import { trialFaults, type RecorderTrial, type TrialFault } from '../../recorder/try-recorder.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { invalid } from '../../http/validation.ts';
import { actorOf } from '../request.ts';
import { endpoint } from '../endpoint.ts';
import type { ApiContext } from '../environment.ts';
import { requireStepUp, stepUpNeeded } from '../require-step-up.ts';

const addressBody = v.object({
  address: v.pipe(recorderAddress, v.description('Like `upstream`, without a name or a password in it.')),
});

const tryBody = v.object({
  address: v.pipe(
    v.string('a URL, or a host'),
    v.maxLength(256, 'at most 256 characters'),
    v.check(
      (typed) => candidatesOf(typed).length > 0,
      'an http or https URL without a path, a host such as 192.168.1.20, or unix:/path of a socket',
    ),
    v.description(
      'Like `upstream`, without a name or a password in it. A host without a scheme is tried with both, and on ports 8971 and 5000 unless it has a port.',
    ),
  ),
});

const trial = v.strictObject({
  address: v.pipe(v.string(), v.description('The address that this is about, as `PUT` takes it.')),
  fault: v.pipe(
    v.nullable(v.picklist(Object.keys(trialFaults) as TrialFault[])),
    v.description('Why the address cannot be used as a recorder.'),
  ),
  cameras: v.array(v.string()),
  version: v.nullable(v.string()),
  everybody_is_admin: v.pipe(
    v.boolean(),
    v.description('On this port the recorder treats everyone as an admin: custom roles get few lists.'),
  ),
});

const bodyExample = { address: 'http://192.168.1.20:8971' };
const busy = { meaning: 'Another address is being tried.' };

export interface RecorderAddressDependencies {
  readonly settings: Settings;
  readonly recorderAddress: RecorderAddress;
  readonly hasSampleDatabase: boolean;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly clock: Clock;
}

const secretTold =
  'recorder.auth_secret is set and would be sent to that address: write upstream into config.yml yourself';

export const readAddress = endpoint({
  method: 'get',
  path: '/postern/api/recorder/address',
  level: 'admin-only',
  tag: 'Operation',
  summary: "Get the recorder's address",
  answers: {
    200: {
      meaning: '`upstream`, and what else has to fit to it.',
      body: v.strictObject({
        address: v.nullable(v.string()),
        front: v.pipe(
          v.nullable(v.picklist(['embedded', 'relay'])),
          v.description(
            'The front through which Postern itself passes requests on. Any other front needs the address of the recorder too.',
          ),
        ),
        database: v.pipe(
          v.nullable(v.strictObject({ path: v.string(), written: v.boolean() })),
          v.description(
            "A recorder's database that Postern can read, while it has none; whether `config.yml` names it, and a restart is needed.",
          ),
        ),
        sample_database: v.pipe(
          v.boolean(),
          v.description(
            '`events.database` is not set: the camera of an event comes from the bundled sample.',
          ),
        ),
      }),
    },
  },
  handle:
    ({ recorderAddress, settings, hasSampleDatabase }: RecorderAddressDependencies) =>
    () => ({
      address: recorderAddress.current ?? null,
      database: databaseAnswer(recorderAddress.findDatabase()),
      front: settings.ownFront ?? null,
      sample_database: hasSampleDatabase,
    }),
});

// The gate sends a request to an address that the client chooses.
export const tryAddress = endpoint({
  method: 'post',
  path: '/postern/api/recorder/address',
  level: 'admin-only',
  // A program has no need to try other addresses.
  requiresSession: true,
  tag: 'Operation',
  summary: 'Check whether an address is a recorder',
  description:
    'Postern requests its configuration, within 8 seconds, and follows no redirect. Of several ports, the answer is the one with roles, else the one that tells most. It sends the secret of `recorder.auth_secret` only to the address in `upstream`. Every attempt is in the audit.',
  body: tryBody,
  bodyExample,
  answers: { 200: { meaning: 'What was found at the address.', body: trial }, 403: stepUpNeeded, 429: busy },
  handle: (dependencies: RecorderAddressDependencies) => async (c) => {
    requireStepUp(c, dependencies.clock);
    return answerOf(await tryOnRecord(dependencies, c, candidatesOf(c.req.valid('json').address)));
  },
});

// An admin could read other servers of the network through the gate. So the address must be a recorder's, and none that would
// get a secret: the API must not hand secrets to admins.
export const setAddress = endpoint({
  method: 'put',
  path: '/postern/api/recorder/address',
  level: 'admin-only',
  requiresSession: true,
  tag: 'Operation',
  summary: 'Connect the recorder',
  description:
    'Checks the address again, writes it to `upstream` in `config.yml`, where comments stay, and applies it at once; likewise `events.database`, where there is none and the database of a recorder is found, which needs a restart. An address that is not a recorder is rejected (422), and so is any other than `upstream` while `recorder.auth_secret` is set, since it would get the secret.',
  body: addressBody,
  bodyExample,
  answers: {
    200: { meaning: 'What was found at the address.', body: trial },
    403: stepUpNeeded,
    409: { meaning: '`config.yml` cannot be written: set `upstream` there yourself.' },
    429: busy,
  },
  handle: (dependencies: RecorderAddressDependencies) => async (c) => {
    const { recorderAddress: place, settings, audit, clock } = dependencies;
    requireStepUp(c, clock);
    const { address } = c.req.valid('json');
    if (place.wouldTellSecret(address)) throw invalid(['body', 'address'], secretTold);
    const tried = await tryOnRecord(dependencies, c, [address]);
    const { trial } = tried;
    if ('fault' in trial) throw invalid(['body', 'address'], trialFaults[trial.fault]);
    try {
      await place.set(address, c.var.permit);
    } catch (error) {
      if (error instanceof ConfigurationError) throw invalid(['body', 'address'], error.message);
      throw error;
    }
    await audit.record({ event: 'recorder_connected', ...actorOf(c, settings), detail: { address } });
    return answerOf(tried);
  },
});

interface Tried {
  readonly address: string;
  readonly trial: RecorderTrial;
}

async function tryOnRecord(
  { recorderAddress, settings, audit }: RecorderAddressDependencies,
  c: ApiContext,
  addresses: readonly string[],
): Promise<Tried> {
  const trials = await recorderAddress.try(addresses);
  const tried: Tried[] = [];
  for (const [index, trial] of trials.entries()) {
    const address = addresses[index] ?? '';
    const result = 'fault' in trial ? trial.fault : 'found';
    await audit.record({ event: 'recorder_tried', ...actorOf(c, settings), detail: { address, result } });
    tried.push({ address, trial });
  }
  const [first, ...others] = tried;
  if (first === undefined) throw invalid(['body', 'address'], 'no address');
  return bestOf([first, ...others]);
}

function answerOf({ address, trial }: Tried) {
  return 'fault' in trial
    ? { address, fault: trial.fault, cameras: [], version: null, everybody_is_admin: false }
    : {
        address,
        fault: null,
        cameras: trial.cameras,
        version: trial.version ?? null,
        everybody_is_admin: trial.isEveryoneAdmin,
      };
}

function databaseAnswer(found: ReturnType<RecorderAddress['findDatabase']>) {
  return found === undefined ? null : { path: found.path, written: found.isWritten };
}
