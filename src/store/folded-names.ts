import { sql } from 'kysely';

/** `users.username` as names compare (`foldName`); it has an index. Both engines lower only ASCII letters. */
export const foldedUsername = sql<string>`lower(username)`;
