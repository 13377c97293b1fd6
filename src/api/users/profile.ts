import * as v from 'valibot';
import { AppError } from '../../errors.ts';
import { openingBody } from '../../http/fronts/refusal.ts';
import { openingOf, scheduleStateOf } from '../../policy/evaluate/rules.ts';
import { endsAt } from '../../policy/schedule.ts';
import { accessOf } from '../../policy/token-scope.ts';
import { capabilities } from '../../policy/capability.ts';
import type { Identity } from '../../policy/identity.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { endpoint } from '../endpoint.ts';
import { grantedCameras, shownCameras } from './shown-access.ts';

const cameras = v.pipe(v.array(v.string()), v.description('Existing cameras that the role covers.'));
export const profile = v.strictObject({ username: v.string(), role: v.string(), allowed_cameras: cameras });
const ownProfile = v.strictObject({
  ...profile.entries,
  camera_names: v.optional(
    v.pipe(
      v.record(v.string(), v.string()),
      v.description('What the recorder calls these cameras, where it has a name for them.'),
    ),
  ),
  camera_groups: v.optional(
    v.pipe(
      v.array(v.strictObject({ name: v.string(), cameras: v.array(v.string()) })),
      v.description("Groups of the recorder and of Postern, with the user's cameras in them."),
    ),
  ),
  may: v.pipe(v.array(v.picklist(capabilities)), v.description('What the role may do with these cameras.')),
  recordings_since: v.optional(
    v.pipe(
      v.number(),
      v.description(
        'Only with `history: from` in the schedule: earlier recordings are hidden. Seconds since the epoch.',
      ),
    ),
  ),
  invited_by: v.optional(
    v.pipe(
      v.string(),
      v.description('The admin who invited you, while they are one. Only in your own session.'),
    ),
  ),
  ends_at: v.optional(
    v.pipe(
      v.number(),
      v.description(
        'Only while the schedule is open and has an end: when that is, in seconds since the epoch.',
      ),
    ),
  ),
  closed: v.optional(
    v.pipe(
      v.strictObject({
        opens: v.nullable(v.number()),
        closed_since: v.nullable(v.number()),
        zone: v.string(),
      }),
      v.description(
        'Only while the schedule is closed: when it opens, or since when it has been closed for good, in seconds since the epoch; and the time zone of the schedule.',
      ),
    ),
  ),
});

export interface ProfileDependencies {
  readonly settings: Settings;
}

export const readProfile = endpoint({
  method: 'get',
  path: '/api/profile',
  level: 'own-account',
  beforeSecondFactor: true,
  tag: 'Sign-in',
  summary: 'Get the current user',
  answers: { 200: { meaning: 'The user, as Postern sees it now.', body: ownProfile } },
  handle:
    ({ settings }: ProfileDependencies) =>
    (c) => {
      const { identity, grant, may } = c.var.allowed;
      if (identity === undefined) throw new AppError('unauthenticated');
      return {
        username: identity.user,
        role: identity.role,
        ...shownCameras(settings, grant),
        may: capabilities.filter((capability) => may.has(capability)),
        ...hiddenBefore(identity, settings),
        ...(identity.invitedBy !== undefined && { invited_by: identity.invitedBy }),
        ...endFor(identity, settings),
        ...closedFor(identity, settings),
      };
    },
});

/** @returns since when recordings are shown to an identity; nothing when all are */
function hiddenBefore(identity: Identity, { rules }: Settings) {
  const { since } = scheduleStateOf(accessOf(identity, rules.roles), identity.token, rules) ?? {};
  return since === undefined || !Number.isFinite(since) ? {} : { recordings_since: since / 1000 };
}

/** @returns when the access of an identity ends for good; nothing while it is closed, and without an end */
function endFor(identity: Identity, { rules, zone }: Settings) {
  const access = accessOf(identity, rules.roles);
  if (scheduleStateOf(access, identity.token, rules)?.isOpen !== true) return {};
  const schedules = [access.schedule, identity.token?.schedule].filter((found) => found !== undefined);
  const ends = endsAt(schedules, zone);
  return Number.isFinite(ends) ? { ends_at: ends / 1000 } : {};
}

/** @returns when the schedule of an identity opens; nothing while it is open */
export function closedFor(identity: Identity, { rules, zone }: Settings) {
  const access = accessOf(identity, rules.roles);
  if (scheduleStateOf(access, identity.token, rules)?.isOpen !== false) return {};
  return { closed: openingBody(openingOf(access, identity.token, rules) ?? {}, zone) };
}

export const listCameras = endpoint({
  method: 'get',
  path: '/postern/api/cameras',
  level: 'any',
  namesNoCamera: true,
  tag: 'Sign-in',
  summary: 'List your cameras',
  answers: { 200: { meaning: 'Their names, in the order of the recorder.', body: cameras } },
  handle:
    ({ settings }: ProfileDependencies) =>
    (c) =>
      grantedCameras(settings, c.var.allowed.grant),
});
