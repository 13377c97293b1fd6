import { sql } from 'kysely';

/** `users.username` as names compare (`foldName`), which an index has. Both engines make the letters of ASCII small, and no others. */
export const foldedUsername = sql<string>`lower(username)`;
