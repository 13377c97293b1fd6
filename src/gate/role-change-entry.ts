import type { AuditEntry } from '../audit/audit-entry.ts';
import type { ChangeOutcome } from '../recorder/role-management.ts';

/** The audit entry of a change at the recorder; undefined: nothing new, or nothing final yet. */
export function roleChangeEntry({
  role,
  cameras,
  result,
  detail,
  isRepeated,
}: ChangeOutcome): AuditEntry | undefined {
  const about = { source: 'system', object: role } as const;
  if (result === 'unanswered') return undefined;
  if (result === 'refused')
    return isRepeated
      ? undefined
      : { event: 'recorder_role_refused', ...about, detail: { cameras, recorder_says: detail } };
  return cameras === undefined
    ? { event: 'recorder_role_removed', ...about }
    : { event: 'recorder_role_written', ...about, detail: { cameras } };
}
