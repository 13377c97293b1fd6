import type { Logger } from '../telemetry/logger.ts';
import { unverifiedReasons, type RecorderRole, type UnverifiedReason } from './recorder-role.ts';

export interface Finding {
  readonly role: string;
  readonly found: RecorderRole;
  readonly detail: string | undefined;
}

/** @returns logs what has changed since the last call, in one line for all roles with the same result */
export function logChanges(logger: Pick<Logger, 'info' | 'warn'>): (findings: readonly Finding[]) => void {
  let known = new Map<string, string>();
  return (findings) => {
    const isNews = ({ role, found }: Finding) =>
      wordOf(found) !== 'not_asked' && wordOf(found) !== known.get(role);
    const byWord = Map.groupBy(findings.filter(isNews), ({ found }) => wordOf(found));
    for (const [word, news] of byWord) {
      const roles = news.map(({ role }) => role);
      if (word === 'verified')
        logger.info({ roles }, 'the recorder shows these roles nothing but their cameras');
      else
        logger.warn(
          { roles, reason: word, detail: news[0]?.detail },
          `these roles get no lists but those that are narrowed to their cameras (recorder_role_unverified): ${unverifiedReasons[word]}`,
        );
    }
    known = new Map(findings.map(({ role, found }) => [role, wordOf(found)]));
  };
}

function wordOf(found: RecorderRole): UnverifiedReason | 'verified' {
  return found.state === 'verified' ? 'verified' : found.reason;
}
