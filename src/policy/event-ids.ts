/** Ids in one lookup; more cannot be looked up. */
export const mostIds = 1_000;

/** Characters; no recorder makes a longer one. */
export const longestId = 64;

/**
 * The parameter that takes the place of more ids than that: the events app answers it as it answers too many, and a recorder as no ids.
 */
export const tooManyIds = 'too_many_ids';

/** Whether there can be an event with this id. */
export function isPossibleId(id: string): boolean {
  return [...id].length <= longestId;
}
