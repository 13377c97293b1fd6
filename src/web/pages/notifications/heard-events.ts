import type { AlertEvent } from '../../../config/notifications-section.ts';

/** Events that one switch turns on and off, by the part of the house that they are about. */
export const groups = {
  people: {
    asked: ['access_asked'],
    invited: ['invitation_used'],
    device: ['new_device'],
    failures: ['sign_in_failures'],
    admin: ['admin_made'],
    account: ['password_changed', 'email_changed', 'factor_added', 'factor_removed'],
  },
  sharing: {
    links: ['share_made', 'share_opened'],
    screens: ['display_paired', 'display_copied'],
    tokens: ['token_made'],
  },
  house: {
    away: ['recorder_away', 'store_away'],
    certificate: ['certificate_expiring'],
    roles: ['role_unverified'],
  },
} as const satisfies Record<string, Record<string, readonly AlertEvent[]>>;

/** As `notifications.events` names them. */
export const everyEvent = Object.values(groups).flatMap((switches): readonly AlertEvent[] =>
  Object.values(switches).flat(),
);
