import * as v from 'valibot';
import { unreadReasons, type UnreadReason } from '../../recorder/configuration-answer.ts';
import type { Reference } from '../endpoint.ts';

const problem = v.strictObject({ path: v.string(), found: v.string(), allowed: v.string() });

export const currentConfiguration: Reference = {
  summary: 'The current configuration, and how the last reload ended',
  answers: {
    200: {
      meaning: 'Without any secret.',
      body: v.strictObject({
        version: v.string(),
        started_at: v.number(),
        hash: v.pipe(v.string(), v.description('Of the current configuration.')),
        in_force_since: v.number(),
        warnings: v.pipe(
          v.array(v.string()),
          v.description('What of it is worth a second look; the start says it too.'),
        ),
        last_reload: v.strictObject({
          successful: v.boolean(),
          at: v.number(),
          cause: v.string(),
          problems: v.array(problem),
          waiting: v.pipe(v.array(v.string()), v.description('Keys whose change waits for a restart.')),
        }),
        recorder: v.pipe(
          v.nullable(
            v.strictObject({
              heard_at: v.nullable(v.number()),
              fault: v.pipe(
                v.nullable(v.picklist(Object.keys(unreadReasons) as UnreadReason[])),
                v.description('Why the last attempt told nothing; what was told before stays.'),
              ),
              everybody_is_admin: v.pipe(
                v.boolean(),
                v.description('The recorder takes everyone for an admin on the port that `upstream` names.'),
              ),
              cameras: v.array(v.strictObject({ name: v.string(), streams: v.array(v.string()) })),
              unknown_cameras: v.pipe(
                v.array(v.string()),
                v.description('Cameras that the configuration names and the recorder does not have.'),
              ),
              unlisted_streams: v.pipe(
                v.array(v.string()),
                v.description('Streams of the recorder that no camera lists: closed to custom roles.'),
              ),
            }),
          ),
          v.description('What the recorder told of its cameras; null without a recorder at `upstream`.'),
        ),
      }),
    },
  },
};
