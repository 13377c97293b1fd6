import { isSuccess } from './answer.ts';
import { reachFront, type DoctorOptions, type Examination, type ProbeContext } from './examination.ts';
import { skipped, type Finding, type Probe } from './probe.ts';
import { probes } from './probes.ts';
import { beginSession } from './session.ts';

/** A finding, and the probe that it is of. */
export interface ReportRow extends Finding {
  readonly probe: string;
}

/**
 * Asks a live front everything that the options allow. Nothing is changed but for a session that is begun and ended.
 * @throws CannotExamine when the front cannot be reached or does not take the credentials
 */
export async function examineFront(
  options: DoctorOptions,
  context: ProbeContext,
): Promise<readonly ReportRow[]> {
  const reached = await reachFront(options, context);
  const examination = { ...reached, session: await beginSession(reached) };
  const rows: ReportRow[] = [];
  for (const probe of probes) {
    const missing = whatIsMissing(probe, examination);
    const findings = missing === undefined ? await probe.run(examination) : [skipped(missing)];
    for (const finding of findings) rows.push({ probe: probe.name, ...finding });
  }
  return rows;
}

function whatIsMissing({ needs }: Probe, { session }: Examination): string | undefined {
  if (needs === undefined) return undefined;
  if ('missing' in session) return session.missing;
  return needs === 'login' || isSuccess(session.profile)
    ? undefined
    : 'the session does not hold: see session';
}
