import type { LostCameras } from '../../accounts/cameras/lost-cameras.ts';
import type { ProviderFault } from '../../accounts/provider.ts';
import { incompleteRoles } from '../../policy/incomplete-roles.ts';
import { camerasByRole } from '../../policy/role-access.ts';
import type { FirstRun } from '../../accounts/users/first-run.ts';
import { undefinedRoles } from '../../accounts/users/user-list.ts';
import type { Users } from '../../accounts/users/users.ts';
import type { Clock } from '../../clock.ts';
import { describeProblem } from '../../config/problem.ts';
import type { ReloadReport } from '../../config/reload-report.ts';
import type { Identity } from '../../policy/identity.ts';
import { isNamelessRole } from '../../policy/names.ts';
import type { ConfigurationReading } from '../../recorder/configuration-reading.ts';
import type { Session } from '../../accounts/sessions/session-token.ts';
import type { Settings } from '../../access/settings/settings.ts';

/** State of the running gate. */
export interface GateState {
  readonly settings: Pick<
    Settings,
    'mode' | 'ownFront' | 'rules' | 'defined' | 'allCameras' | 'roleAtRecorder' | 'house'
  >;
  readonly about: {
    readonly reloads: () => ReloadReport;
    readonly recorder: ConfigurationReading['knowledge'];
  };
  /** The recorder's database. */
  readonly events: { readonly fault: () => string | undefined };
  readonly clock: Clock;
  /** Milliseconds since the epoch; `undefined` if the gate has no certificate. */
  readonly certificateEnds: () => number | undefined;
  readonly firstRun: FirstRun;
  readonly users: Pick<Users, 'find' | 'listWith' | 'listOthers'>;
  readonly servesSample: boolean;
  /** The provider; `undefined` if users sign in only here. */
  readonly provider?: { readonly label: string; readonly issuer: string } | undefined;
  readonly providerSessions?: ProviderFaults | undefined;
  /** Cameras that users have asked for, the newest first. Absent when users can't ask. */
  readonly openRequests?: (() => Promise<readonly OpenRequest[]>) | undefined;
  readonly lostCameras: Pick<LostCameras, 'list'>;
  readonly alerts: { readonly countLost: () => Promise<number> };
  /** Files that were gone at the start; `accounts`: the last sign-in, in seconds since the epoch. */
  readonly losses: { readonly accounts?: number; readonly secret?: true };
}

/** Why the provider could not be asked whether sessions may continue. */
export interface ProviderFaults {
  /** @returns undefined if the provider knows no such session */
  find(sessionId: string): Promise<{ readonly fault: ProviderFault | undefined } | undefined>;
  /** @returns how many sessions of a provider have a fault */
  countFaults(issuer: string): Promise<number>;
}

/** A user asks for a camera. */
export interface OpenRequest {
  readonly username: string;
  /** The user's current role. */
  readonly role: string;
  readonly camera: string;
}

/** The current user; some findings are about this user only. */
export interface Asker {
  readonly identity: Identity | undefined;
  readonly session: Session | undefined;
}

export interface GateFinding {
  /** `none`: there is nothing to check. */
  readonly result: 'ok' | 'hint' | 'fault' | 'none';
  /** Names or words of the result: a warning of the configuration, a role, a reason. */
  readonly seen?: readonly string[];
  /** The same for programs, of a hint or a fault. */
  readonly detail?: Readonly<Record<string, string | number | null>>;
}

/** Only the checks of a front can tell what others reach. */
type GateCheck = (gate: GateState, asker: Asker) => GateFinding | Promise<GateFinding>;

const ok: GateFinding = { result: 'ok' };
const none: GateFinding = { result: 'none' };

const day = 86_400_000;
// ACME renews earlier than that.
const daysToCare = 21;

// Their pages list them all.
const mostNamed = 5;

/** @returns the roles as pages name them: a role that was made for one person by that person, and not at all before they come */
export async function namesOfRoles(
  roles: readonly string[],
  users: Pick<Users, 'listWith'>,
): Promise<readonly string[]> {
  const [named, nameless] = [roles.filter((role) => !isNamelessRole(role)), roles.filter(isNamelessRole)];
  if (nameless.length === 0) return named;
  const people = await users.listWith(nameless);
  return [...named, ...people.map(({ username }) => username)];
}

async function withoutRole({ users, settings: { rules } }: GateState) {
  return undefinedRoles(await users.listOthers(rules.roles.keys()), rules.roles);
}

function namedUsers(found: Awaited<ReturnType<typeof withoutRole>>) {
  return {
    users: namesOf(found.flatMap((each) => each.users)),
    count: found.reduce((sum, { count }) => sum + count, 0),
  };
}

function namesOf(users: readonly string[]): string {
  return users.slice(0, mostNamed).join(', ');
}

/**
 * A role that was not asked about yet will be in a moment. Without `upstream`, the embedded front passes requests on only to
 * the events app, which keeps every role to its cameras.
 * @returns the custom roles that the recorder has not confirmed
 */
export function unverifiedRoles({ ownFront, rules, roleAtRecorder }: GateState['settings']): string[] {
  return [...camerasByRole(rules.roles).keys()].filter((role) => {
    const found = roleAtRecorder(role);
    if (found.state === 'verified' || found.reason === 'not_asked') return false;
    return ownFront !== 'embedded' || found.reason !== 'upstream_unset';
  });
}

/** Every check of the gate by itself. The API, the setup steps and the start page refer to those that they show. */
export const gateChecks = {
  configuration({ about }: GateState): GateFinding {
    const { successful, problems, warnings, waiting } = about.reloads();
    if (!successful) {
      const paths = problems.map(({ path }) => path);
      const [first] = problems.map(describeProblem);
      return { result: 'fault', seen: paths, detail: { problems: paths.length, first: first ?? null } };
    }
    const seen = [...waiting.map((key) => `${key}: waits for a restart`), ...warnings];
    return { result: seen.length > 0 ? 'hint' : 'ok', seen };
  },

  /** Protections that are off, and limits that config.yml lost. */
  exposures({ about }: GateState): GateFinding {
    const { exposures } = about.reloads();
    const [first] = exposures;
    if (first === undefined) return ok;
    return { result: 'hint', seen: exposures, detail: { count: exposures.length, first } };
  },

  /** Whether the machine's clock shows a time that has passed. */
  clock({ clock }: Pick<GateState, 'clock'>): GateFinding {
    if (clock.isBehind?.() !== true) return ok;
    const [shown, last] = [clock.machine?.() ?? clock.now(), clock.now()];
    return {
      result: 'fault',
      seen: [shown, last].map((moment) => new Date(moment).toISOString()),
      detail: { clock: shown / 1_000, last: last / 1_000 },
    };
  },

  certificate({ certificateEnds, clock }: Pick<GateState, 'certificateEnds' | 'clock'>): GateFinding {
    const ends = certificateEnds();
    if (ends === undefined) return none;
    const left = ends - clock.now();
    return {
      result: left > daysToCare * day ? 'ok' : 'fault',
      seen: [new Date(ends).toISOString().slice(0, 10)],
      detail: { days: Math.floor(left / day), ends_at: ends / 1_000 },
    };
  },

  recorder({ about }: Pick<GateState, 'about'>): GateFinding {
    const known = about.recorder();
    if (known === undefined) return none;
    const { configuration, fault, heardAt, isEveryoneAdmin } = known;
    if (fault !== undefined) {
      const since = heardAt === undefined ? null : heardAt / 1_000;
      return { result: 'fault', seen: [fault], detail: { fault, since } };
    }
    if (configuration === undefined) return { result: 'hint', seen: ['not_asked'] };
    if (isEveryoneAdmin === true) return { result: 'hint', seen: ['everybody_is_admin'] };
    return { result: 'ok', seen: [...configuration.cameras.keys()] };
  },

  /** Cameras that the recorder renamed or dropped, and that something here names. */
  async lostCameras({ lostCameras }: Pick<GateState, 'lostCameras'>): Promise<GateFinding> {
    const lost = await lostCameras.list();
    const [first] = lost;
    if (first === undefined) return ok;
    const { camera, likely = null, holders } = first;
    const users = holders.people.slice(0, mostNamed).join(', ');
    const detail = { camera, likely, users, people: holders.people.length, count: lost.length };
    return { result: 'fault', seen: lost.map((found) => found.camera), detail };
  },

  /** Whether the recorder's database can be read: without it, custom roles can open no event. */
  events({ events }: GateState): GateFinding {
    const fault = events.fault();
    return fault === undefined ? ok : { result: 'fault', seen: [fault], detail: { fault } };
  },

  async roles({ settings, users }: GateState): Promise<GateFinding> {
    if (camerasByRole(settings.rules.roles).size === 0) return none;
    const seen = await namesOfRoles(unverifiedRoles(settings), users);
    if (seen.length === 0) return ok;
    const detail = { roles: seen.slice(0, mostNamed).join(', '), count: seen.length };
    return { result: 'fault', seen, detail };
  },

  /** Users with a named role that is not defined count as viewers. */
  async undefinedRoles(gate: GateState): Promise<GateFinding> {
    if (gate.settings.mode !== 'session') return none;
    const found = (await withoutRole(gate)).filter(({ isPersonal }) => !isPersonal);
    if (found.length === 0) return ok;
    const roles = found.map(({ role }) => role);
    const { users, count } = namedUsers(found);
    return {
      result: 'fault',
      seen: roles,
      detail: { roles: roles.slice(0, mostNamed).join(', '), users, count },
    };
  },

  /** Users whose role was made for them, and has lost its definition: they get nothing. */
  async lostAccess(gate: GateState): Promise<GateFinding> {
    if (gate.settings.mode !== 'session') return none;
    const found = (await withoutRole(gate)).filter(({ isPersonal }) => isPersonal);
    return found.length === 0 ? ok : { result: 'fault', detail: { ...namedUsers(found) } };
  },

  /** Users whose role names groups or cameras that there are not: by those they get nothing. */
  async incompleteAccess({ users, settings: { mode, defined, rules } }: GateState): Promise<GateFinding> {
    if (mode !== 'session') return none;
    const found = incompleteRoles(defined, rules.roles);
    const people = await users.listWith(found.map(({ role }) => role));
    if (people.length === 0) return ok;
    const had = found.filter(({ role }) => people.some((user) => user.role === role));
    const unknown = [...new Set(had.flatMap((each) => each.unknown))];
    return {
      result: 'fault',
      seen: unknown,
      detail: {
        unknown: unknown.slice(0, mostNamed).join(', '),
        users: namesOf(people.map(({ username }) => username)),
        count: people.length,
      },
    };
  },

  /** Cameras that users have asked for, the last one by name. */
  async requests({ openRequests }: GateState): Promise<GateFinding> {
    const open = (await openRequests?.()) ?? [];
    const [last] = open;
    if (last === undefined) return ok;
    const { username: user, camera, role } = last;
    return { result: 'hint', detail: { count: open.length, user, role, camera } };
  },

  /** Alerts that did not reach a target within a day. */
  lostAccounts({ losses: { accounts } }: GateState): GateFinding {
    return accounts === undefined ? ok : { result: 'fault', detail: { last_sign_in: accounts } };
  },

  lostSecret({ losses: { secret } }: GateState): GateFinding {
    return secret === undefined ? ok : { result: 'fault' };
  },

  async lostAlerts({ alerts }: GateState): Promise<GateFinding> {
    const count = await alerts.countLost();
    return count === 0 ? ok : { result: 'fault', detail: { count } };
  },

  sample({ servesSample }: GateState): GateFinding {
    return servesSample ? { result: 'hint' } : ok;
  },

  /** Whether any account still has the generated password from the log. */
  async password({ firstRun }: GateState): Promise<GateFinding> {
    return (await firstRun.generatedPasswordOf()) === null ? ok : { result: 'fault' };
  },

  /** A token has no password, and the admin of the internal entry point has none either. */
  async ownPassword({ users }: GateState, { identity }: Asker): Promise<GateFinding> {
    if (identity?.source !== 'session' && identity?.source !== 'bearer') return none;
    const user = await users.find(identity.user);
    return user?.hasGeneratedPassword === true ? { result: 'fault' } : ok;
  },

  /** Whether the house has a name, a picture or a colour, or an admin has declined them. */
  async face({ settings: { house }, firstRun }: GateState): Promise<GateFinding> {
    return house.isOwn || (await firstRun.facts()).face ? ok : { result: 'hint' };
  },

  /** Whether the provider could be asked if the current session may continue. */
  async ownSession({ provider, providerSessions }: GateState, { session }: Asker): Promise<GateFinding> {
    if (session?.user.issuer === undefined || provider === undefined) return none;
    const known = await providerSessions?.find(session.claims.sessionId);
    if (known?.fault === undefined) return ok;
    const detail = { provider: provider.label, fault: known.fault, ends_at: session.expiresAt / 1_000 };
    return { result: 'fault', detail };
  },

  /** The same for all sessions. */
  async provider({ provider, providerSessions }: GateState): Promise<GateFinding> {
    if (provider === undefined) return none;
    const sessions = (await providerSessions?.countFaults(provider.issuer)) ?? 0;
    return sessions === 0 ? ok : { result: 'fault', detail: { provider: provider.label, sessions } };
  },

  /** Whether an admin has seen the checks, and there is no fault now. */
  async check(gate: GateState): Promise<GateFinding> {
    const { checked } = await gate.firstRun.facts();
    const results = await Promise.all(shownChecks.map(async (name) => (await gateChecks[name](gate)).result));
    return { result: checked && !results.includes('fault') ? 'ok' : 'hint' };
  },

  /** Whether setup steps are left. */
  async steps(gate: GateState): Promise<GateFinding> {
    const { shown } = await gate.firstRun.facts();
    const open = (await findSteps(gate)).filter(({ done }) => !done).map(({ name }) => name);
    if (open.length === 0) return ok;
    const detail = { open: open.join(','), count: open.length, shown: shown ? 1 : 0 };
    return { result: 'hint', seen: open, detail };
  },
} satisfies Readonly<Record<string, GateCheck>>;

/** The findings that an admin sees about the gate, in this order. */
export const shownChecks = ['configuration', 'clock', 'certificate', 'recorder', 'roles'] as const;

/** The setup steps, in order. The checks decide whether a step is done, not a click. */
export const stepNames = ['password', 'recorder', 'face', 'check'] as const;

interface Step {
  readonly name: (typeof stepNames)[number];
  readonly done: boolean;
}

/** @returns the steps of this gate: behind single sign-on without the one for accounts */
export function findSteps(gate: GateState): Promise<readonly Step[]> {
  const hasAccounts = gate.settings.mode === 'session';
  const names = stepNames.filter((name) => hasAccounts || name !== 'password');
  return Promise.all(
    names.map(async (name) => ({ name, done: (await gateChecks[name](gate)).result === 'ok' })),
  );
}
