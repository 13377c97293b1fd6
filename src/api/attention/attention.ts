import { Hono } from 'hono';
import { gateChecks } from '../../doctor/checks.ts';
import type { GateState } from '../../doctor/gate/gate-checks.ts';
import type { ApiEnvironment } from '../request-context.ts';

interface AttentionRow {
  /** For programs; the UI has the texts. */
  readonly kind: string;
  readonly check: keyof typeof gateChecks;
  /** A problem is what the check finds as a fault. */
  readonly level: 'problem' | 'hint';
  /** Below `/postern`; null: there is none. */
  readonly page: string | null;
  /** That of users who are no admins; undefined: they are not told. */
  readonly othersPage?: string | null;
}

/** What somebody should know of or do something about, the worst first. */
const rows = [
  {
    kind: 'password_generated',
    check: 'ownPassword',
    level: 'problem',
    page: '/account',
    othersPage: '/account',
  },
  {
    kind: 'session_not_refreshed',
    check: 'ownSession',
    level: 'problem',
    page: '/account',
    othersPage: '/account',
  },
  { kind: 'reload_failed', check: 'configuration', level: 'problem', page: '/settings/configuration' },
  { kind: 'provider_fault', check: 'provider', level: 'problem', page: null },
  { kind: 'certificate_ends', check: 'certificate', level: 'problem', page: null },
  { kind: 'role_unverified', check: 'roles', level: 'problem', page: '/settings/roles' },
  { kind: 'first_run', check: 'steps', level: 'hint', page: '/first-run' },
  { kind: 'sample_data', check: 'sample', level: 'hint', page: '/first-run', othersPage: null },
] as const satisfies readonly AttentionRow[];

export type AttentionKind = (typeof rows)[number]['kind'];

interface Attention extends Pick<AttentionRow, 'level' | 'page'> {
  readonly kind: AttentionKind;
  readonly detail: Readonly<Record<string, string | number | null>>;
}

/** `GET /postern/api/attention`: what whoever asks should know of. */
export function attentionRoutes(gate: GateState) {
  return new Hono<ApiEnvironment>().get('/', async (c) => {
    const { identity } = c.var.allowed;
    // A script that is limited to cameras reaches no page of these, and is told nothing of them.
    const isAdmin = identity?.role === 'admin' && identity.token?.cameras === undefined;
    const found: Attention[] = [];
    for (const { kind, check, level, ...pages } of rows) {
      const page = isAdmin ? pages.page : 'othersPage' in pages ? pages.othersPage : undefined;
      if (page === undefined) continue;
      const { result, detail = {} } = await gateChecks[check](gate, { identity, session: c.var.session });
      if (result === (level === 'problem' ? 'fault' : 'hint')) found.push({ kind, level, page, detail });
    }
    return c.json(found);
  });
}

export type AttentionApi = ReturnType<typeof attentionRoutes>;
