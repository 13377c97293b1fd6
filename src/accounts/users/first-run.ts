import type { Permit } from '../../store/permit.ts';
import type { Store } from '../../store/store.ts';

/** Steps of the first run that only an admin can tick off. */
interface FirstRunFacts {
  /** An admin has seen the steps. */
  readonly shown: boolean;
  /** An admin has seen the results of the gate's checks of itself. */
  readonly checked: boolean;
  /** An admin has chosen the face of the house, or kept the one that comes with Postern. */
  readonly face: boolean;
}

export const firstRunFacts = ['shown', 'checked', 'face'] as const;

/** Facts of a first run that the gate cannot find out itself. */
export interface FirstRun {
  facts(): Promise<FirstRunFacts>;
  /** @throws AppError `store_unavailable`, and errors of the permit */
  note(fact: (typeof firstRunFacts)[number], permit: Permit): Promise<void>;
  /** Name of a user who still has the generated password from the log. */
  generatedPasswordOf(): Promise<string | null>;
}

export function createFirstRun(store: Store): FirstRun {
  return {
    facts: async () => {
      const rows = await store.selectFrom('first_run').select('fact').execute();
      const known = new Set(rows.map(({ fact }) => fact));
      return { shown: known.has('shown'), checked: known.has('checked'), face: known.has('face') };
    },
    note: (fact, permit) =>
      store.change(permit, async (on) => {
        await on
          .insertInto('first_run')
          .values({ fact })
          .onConflict((conflict) => conflict.column('fact').doNothing())
          .execute();
      }),
    generatedPasswordOf: async () => {
      const generated = await store
        .selectFrom('users')
        .select('username')
        .where('password_generated', '=', 1)
        .executeTakeFirst();
      return generated?.username ?? null;
    },
  };
}
