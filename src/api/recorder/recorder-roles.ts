import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { unreadReasons, type UnreadReason } from '../../recorder/configuration-answer.ts';
import type { RecorderRoles } from '../../recorder/recorder-roles.ts';
import type { Users } from '../../accounts/users/users.ts';
import { isNamelessRole } from '../../policy/names.ts';
import { namesOfRoles, unverifiedRoles, type GateState } from '../doctor/gate-checks.ts';
import { endpoint } from '../endpoint.ts';

const described = <T extends v.GenericSchema>(schema: T, meaning: string) =>
  v.pipe(schema, v.description(meaning));
const roles = v.array(v.strictObject({ name: v.string(), cameras: v.array(v.string()) }));

const recorderRoles = v.strictObject({
  asked: described(v.boolean(), 'Whether there is a recorder at `upstream` to ask about the roles.'),
  managed: described(v.boolean(), "Whether Postern's roles are written to it (`recorder.manage_roles`)."),
  unread_reason: described(
    v.nullable(v.picklist(Object.keys(unreadReasons) as UnreadReason[])),
    'Why the recorder could not be asked last time; then nothing is written to it.',
  ),
  only_at_recorder: described(
    roles,
    'Custom roles that only the recorder has, by its last answer; without cameras: all of them. Empty when they are not managed.',
  ),
  unverified_guests: described(
    v.array(v.string()),
    'Users whose role was made for them alone, and has not been verified: `GET /postern/api/roles` does not list such roles.',
  ),
  refusals: described(
    v.array(v.strictObject({ name: v.string(), recorder_says: v.string() })),
    'Roles whose last change the recorder refused.',
  ),
  unknown_cameras: described(
    roles,
    'Roles of Postern, with those of their cameras that the recorder does not know.',
  ),
});

const body = { meaning: 'The last answer of the recorder.', body: recorderRoles };

export interface RecorderRolesDependencies {
  readonly recorderRoles: RecorderRoles;
  readonly settings: GateState['settings'];
  readonly users: Pick<Users, 'listWith'>;
}

// Milliseconds. Fronts wait a minute for an answer; a recorder may take longer to store many roles.
const longestWait = 20_000;

export const readRecorderRoles = endpoint({
  method: 'get',
  path: '/postern/api/recorder/roles',
  level: 'admin-only',
  tag: 'Roles',
  summary: 'Compare the custom roles with the recorder',
  description: 'Whether each role is verified is in `GET /postern/api/roles`.',
  answers: { 200: body },
  handle: (dependencies: RecorderRolesDependencies) => () => answerOf(dependencies),
});

export const tryRecorderRoles = endpoint({
  method: 'post',
  path: '/postern/api/recorder/roles',
  level: 'admin-only',
  tag: 'Roles',
  summary: 'Write and verify the custom roles again, now',
  description:
    'Repeats changes that the recorder refused. It answers when the recorder has answered, or after 20 seconds.',
  answers: { 200: body },
  handle: (dependencies: RecorderRolesDependencies) => async () => {
    const { recorderRoles } = dependencies;
    const late = new AbortController();
    await Promise.race([
      recorderRoles.tryAgain(),
      setTimeout(longestWait, undefined, { signal: late.signal, ref: false }).catch(() => undefined),
    ]);
    late.abort();
    return answerOf(dependencies);
  },
});

async function answerOf({ recorderRoles, settings, users }: RecorderRolesDependencies) {
  const { isAsked, isManaged, fault, onlyThere, refusals, unknownCameras } = recorderRoles.report();
  return {
    asked: isAsked,
    managed: isManaged,
    unread_reason: fault ?? null,
    only_at_recorder: onlyThere,
    unverified_guests: [...(await namesOfRoles(unverifiedRoles(settings).filter(isNamelessRole), users))],
    refusals: refusals.map(({ name, says }) => ({ name, recorder_says: says })),
    unknown_cameras: unknownCameras,
  };
}
