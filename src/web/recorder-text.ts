import type { RecorderRoles, Role } from './api-client.ts';

type UnverifiedReason = Extract<Role, { readonly recorder_reason: unknown }>['recorder_reason'];

/** Why the recorder is told nothing. */
export const unreadText: Readonly<Record<NonNullable<RecorderRoles['unread_reason']>, string>> = {
  no_answer: 'The recorder does not answer at upstream.',
  error_status:
    'The recorder refuses to answer: turn its own login off, or set recorder.auth_secret to what it expects.',
  no_configuration:
    'What answers at upstream gives no configuration of a recorder with cameras. Is it in safe mode?',
  too_large: 'Its configuration is too large to be read.',
};

/** Why a role gets no lists, and what to do. */
export const recorderText: Readonly<Record<UnverifiedReason, string>> = {
  upstream_unset:
    'Through fronts other than the embedded one: set upstream in config.yml to what they pass requests on to.',
  not_asked: 'The recorder is being asked about this role.',
  no_answer: 'The recorder does not answer at upstream.',
  error_status:
    'The recorder refuses to answer: turn its own login off, or set recorder.auth_secret to what it expects.',
  no_profile: 'What answers at upstream is no recorder that knows roles.',
  everybody_is_admin:
    'To the recorder everybody is admin on this port: let upstream name its authenticated one.',
  more_cameras:
    'The recorder has other cameras for this role, or does not know it: define it there with the same cameras.',
  change_refused:
    'The recorder refused the change. Its configuration has to be writable, and the gate an admin to it.',
  role_name_refused:
    'Recorders take no such name: letters, digits and underscores alone, one letter at least.',
  role_without_cameras: 'No cameras would mean all of them to the recorder: the role is not written there.',
  expired: 'The last answer of the recorder is too old.',
};
