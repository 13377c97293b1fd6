import { isTextList } from '../../../policy/json.ts';
import { finding, info, type Finding } from '../check.ts';
import type { ProviderCheck, SignInRecord } from './provider-examination.ts';

/** Kinds of refusals that are listed, the newest of each. */
const enough = 3;

/** Claims of users who signed in at the provider, from the audit. */
export const signIns: ProviderCheck = {
  name: 'oidc-sign-ins',
  needs: 'metadata',
  run: async ({ signIns: records = [] }) => {
    const there = records.filter(({ source }) => source === 'oidc');
    const [last] = there;
    if (last === undefined) return [info('the last sign-ins', 'none recorded')];
    const odd = new Map<string, SignInRecord>();
    for (const record of there) {
      const key = said(record);
      if (key !== undefined && !odd.has(key)) odd.set(key, record);
    }
    if (odd.size === 0) return [finding('the last sign-ins', 'readable claims', 'readable claims', false)];
    return [...odd].slice(0, enough).map(([seen, record]) => findingOf(record, seen, record === last));
  },
};

/** @returns undefined if all claims of the user could be read and gave a role */
function said({ event, reason, detail }: SignInRecord): string | undefined {
  const { unreadable, claims, looked_for: lookedFor } = detail;
  if (typeof unreadable === 'string') return `unreadable: ${unreadable}`;
  if (event === 'login' || !isTextList(claims) || !isTextList(lookedFor)) return undefined;
  return `${reason}: looked for ${lookedFor.join(', ')}; came: ${claims.join(', ')}`;
}

/** A fault ends with the next sign-in. */
function findingOf({ time, detail }: SignInRecord, seen: string, isLast: boolean): Finding {
  const sent = `a sign-in at ${time}`;
  const change = 'auth.oidc.user_claim and groups_claim, or the mapper at the provider';
  return isLast && typeof detail['unreadable'] === 'string'
    ? finding(sent, 'a name as text; groups as a list, a text or an object', seen, change)
    : info(sent, seen, change);
}
