import { Hono } from 'hono';
import type { Users } from '../../accounts/users.ts';
import type { Identity } from '../../policy/identity.ts';
import type { Session } from '../../sessions/session.ts';
import type { ProviderSessions } from '../../sign-on/provider-sessions.ts';
import { day, daysToCare, unverifiedRoles } from '../doctor/checks.ts';
import { findSteps, type StepsDependencies } from '../first-run/steps.ts';
import type { ApiEnvironment } from '../request-context.ts';

/** What somebody should know of or do something about. Names are for programs; the UI has the texts. */
export type AttentionKind =
  | 'password_generated'
  | 'first_run'
  | 'provider_fault'
  | 'session_not_refreshed'
  | 'role_unverified'
  | 'reload_failed'
  | 'certificate_ends'
  | 'sample_data';

export interface Attention {
  readonly kind: AttentionKind;
  readonly level: 'problem' | 'hint';
  /** Below `/postern`; null: there is none where whoever asks could do something about it. */
  readonly page: string | null;
  readonly detail: Readonly<Record<string, string | number | null>>;
}

export interface AttentionDependencies extends StepsDependencies {
  readonly users: Pick<Users, 'find'>;
  readonly servesSample: boolean;
  /** Where people log in; undefined: nobody does at a provider. */
  readonly provider?: { readonly label: string; readonly issuer: string } | undefined;
  readonly providerSessions?: Pick<ProviderSessions, 'find' | 'countFaults'> | undefined;
}

/** `GET /postern/api/attention`: what whoever asks should know of, the worst first. */
export function attentionRoutes(dependencies: AttentionDependencies) {
  return new Hono<ApiEnvironment>().get('/', async (c) => {
    const { identity } = c.var.allowed;
    // A script that is limited to cameras reaches no page of these, and is told nothing of them.
    const isAdmin = identity?.role === 'admin' && identity.token?.cameras === undefined;
    const found: readonly Attention[] = [
      ...(await ofPassword(identity, dependencies)),
      ...(await ofOwnSession(c.var.session, dependencies)),
      ...(isAdmin ? await ofGate(dependencies) : []),
      ...ofSample(isAdmin, dependencies),
    ];
    return c.json([...found]);
  });
}

export type AttentionApi = ReturnType<typeof attentionRoutes>;

/** A script has no password, and whoever is admin by the internal entry point has none either. */
async function ofPassword(
  identity: Identity | undefined,
  { users }: AttentionDependencies,
): Promise<Attention[]> {
  if (identity?.source !== 'session' && identity?.source !== 'bearer') return [];
  const user = await users.find(identity.user);
  return user?.hasGeneratedPassword === true
    ? [{ kind: 'password_generated', level: 'problem', page: '/account', detail: {} }]
    : [];
}

async function ofGate(dependencies: AttentionDependencies): Promise<Attention[]> {
  return [
    ...ofReload(dependencies),
    ...(await ofProvider(dependencies)),
    ...ofCertificate(dependencies),
    ...ofRoles(dependencies),
    ...(await ofFirstRun(dependencies)),
  ];
}

/** The provider could not be asked whether it may go on. */
async function ofOwnSession(
  session: Session | undefined,
  { provider, providerSessions }: AttentionDependencies,
): Promise<Attention[]> {
  if (session?.user.issuer === undefined || provider === undefined) return [];
  const known = await providerSessions?.find(session.claims.sessionId);
  if (known?.fault === undefined) return [];
  const detail = { provider: provider.label, fault: known.fault, ends_at: session.expiresAt / 1_000 };
  return [{ kind: 'session_not_refreshed', level: 'problem', page: '/account', detail }];
}

async function ofProvider({ provider, providerSessions }: AttentionDependencies): Promise<Attention[]> {
  if (provider === undefined) return [];
  const sessions = (await providerSessions?.countFaults(provider.issuer)) ?? 0;
  if (sessions === 0) return [];
  const detail = { provider: provider.label, sessions };
  return [{ kind: 'provider_fault', level: 'problem', page: null, detail }];
}

function ofReload({ about }: AttentionDependencies): Attention[] {
  const { successful, problems } = about.reloads();
  if (successful) return [];
  const detail = { problems: problems.length };
  return [{ kind: 'reload_failed', level: 'problem', page: '/settings/configuration', detail }];
}

function ofCertificate({ certificateEnds, clock }: AttentionDependencies): Attention[] {
  const ends = certificateEnds();
  if (ends === undefined || ends - clock.now() > daysToCare * day) return [];
  const days = Math.floor((ends - clock.now()) / day);
  return [
    { kind: 'certificate_ends', level: 'problem', page: null, detail: { days, ends_at: ends / 1_000 } },
  ];
}

// More would be a list, and the page of roles has it.
const mostNames = 5;

function ofRoles({ settings }: AttentionDependencies): Attention[] {
  const unverified = unverifiedRoles(settings);
  if (unverified.length === 0) return [];
  const detail = { roles: unverified.slice(0, mostNames).join(', '), count: unverified.length };
  return [{ kind: 'role_unverified', level: 'problem', page: '/settings/roles', detail }];
}

async function ofFirstRun(dependencies: AttentionDependencies): Promise<Attention[]> {
  const { shown } = await dependencies.firstRun.facts();
  const open = (await findSteps(dependencies)).filter(({ done }) => !done).map(({ name }) => name);
  if (open.length === 0) return [];
  const detail = { open: open.join(','), count: open.length, shown: shown ? 1 : 0 };
  return [{ kind: 'first_run', level: 'hint', page: '/first-run', detail }];
}

function ofSample(isAdmin: boolean, { servesSample }: AttentionDependencies): Attention[] {
  if (!servesSample) return [];
  return [{ kind: 'sample_data', level: 'hint', page: isAdmin ? '/first-run' : null, detail: {} }];
}
