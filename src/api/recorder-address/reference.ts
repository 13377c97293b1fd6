import * as v from 'valibot';
import { trialFaults, type TrialFault } from '../../recorder/try-recorder.ts';
import type { Reference } from '../endpoint.ts';
import { addressBody } from './recorder-address.ts';

const trial = v.strictObject({
  fault: v.pipe(
    v.nullable(v.picklist(Object.keys(trialFaults) as TrialFault[])),
    v.description('Why it is no recorder that the gate could stand before.'),
  ),
  cameras: v.array(v.string()),
  version: v.nullable(v.string()),
  everybody_is_admin: v.pipe(
    v.boolean(),
    v.description('To the recorder everybody is admin on this port: custom roles get few lists there.'),
  ),
});

const bodyExample = { address: 'http://192.168.1.20:8971' };
const busy = { meaning: 'Another address is being tried.' };

export const readAddress: Reference = {
  summary: 'Where the recorder is',
  answers: {
    200: {
      meaning: '`upstream`, and what else has to fit to it.',
      body: v.strictObject({
        address: v.nullable(v.string()),
        front: v.pipe(
          v.nullable(v.picklist(['embedded', 'relay'])),
          v.description(
            'By which front the gate passes requests on itself. Any other front has to know the recorder too.',
          ),
        ),
        sample_database: v.pipe(
          v.boolean(),
          v.description(
            '`events.database` is not set: whose camera an event is of, the bundled sample says.',
          ),
        ),
      }),
    },
  },
};

export const tryAddress: Reference = {
  summary: 'Ask an address whether it is a recorder',
  description:
    'The gate asks it for its configuration, within 8 seconds, and follows no redirect. It tells the secret of `recorder.auth_secret` to the address in `upstream` alone. Every attempt is on record.',
  body: addressBody,
  bodyExample,
  answers: { 200: { meaning: 'What was found there.', body: trial }, 429: busy },
};

export const setAddress: Reference = {
  summary: 'Connect the recorder',
  description:
    'Asks the address once more, writes it to `upstream` in `config.yml`, where comments stay, and applies it at once. An address that is no recorder is not taken (422), nor any other than `upstream` while `recorder.auth_secret` is set: that would be told to whoever answers there.',
  body: addressBody,
  bodyExample,
  answers: {
    200: { meaning: 'What was found there.', body: trial },
    409: { meaning: '`config.yml` cannot be written: set `upstream` there yourself.' },
    429: busy,
  },
};
