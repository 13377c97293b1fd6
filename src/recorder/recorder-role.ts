import { unheardReasons } from './unheard.ts';

/** Why a role is not verified at the recorder. Operators search for these words. */
export const unverifiedReasons = {
  upstream_unset:
    'fronts pass requests on to what the gate does not know: set upstream to it (the embedded front is not concerned)',
  not_asked: 'the recorder has not answered yet',
  ...unheardReasons,
  no_profile: 'the answer at upstream is not that of a recorder which knows cameras of roles',
  everybody_is_admin:
    'the recorder takes everyone for an admin on the port that upstream names: name the port where it believes the identity headers (8971, not 5000)',
  more_cameras:
    'the recorder gives the role more cameras than the gate: it does not know the role, and takes it for a viewer, or has another list of cameras for it',
  change_refused:
    'the recorder refuses to take the role as it is in the gate: the detail is its answer; its configuration has to be writable',
  role_name_refused:
    'recorders take no such name: letters, digits and underscores, with a letter among them; it is not written to the recorder',
  role_without_cameras:
    'the role has no cameras, which would mean all of them to a recorder; it is not written to the recorder',
  expired: 'the last answer of the recorder is too old',
} as const;

export type UnverifiedReason = keyof typeof unverifiedReasons;

/** Whether the recorder is known to show a custom role only its cameras. */
export type RecorderRole =
  | { readonly state: 'verified' }
  | { readonly state: 'unverified'; readonly reason: UnverifiedReason };
