import { sql } from 'kysely';

/** Whether a row of `users` has a second factor: 1 or 0. */
export const hasSecondFactor = sql<number>`CASE WHEN EXISTS (SELECT 1 FROM passkeys WHERE passkeys.username = users.username)
  OR EXISTS (SELECT 1 FROM one_time_codes WHERE one_time_codes.username = users.username) THEN 1 ELSE 0 END`;
