import { sql, type Kysely, type RawBuilder } from 'kysely';
import { wholeSeconds } from '../clock.ts';
import { inEngine, newName } from './engine.ts';
import type { SessionGeneration } from '../policy/session-generation.ts';

/** Column values that end all sessions of a user. @param now milliseconds since the epoch */
export function newGeneration(
  on: Pick<Kysely<never>, 'getExecutor'>,
  now: number,
): {
  readonly session_generation: RawBuilder<string>;
  readonly sessions_not_before: number;
} {
  return {
    session_generation: inEngine<string>(on, newName),
    sessions_not_before: wholeSeconds(now),
  };
}

/** `isOfGeneration` as a condition on the rows of `seen_sessions`. */
export function isOfGenerationNow({ generation, notBefore }: SessionGeneration): RawBuilder<boolean> {
  return sql<boolean>`
    CASE WHEN session_generation IS NULL THEN began_at >= ${wholeSeconds(notBefore)}
    ELSE session_generation = ${generation} END`;
}
