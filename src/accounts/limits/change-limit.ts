import { AppError } from '../../errors.ts';
import { secondsToWait, type CountedWindows, type WindowRule } from './counted-windows.ts';

/** More than anyone does by hand. */
const rules = {
  api_token: { name: 'api_token', most: 60, seconds: 3_600 },
  own_password: { name: 'own_password', most: 60, seconds: 3_600 },
  own_factors: { name: 'own_factors', most: 60, seconds: 3_600 },
  passkey_shown: { name: 'passkey_shown', most: 120, seconds: 3_600 },
  provider_login: { name: 'provider_login', most: 120, seconds: 3_600 },
  display: { name: 'display', most: 60, seconds: 3_600 },
  test_alert: { name: 'test_alert', most: 20, seconds: 3_600 },
  access_request: { name: 'access_request', most: 60, seconds: 3_600 },
  push: { name: 'push', most: 60, seconds: 3_600 },
  share: { name: 'share', most: 60, seconds: 3_600 },
  own_sessions: { name: 'own_sessions', most: 20, seconds: 60 },
} as const satisfies Record<string, WindowRule>;

/** Change that users may make to their own account, up to a limit. */
type OwnChange = keyof typeof rules;

/**
 * Limits the changes users make to their own accounts: each one writes to the accounts database, which clears what is
 * remembered about every user, and adds an audit record that is kept for long.
 */
export interface ChangeLimit {
  /** @param whose name of at most 128 characters that no one else can take @throws AppError `too_many_requests` */
  take(change: OwnChange, whose: string): Promise<void>;
}

export function createChangeLimit(windows: CountedWindows): ChangeLimit {
  return {
    take: async (change, whose) => {
      const { isTaken, wait } = await windows.take(rules[change], whose);
      if (!isTaken)
        throw new AppError('too_many_requests', { retryAfterSeconds: secondsToWait(rules[change], wait) });
    },
  };
}
