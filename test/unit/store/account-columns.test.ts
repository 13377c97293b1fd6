import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOfGeneration } from '../../../src/policy/session-generation.ts';
import { isOfGenerationNow } from '../../../src/store/account-columns.ts';
import { temporaryActivity } from './temporary-store.ts';
import { assertCases } from '../../support/assert-cases.ts';

test('the condition on rows agrees with the rule on their tokens', async () => {
  const activity = await temporaryActivity();
  const moment = fc.nat(3).map((seconds) => seconds * 1000);
  const names = fc.constantFrom('g0', 'g1', 'G1', '', "'");
  const token = fc.record({
    generation: fc.option(names, { nil: undefined }),
    issuedAt: moment,
  });
  const current = fc.record({ generation: names, notBefore: moment });
  await assertCases(
    fc.asyncProperty(fc.array(token, { minLength: 1, maxLength: 8 }), current, async (tokens, now) => {
      await activity.deleteFrom('seen_sessions').execute();
      const seen = { username: 'olaf', last_seen_at: 0, expires_at: 9, address: null, agent: null };
      await activity
        .insertInto('seen_sessions')
        .values(
          tokens.map(({ generation, issuedAt }, i) => ({
            ...seen,
            session_id: String(i),
            session_generation: generation ?? null,
            began_at: issuedAt / 1000,
          })),
        )
        .execute();
      const holding = tokens.flatMap((each, i) => (isOfGeneration(each, now) ? [String(i)] : []));
      const rows = activity.selectFrom('seen_sessions').select('session_id').orderBy('session_id');
      const found = await rows.where(isOfGenerationNow(now)).execute();
      const others = await rows.where(({ not }) => not(isOfGenerationNow(now))).execute();
      expect(found.map(({ session_id: id }) => id)).toEqual(holding);
      expect(found.length + others.length).toBe(tokens.length);
    }),
    { numRuns: 100 },
  );
});
