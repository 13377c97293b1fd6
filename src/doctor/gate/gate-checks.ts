import type { FirstRun } from '../../accounts/first-run.ts';
import type { Users } from '../../accounts/users.ts';
import type { Clock } from '../../clock.ts';
import type { ReloadReport } from '../../config/reload-report.ts';
import type { Identity } from '../../policy/identity.ts';
import type { ConfigurationReading } from '../../recorder/configuration-reading.ts';
import type { Session } from '../../sessions/session.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ProviderSessions } from '../../sign-on/provider-sessions.ts';

/** What the running gate knows of itself. */
export interface GateState {
  readonly settings: Pick<Settings, 'mode' | 'ownFront' | 'rules' | 'roleAtRecorder'>;
  readonly about: {
    readonly reloads: () => ReloadReport;
    readonly recorder: ConfigurationReading['knowledge'];
  };
  readonly clock: Clock;
  /** Milliseconds since the epoch; undefined: the gate has no certificate to show. */
  readonly certificateEnds: () => number | undefined;
  readonly firstRun: FirstRun;
  readonly users: Pick<Users, 'find'>;
  readonly servesSample: boolean;
  /** Where people log in; undefined: nowhere but here. */
  readonly provider?: { readonly label: string; readonly issuer: string } | undefined;
  readonly providerSessions?: Pick<ProviderSessions, 'find' | 'countFaults'> | undefined;
}

/** Who is asking; some findings are about them alone. */
export interface Asker {
  readonly identity: Identity | undefined;
  readonly session: Session | undefined;
}

export interface GateFinding {
  /** `none`: there is nothing to look at. */
  readonly result: 'ok' | 'hint' | 'fault' | 'none';
  /** Names or words that belong to the result: a warning of the configuration, a role, a reason. */
  readonly seen?: readonly string[];
  /** The same for programs, of a hint or a fault. */
  readonly detail?: Readonly<Record<string, string | number | null>>;
}

/** One thing that the gate finds out about itself. What others can reach, only the checks of a front find out. */
export type GateCheck = (gate: GateState, asker: Asker) => GateFinding | Promise<GateFinding>;

const ok: GateFinding = { result: 'ok' };
const none: GateFinding = { result: 'none' };

export function configuration({ about }: GateState): GateFinding {
  const { successful, problems, warnings, waiting } = about.reloads();
  if (!successful) {
    const paths = problems.map(({ path }) => path);
    return { result: 'fault', seen: paths, detail: { problems: paths.length } };
  }
  const seen = [...waiting.map((key) => `${key}: waits for a restart`), ...warnings];
  return { result: seen.length > 0 ? 'hint' : 'ok', seen };
}

const day = 86_400_000;

// Renewals by ACME come earlier than that.
const daysToCare = 21;

export function certificate({ certificateEnds, clock }: GateState): GateFinding {
  const ends = certificateEnds();
  if (ends === undefined) return none;
  const left = ends - clock.now();
  return {
    result: left > daysToCare * day ? 'ok' : 'fault',
    seen: [new Date(ends).toISOString().slice(0, 10)],
    detail: { days: Math.floor(left / day), ends_at: ends / 1_000 },
  };
}

export function recorder({ about }: GateState): GateFinding {
  const known = about.recorder();
  if (known === undefined) return none;
  const { configuration, fault, isForEverybody } = known;
  if (fault !== undefined) return { result: 'fault', seen: [fault] };
  if (configuration === undefined) return { result: 'hint', seen: ['not_asked'] };
  if (isForEverybody === true) return { result: 'hint', seen: ['everybody_is_admin'] };
  return { result: 'ok', seen: [...configuration.cameras.keys()] };
}

// More would be a list, and the page of roles has it.
const mostNames = 5;

/**
 * A role that was not asked about yet will be in a moment. Without `upstream`, the embedded front passes on to the events app alone,
 * which keeps every role to its cameras.
 */
export function roles({ settings: { ownFront, rules, roleAtRecorder } }: GateState): GateFinding {
  if (rules.customRoles.size === 0) return none;
  const unverified = [...rules.customRoles.keys()].filter((role) => {
    const found = roleAtRecorder(role);
    if (found.state === 'verified' || found.reason === 'not_asked') return false;
    return ownFront !== 'embedded' || found.reason !== 'upstream_unset';
  });
  if (unverified.length === 0) return ok;
  const detail = { roles: unverified.slice(0, mostNames).join(', '), count: unverified.length };
  return { result: 'fault', seen: unverified, detail };
}

/** Whether any account still has the password that the log has told. */
export async function password({ firstRun }: GateState): Promise<GateFinding> {
  const user = await firstRun.generatedPasswordOf();
  return user === null ? ok : { result: 'fault', seen: [user] };
}

/** A script has no password, and the admin of the internal entry point has none either. */
export async function ownPassword({ users }: GateState, { identity }: Asker): Promise<GateFinding> {
  if (identity?.source !== 'session' && identity?.source !== 'bearer') return none;
  const user = await users.find(identity.user);
  return user?.hasGeneratedPassword === true ? { result: 'fault' } : ok;
}

export async function person({ firstRun }: GateState): Promise<GateFinding> {
  return (await firstRun.isOnePerson()) ? { result: 'hint' } : ok;
}

/** Whether the provider could be asked if the session of whoever asks may go on. */
export async function ownSession(
  { provider, providerSessions }: GateState,
  { session }: Asker,
): Promise<GateFinding> {
  if (session?.user.issuer === undefined || provider === undefined) return none;
  const known = await providerSessions?.find(session.claims.sessionId);
  if (known?.fault === undefined) return ok;
  const detail = { provider: provider.label, fault: known.fault, ends_at: session.expiresAt / 1_000 };
  return { result: 'fault', detail };
}

/** The same of all sessions. */
export async function provider({ provider, providerSessions }: GateState): Promise<GateFinding> {
  if (provider === undefined) return none;
  const sessions = (await providerSessions?.countFaults(provider.issuer)) ?? 0;
  return sessions === 0 ? ok : { result: 'fault', detail: { provider: provider.label, sessions } };
}

export function sample({ servesSample }: GateState): GateFinding {
  return servesSample ? { result: 'hint' } : ok;
}
