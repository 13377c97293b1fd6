import type { Clock } from '../../clock.ts';
import type { Configuration } from '../../config/configuration.ts';
import { skipped, type Finding } from './check.ts';
import { frontChecks, providerChecks } from './checks.ts';
import { inWords, isSuccess } from './front/answer.ts';
import {
  reachFront,
  type DoctorOptions,
  type Examination,
  type FrontCheck,
  type ProbeContext,
} from './front/examination.ts';
import { beginSession } from './front/session.ts';
import { reachProvider, type ProviderCheck, type ReachedProvider } from './provider/provider-examination.ts';

/** A finding with its check. */
export interface ReportRow extends Finding {
  readonly probe: string;
}

/**
 * Runs the checks of a live front that the options allow. Changes nothing, except that a session begins and ends.
 * @throws CannotExamine when the front cannot be reached or rejects the credentials
 */
export async function examineFront(
  options: DoctorOptions,
  context: ProbeContext,
): Promise<readonly ReportRow[]> {
  const reached = await reachFront(options, context);
  const examination = { ...reached, session: await beginSession(reached) };
  return runAll(frontChecks, (check) => runOnFront(check, examination));
}

async function runOnFront(check: FrontCheck, examination: Examination): Promise<readonly Finding[]> {
  const { session, profile } = examination;
  if (check.needs === undefined) return check.run(examination);
  if (check.needs === 'guard') {
    return isSuccess(profile)
      ? [skipped(`GET /api/profile is ${inWords(profile)} for everyone: see login-required`)]
      : check.run(examination);
  }
  if ('missing' in session) return [skipped(session.missing)];
  if (check.needs === 'session' && !isSuccess(session.profile))
    return [skipped('the session does not hold: see session')];
  return check.run({ ...examination, session });
}

/**
 * Runs the checks of the provider of `auth.oidc` that need no login. Changes nothing there.
 * @throws CannotExamine without a provider in the configuration
 */
export async function examineProvider(
  configuration: Configuration,
  clock: Clock,
  signIns?: ReachedProvider['signIns'],
): Promise<readonly ReportRow[]> {
  const reached = await reachProvider(configuration, clock, signIns);
  return runAll(providerChecks, (check) => runOnProvider(check, reached));
}

async function runOnProvider(check: ProviderCheck, reached: ReachedProvider): Promise<readonly Finding[]> {
  if (check.needs === undefined) return check.run(reached);
  const { metadata } = reached;
  if (metadata === undefined) return [skipped('see oidc-discovery: the provider was not found')];
  return check.run({ ...reached, metadata });
}

/** One after the other: the logout ends the session that others need. */
async function runAll<C extends { readonly name: string }>(
  checks: readonly C[],
  run: (check: C) => Promise<readonly Finding[]>,
): Promise<readonly ReportRow[]> {
  const rows: ReportRow[] = [];
  for (const check of checks)
    for (const finding of await run(check)) rows.push({ probe: check.name, ...finding });
  return rows;
}
